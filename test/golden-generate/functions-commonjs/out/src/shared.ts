import generated = require('../generated/index.js');

/** Makes what all handlers share as `ctx.app`, once, before the first call that needs it. */
function create(_setup: generated.Setup_Context) {
  return {};
}

/** The initialize function for the server "main": prepares what must be ready before the first call. */
async function ready(_ctx: generated.Initialize_Context): Promise<void> {
  // Nothing to prepare yet.
}

const handlers = { create, ready };

export = handlers;
