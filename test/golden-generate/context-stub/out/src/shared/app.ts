import type { Setup_Context } from '../../generated/index.js';

/** Makes what all handlers share as `ctx.app`, once, before the first call that needs it. */
export default function createContext(_setup: Setup_Context) {
  return {};
}
