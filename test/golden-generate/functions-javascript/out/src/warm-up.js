// @ts-check

/**
 * The initialize function for the tool "search": prepares what must be ready before the first call.
 * @param {import('../generated/index.js').Initialize_Context} _ctx
 * @returns {Promise<void>}
 */
export default async function initialize(_ctx) {
  // Nothing to prepare yet.
}
