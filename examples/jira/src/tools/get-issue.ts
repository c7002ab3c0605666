import type { GetIssueHandler } from '../../generated/index.js';
import { urlOf } from '../handler-context.js';

/** Get an issue by its key. */
export default (async ({ issueKey }, ctx) => {
  const issue = ctx.app.find(issueKey);
  if (issue === undefined) throw ctx.errors.ISSUE_NOT_FOUND();
  const { key, summary, status, assignee } = issue;
  return { key, summary, status, assignee, url: urlOf(key, ctx) };
}) satisfies GetIssueHandler;
