import type { Project } from './context.js';

/** What the handlers of this pack use of `ctx`. */
export interface HandlerContext<Code extends string = never, Options = unknown> {
  readonly app: Project;
  readonly options: Options;
  readonly config: { readonly JIRA_TOKEN?: string; readonly JIRA_LIMIT: number; readonly JIRA_SITE: string };
  readonly errors: Readonly<Record<Code, () => Error>>;
  readonly log: { info(message: string): void };
  has(name: string): boolean;
}

export function urlOf(key: string, { config }: Pick<HandlerContext, 'config'>): string {
  return `${config.JIRA_SITE}/browse/${key}`;
}
