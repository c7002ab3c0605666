import { type HandlerContext, urlOf } from '../handler-context.js';

/** Get an issue by its key. */
export default async ({ issueKey }: { issueKey: string }, ctx: HandlerContext<'ISSUE_NOT_FOUND'>) => {
  const issue = ctx.app.find(issueKey);
  if (issue === undefined) throw ctx.errors.ISSUE_NOT_FOUND();
  const { key, summary, status, assignee } = issue;
  return { key, summary, status, assignee, url: urlOf(key, ctx) };
};
