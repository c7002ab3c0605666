import type { HandlerContext } from '../handler-context.js';

/** Tell in whose name changes are made. */
export default async (_: unknown, ctx: HandlerContext) => {
  const anonymous = ctx.config.JIRA_TOKEN === undefined;
  return { name: anonymous ? 'nobody' : 'the owner of the token', anonymous };
};
