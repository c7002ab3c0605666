import type { Tool_Context } from '../generated/index.js';

/** Where people find an issue. */
export function urlOf(key: string, { config }: Pick<Tool_Context, 'config'>): string {
  return `${config.JIRA_SITE}/browse/${key}`;
}
