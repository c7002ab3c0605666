// @ts-check

/**
 * Get an issue.
 * @type {import('../../generated/index.js').GetIssueHandler}
 */
export default async ({ issueKey, limit }, ctx) => {
  throw ctx.notImplemented();
};
