// @ts-check

/**
 * Get an issue.
 * @type {import('../../generated/index.js').GetIssueHandler}
 */
const getIssue = async ({ issueKey }, ctx) => {
  throw ctx.notImplemented();
};

module.exports = getIssue;
