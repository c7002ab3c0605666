import type { HandlerContext } from '../handler-context.js';

/** Delete an issue for good. */
export default async ({ issueKey }: { issueKey: string }, ctx: HandlerContext<'ISSUE_NOT_FOUND'>) => {
  const issue = ctx.app.find(issueKey);
  if (issue === undefined) throw ctx.errors.ISSUE_NOT_FOUND();
  ctx.app.remove(issue);
  return `${issueKey} is deleted.`;
};
