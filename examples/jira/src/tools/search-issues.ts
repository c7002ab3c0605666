import type { SearchIssuesHandler } from '../../generated/index.js';

/** Search issues by text, status and assignee. */
export default (async ({ query, status, assignee, limit }, ctx) => {
  const { caseSensitive, hiddenLabels } = ctx.options;
  const fold = (text: string) => (caseSensitive ? text : text.toLowerCase());
  const found = ctx.app
    .all()
    .filter(issue => fold(issue.summary).includes(fold(query)))
    .filter(issue => status === undefined || status.includes(issue.status))
    .filter(issue => assignee === undefined || issue.assignee === assignee)
    .filter(issue => !issue.labels.some(label => hiddenLabels.includes(label)));
  const shown = found.slice(0, Math.min(limit, ctx.config.JIRA_LIMIT));
  return { total: found.length, issues: shown.map(({ key, summary }) => ({ key, summary })) };
}) satisfies SearchIssuesHandler;
