import type { CreateIssueHandler } from '../../generated/index.js';
import { urlOf } from '../handler-context.js';

/** Create an issue in a project. */
export default (async (args, ctx) => {
  if (!ctx.app.hasProject(args.project)) throw ctx.errors.UNKNOWN_PROJECT();
  const { summary, assignee = null, labels } = args;
  const { key } = ctx.app.create(args.project, { summary, assignee, labels });
  ctx.log.info(`${key} created ${ctx.has('JIRA_TOKEN') ? 'with the token' : 'anonymously'}`);
  return { key, url: urlOf(key, ctx) };
}) satisfies CreateIssueHandler;
