import type { HandlerContext } from '../handler-context.js';

/** Add a comment to an issue. */
export default async (
  { issueKey, text }: { issueKey: string; text: string },
  ctx: HandlerContext<'ISSUE_NOT_FOUND'>,
) => {
  const issue = ctx.app.find(issueKey);
  if (issue === undefined) throw ctx.errors.ISSUE_NOT_FOUND();
  const changed = ctx.app.change(issue, { comments: [...issue.comments, text] });
  return { key: changed.key, comments: changed.comments.length };
};
