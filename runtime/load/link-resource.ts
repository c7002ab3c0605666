// In: the winning definition of a resource. Out: the resource with its URI variables, and every mistake in it.
import type { ResourceDefinition } from '../../schema/definitions.js';
import { addAll, diagnose } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { didYouMean } from '../../schema/nearest.js';
import { parseUriTemplate } from '../../schema/uri-template.js';
import { checkMentions, linkHandler, linkText, type Scope } from './link-text.js';
import type { Resource } from './program.js';
import type { Entry } from './resolve.js';
import type { Item } from './split.js';

export function linkResource(entry: Pick<Entry, 'declaration'>, item: Item, scope: Scope): Resource {
  const raw = isMap(item.definition) ? item.definition : {};
  const { at } = item;
  const described = linkText(raw['description'], ['description'], at, scope);
  checkMentions(described, scope);
  const variables = linkVariables(raw['uriTemplate'], item, scope);
  if (isMap(raw['complete'])) {
    for (const [name, source] of Object.entries(raw['complete'])) {
      linkHandler(source, ['complete', name], at, scope);
      if (variables === undefined || variables.includes(name)) continue;
      const hint = didYouMean(name, variables);
      scope.diagnostics.push(diagnose('link/unknown-variable', { name }, at.site(['complete', name], 'key'), { hint }));
    }
  }
  if (typeof raw['file'] === 'string') {
    addAll(scope.diagnostics, scope.reader.exists(raw['file'], at.site(['file'])));
  }
  const isStatic = raw['file'] !== undefined || raw['text'] !== undefined;
  const fallback = {
    path: `${scope.handlers === '' ? '' : `${scope.handlers}/`}resources/${item.name}.ts`,
    export: 'default',
  };
  const handler = linkHandler(raw['handler'], ['handler'], at, scope) ?? fallback;
  return {
    kind: 'resource',
    item: item.name,
    name: typeof raw['name'] === 'string' ? raw['name'] : item.name,
    ...(typeof raw['title'] === 'string' ? { title: raw['title'] } : {}),
    description: described?.text ?? entry.declaration?.description ?? '',
    definition: raw as ResourceDefinition,
    file: item.file,
    at,
    variables: variables ?? [],
    ...(isStatic ? {} : { handler }),
  };
}

/** Undefined where the template is broken: then nothing can be said about its variables. */
function linkVariables(template: unknown, item: Item, scope: Scope): readonly string[] | undefined {
  if (typeof template !== 'string') return [];
  const parsed = parseUriTemplate(template);
  if ('variables' in parsed) return parsed.variables;
  scope.diagnostics.push(diagnose('link/uri-template', { reason: parsed.problem }, item.at.site(['uriTemplate'])));
  return undefined;
}
