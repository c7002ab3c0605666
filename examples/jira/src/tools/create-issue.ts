import { type HandlerContext, urlOf } from '../handler-context.js';

interface Arguments {
  readonly project: string;
  readonly summary: string;
  readonly assignee?: string;
  readonly labels: readonly string[];
  readonly origin?: { readonly channel: string; readonly reference?: string };
}

/** Create an issue in a project. */
export default async (args: Arguments, ctx: HandlerContext<'UNKNOWN_PROJECT'>) => {
  if (!ctx.app.hasProject(args.project)) throw ctx.errors.UNKNOWN_PROJECT();
  const { summary, assignee = null, labels } = args;
  const { key } = ctx.app.create(args.project, { summary, assignee, labels });
  ctx.log.info(`${key} created ${ctx.has('JIRA_TOKEN') ? 'with the token' : 'anonymously'}`);
  return { key, url: urlOf(key, ctx) };
};
