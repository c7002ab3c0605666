// @ts-check

/**
 * Makes what all handlers share as `ctx.app`, once, before the first call that needs it.
 * @param {import('../generated/index.js').Setup_Context} _setup
 */
export function create(_setup) {
  return {};
}
