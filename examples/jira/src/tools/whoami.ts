import type { WhoamiHandler } from '../../generated/index.js';

/** Tell in whose name changes are made. */
export default (async (_, ctx) => {
  const anonymous = ctx.config.JIRA_TOKEN === undefined;
  return { name: anonymous ? 'nobody' : 'the owner of the token', anonymous };
}) satisfies WhoamiHandler;
