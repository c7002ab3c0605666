// What the declarations of tools, prompts and resources share: where the item is defined, and how its text is shown.
import type { Prompt, Resource, Tool } from '../../runtime/load/program.js';
import type { Site } from '../../schema/diagnostics.js';
import { printDoc } from '../types/print-doc.js';
import type { Draft } from './draft.js';

/** Where go-to-definition on an item leads: its key in a combined file, its name inline, else the file's first key. */
export function definitionSite({ at, server }: Tool | Prompt | Resource): Site {
  return server === undefined ? at.site([], 'key') : at.site(['name'], 'key');
}

/** The first paragraph of a description: what fits above a line of code. */
export function summaryOf({ description }: Tool | Prompt | Resource): string {
  return description.trim().split(/\r?\n[ \t]*\r?\n/, 1)[0] ?? '';
}

/**
 * A text as a doc comment, or nothing for an empty one.
 *
 * @example printNote('Get an issue.', '  ') // a comment of one line, indented
 */
export function printNote(text: string, indent = ''): string {
  return printDoc([{ description: text }], indent);
}

export interface ContextShape {
  readonly name: string;
  /** The type of `toolwright/support` that it builds on. */
  readonly base: string;
  readonly site: Site;
  readonly config?: string;
  /** Further properties, with where they were written. */
  readonly properties?: readonly { readonly name: string; readonly type: string; readonly site: Site }[];
}

/** Adds the type of what a handler is given besides its first parameter. */
export function addContext(draft: Draft, { name, base, site, config = 'Config', properties = [] }: ContextShape): void {
  draft.add('export interface ');
  draft.addName(name, site);
  draft.add(` extends ${base} {\n`);
  // App and config lead nowhere from here: a line added to toolwright.yaml would change the maps of all items.
  const all = [
    { name: 'app', type: 'App', site: undefined },
    { name: 'config', type: config, site: undefined },
  ];
  for (const property of [...all, ...properties]) {
    draft.add('  readonly ');
    draft.addName(property.name, property.site);
    draft.add(`: ${property.type};\n`);
  }
  draft.add('}\n');
}
