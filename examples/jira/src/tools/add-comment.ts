import type { AddCommentHandler } from '../../generated/index.js';

/** Add a comment to an issue. */
export default (async ({ issueKey, text }, ctx) => {
  const issue = ctx.app.find(issueKey);
  if (issue === undefined) throw ctx.errors.ISSUE_NOT_FOUND();
  const changed = ctx.app.change(issue, { comments: [...issue.comments, text] });
  return { key: changed.key, comments: changed.comments.length };
}) satisfies AddCommentHandler;
