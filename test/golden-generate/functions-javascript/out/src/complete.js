// @ts-check

/** @type {import('../generated/index.js').IssueResourceHandler} */
export const issue = async ({ key }, ctx) => {
  throw ctx.notImplemented();
};

/**
 * The completion for "key" in the prompt "triage": gives the values that fit what the user has typed so far.
 * @param {string} typed
 * @param {import('../generated/index.js').Completion_Context} ctx
 * @returns {Promise<import('../generated/index.js').Completion_Result>}
 */
export async function issueKeys(typed, ctx) {
  throw ctx.notImplemented();
}
