import { type Issue, issues, projects } from './project.js';

/** The project while the server runs: every handler has it as `ctx.app`. */
export interface Project {
  hasProject(key: string): boolean;
  find(key: string): Issue | undefined;
  all(): readonly Issue[];
  create(project: string, fields: Pick<Issue, 'summary' | 'assignee' | 'labels'>): Issue;
  change(issue: Issue, fields: Partial<Issue>): Issue;
  remove(issue: Issue): void;
  dispose(): void;
}

export function create(): Project {
  const table = new Map(issues.map(issue => [issue.key, issue]));
  // Numbers are never used again, also after the last issue was deleted.
  let last = table.size;
  return {
    hasProject: key => projects.some(project => project.key === key),
    find: key => table.get(key),
    all: () => [...table.values()],
    create(project, fields) {
      last++;
      const issue: Issue = { ...fields, key: `${project}-${last}`, status: 'open', comments: [] };
      table.set(issue.key, issue);
      return issue;
    },
    change(issue, fields) {
      const changed = { ...issue, ...fields, key: issue.key };
      table.set(issue.key, changed);
      return changed;
    },
    remove: issue => {
      table.delete(issue.key);
    },
    dispose: () => table.clear(),
  };
}
