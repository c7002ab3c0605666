import generated = require('../generated/index.js');

/** Makes what all handlers share as `ctx.app`, once, before the first call that needs it. */
function create(_setup: generated.Setup_Context) {
  return {};
}

const handlers = { create };

export = handlers;
