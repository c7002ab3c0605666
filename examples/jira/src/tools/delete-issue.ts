import type { DeleteIssueHandler } from '../../generated/index.js';

/** Delete an issue for good. */
export default (async ({ issueKey }, ctx) => {
  const issue = ctx.app.find(issueKey);
  if (issue === undefined) throw ctx.errors.ISSUE_NOT_FOUND();
  ctx.app.remove(issue);
  return `${issueKey} is deleted.`;
}) satisfies DeleteIssueHandler;
