import type { Completion_Context } from '../generated/index.js';

/** Keys of issues that begin with what was typed. */
export async function issueKeys(typed: string, ctx: Completion_Context) {
  const keys = ctx.app.all().map(({ key }) => key);
  return keys.filter(key => key.startsWith(typed.toUpperCase()));
}
