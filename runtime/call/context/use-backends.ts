// What handlers import for work that tools also do without code. In: a command or a request, and the context of the call. Out: its result, with
// the same limits, guards and errors.
import type { Command, HttpRequest } from '../../../schema/support/mcp/backends.js';
import type { BaseContext } from '../../../schema/support/mcp/context.js';
import type { BackendItems } from '../ports.js';
import { hostOf, scopeOf } from './call-scope.js';

/**
 * Runs a program without a shell, each argument exactly as it is. It ends with the call.
 *
 * @example return await exec({ command: 'git', args: ['log', `--max-count=${count}`, '--', path], result: 'lines' }, ctx);
 */
export async function exec<Result = unknown>(command: Command, ctx: BaseContext): Promise<Result> {
  return (await (await itemsOf(ctx)).exec(command, scopeOf(ctx))) as Result;
}

/**
 * Sends a request to an address that belongs to no backend. Addresses that are not public are refused.
 *
 * @example return await request({ url, query: { q } }, ctx);
 */
export async function request<Result = unknown>(request: HttpRequest, ctx: BaseContext): Promise<Result> {
  return (await (await itemsOf(ctx)).request(request, scopeOf(ctx))) as Result;
}

async function itemsOf(ctx: BaseContext): Promise<BackendItems> {
  const { items } = hostOf(ctx);
  if (items === undefined) throw new Error('nothing can be run or requested here');
  return await items();
}
