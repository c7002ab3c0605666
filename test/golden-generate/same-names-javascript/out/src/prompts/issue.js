// @ts-check

/**
 * The prompt.
 * @type {import('../../generated/index.js').IssuePromptHandler_}
 */
export default async ({ id }, ctx) => {
  throw ctx.notImplemented();
};
