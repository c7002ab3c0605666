import type { HandlerContext } from '../handler-context.js';
import type { Status } from '../project.js';

/** Move an issue to another state of the workflow. */
export default async (
  { issueKey, status }: { issueKey: string; status: Status },
  ctx: HandlerContext<'ISSUE_NOT_FOUND'>,
) => {
  const issue = ctx.app.find(issueKey);
  if (issue === undefined) throw ctx.errors.ISSUE_NOT_FOUND();
  const changed = ctx.app.change(issue, { status });
  return { key: changed.key, status: changed.status };
};
