// @ts-check

/** Makes what all handlers share as `ctx.app`, once, before the first call that needs it. */
export function create() {
  return {};
}
