import type { TransitionIssueHandler } from '../../generated/index.js';

/** Move an issue to another state of the workflow. */
export default (async ({ issueKey, status }, ctx) => {
  const issue = ctx.app.find(issueKey);
  if (issue === undefined) throw ctx.errors.ISSUE_NOT_FOUND();
  const changed = ctx.app.change(issue, { status });
  return { key: changed.key, status: changed.status };
}) satisfies TransitionIssueHandler;
