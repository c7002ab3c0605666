import type { Initialize_Context, Setup_Context } from '../generated/index.js';

/** Makes what all handlers share as `ctx.app`, once, before the first call that needs it. */
export function create(_setup: Setup_Context) {
  return {};
}

/** The initialize function for the server "main": prepares what must be ready before the first call. */
export async function ready(_ctx: Initialize_Context): Promise<void> {
  // Nothing to prepare yet.
}
