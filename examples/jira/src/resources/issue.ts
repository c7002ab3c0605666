import type { HandlerContext } from '../handler-context.js';

/** One issue as JSON. */
export default async ({ key, fields }: { key: string; fields?: string }, ctx: HandlerContext) => {
  const issue = ctx.app.find(key);
  if (issue === undefined || fields === undefined) return issue;
  const wanted = fields.split(',');
  return Object.fromEntries(Object.entries(issue).filter(([name]) => name === 'key' || wanted.includes(name)));
};
