// In: the winning definition of any item. Out: what all kinds have in common: names, texts, where it was written.
import { keyOf } from '../../schema/definitions.js';
import { diagnose } from '../../schema/diagnostics.js';
import { isMap, type Path } from '../../schema/document.js';
import { checkHidden, checkPlainText, linkHandler, linkText, type Scope } from './link-text.js';
import type { HandlerRef, Linked } from './program.js';
import type { Entry } from './resolve.js';
import type { Item } from './split.js';

export type Declared = Pick<Entry, 'declaration'>;

/** W2: a declared description is the default of the definition's. */
export function linkItem<D>(entry: Declared, item: Item, scope: Scope): Linked<D> {
  const raw = rawOf(item);
  const { kind, at, server } = item;
  checkHidden(raw, at, scope, isInline);
  const described = linkText(raw['description'], ['description'], at, scope);
  checkPlainText(described, scope);
  const description = described?.text ?? entry.declaration?.description ?? '';
  const isUnread = described === undefined && raw['description'] !== undefined;
  // A model chooses tools and prompts by their descriptions; the others are chosen by people.
  if (description === '' && !isUnread && (kind === 'tool' || kind === 'prompt')) {
    scope.diagnostics.push(diagnose('link/no-description', { kind, item: item.name }, item.site()));
  }
  return {
    item: item.name,
    name: typeof raw['name'] === 'string' ? raw['name'] : item.name,
    ...(typeof raw['title'] === 'string' ? { title: raw['title'] } : {}),
    description,
    definition: raw as D,
    file: item.file,
    at,
    ...(server === undefined ? {} : { server }),
  };
}

/** What a server defines in its lists are items of their own. */
function isInline([list, index, ...inside]: Path): boolean {
  return (
    typeof index === 'number' && inside.length > 0 && (list === 'tools' || list === 'prompts' || list === 'resources')
  );
}

/** The definition as a map; what is none has its diagnostic already. */
export function rawOf({ definition }: Item): Readonly<Record<string, unknown>> {
  return isMap(definition) ? definition : {};
}

/** The item's own function: `handler`, or the module that is called like the item. */
export function linkOwnHandler(item: Item, scope: Scope): HandlerRef {
  const folder = scope.handlers === '' ? '' : `${scope.handlers}/`;
  const fallback = { path: `${folder}${keyOf(item.kind)}/${item.name}.ts`, export: 'default' };
  return linkHandler(rawOf(item)['handler'], ['handler'], item.at, scope) ?? fallback;
}
