/** Makes what all handlers share as `ctx.app`, once, before the first call that needs it. */
export default function createContext() {
  return {};
}
