// In: a tool as a server offers it. Out: the function that its manifest names, ready to be called: what it needs is made first.
import type { ToolContext } from '../../schema/support/mcp/context.js';
import type { ServedTool } from './ports.js';

/** What does the work of a tool. Whatever it returns becomes the result, whatever it throws the error. */
export type Handler = (args: unknown, ctx: ToolContext) => unknown;

export interface LoadedHandler {
  readonly handler: Handler;
  /** What handlers have as `ctx.app`. It stays the same where no `context:` of a pack builds it again. */
  readonly app: unknown;
}

export async function loadHandler({ tool, host, handler: given }: ServedTool): Promise<LoadedHandler> {
  if (tool.definition.initialize !== undefined) await host.initialize(tool);
  const app = await host.app();
  const handler = given ?? (await host.load(tool.handler));
  if (typeof handler === 'function') return { handler: handler as Handler, app };
  throw new Error(`${tool.handler.path}#${tool.handler.export} is not a function`);
}
