/** Makes what all handlers share as `ctx.app`, once, before the first call that needs it. */
function create() {
  return {};
}

const handlers = { create };

export = handlers;
