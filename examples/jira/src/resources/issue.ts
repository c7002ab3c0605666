import type { IssueResourceHandler } from '../../generated/index.js';

/** One issue as JSON. */
export default (async ({ key, fields }, ctx) => {
  const issue = ctx.app.find(key);
  if (issue === undefined || fields === undefined) return issue;
  const wanted = fields.split(',');
  return Object.fromEntries(Object.entries(issue).filter(([name]) => name === 'key' || wanted.includes(name)));
}) satisfies IssueResourceHandler;
