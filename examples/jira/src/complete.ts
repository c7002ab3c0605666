import type { HandlerContext } from './handler-context.js';

/** Keys of issues that begin with what was typed. */
export async function issueKeys(typed: string, ctx: HandlerContext) {
  const keys = ctx.app.all().map(({ key }) => key);
  return keys.filter(key => key.startsWith(typed.toUpperCase()));
}
