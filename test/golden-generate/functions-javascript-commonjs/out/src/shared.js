// @ts-check

/**
 * Makes what all handlers share as `ctx.app`, once, before the first call that needs it.
 * @param {import('../generated/index.js').Setup_Context} _setup
 */
function create(_setup) {
  return {};
}

/**
 * The initialize function for the server "main": prepares what must be ready before the first call.
 * @param {import('../generated/index.js').Initialize_Context} _ctx
 * @returns {Promise<void>}
 */
async function ready(_ctx) {
  // Nothing to prepare yet.
}

module.exports = { create, ready };
