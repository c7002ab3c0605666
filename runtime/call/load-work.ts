// In: a tool as a server offers it. Out: the function that its manifest names, ready to be called: what it needs is made first.
import type { ToolContext } from '../../schema/support/mcp/context.js';
import type { MakeClients, PackHost, ServedTool } from './ports.js';

/** What does the work of a tool. Whatever it returns becomes the result, whatever it throws the error. */
export type Handler = (args: unknown, ctx: ToolContext) => unknown;

export interface LoadedHandler {
  /** Of a pack with backends: what makes `ctx.backends`. */
  readonly clients?: MakeClients | undefined;
  readonly handler: Handler;
  /** What handlers have as `ctx.app`. It stays the same where no `context:` of a pack builds it again. */
  readonly app: unknown;
}

export async function loadHandler({ tool, host, handler: given }: ServedTool): Promise<LoadedHandler> {
  if (tool.definition.initialize !== undefined) await host.initialize(tool);
  const app = await host.app();
  const clients = await clientsOf(host);
  if (given !== undefined) return { handler: given as Handler, app, clients };
  if (tool.handler === undefined) throw new Error(`${tool.item} has no handler`);
  const handler = await host.load(tool.handler);
  if (typeof handler === 'function') return { handler: handler as Handler, app, clients };
  throw new Error(`${tool.handler.path}#${tool.handler.export} is not a function`);
}

/** Undefined where the pack has no backends. */
export async function clientsOf({ program, items }: PackHost): Promise<MakeClients | undefined> {
  if (program.pack.backends === undefined || items === undefined) return undefined;
  return await (await items()).clients();
}
