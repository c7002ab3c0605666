// @ts-check

/**
 * The completion for "project" in the prompt "triage": gives the values that fit what the user has typed so far.
 * @param {string} typed
 * @param {import('../generated/index.js').Completion_Context} ctx
 * @returns {Promise<import('../generated/index.js').Completion_Result>}
 */
async function complete(typed, ctx) {
  throw ctx.notImplemented();
}

module.exports = complete;
