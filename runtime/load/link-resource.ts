// In: the winning definition of a resource. Out: the resource with its URI variables, and every mistake in it.
import type { ResourceDefinition } from '../../schema/definitions.js';
import { addAll, diagnose } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { didYouMean } from '../../schema/nearest.js';
import { parseUriTemplate } from '../../schema/uri-template.js';
import { linkCall } from './link-call.js';
import { inputsOfVariables } from './link-inputs.js';
import { type Declared, linkHandler, linkItem, linkOwnHandler, rawOf, type Scope } from './link-item.js';
import type { Resource } from './program.js';
import type { Item } from './split.js';

export function linkResource(entry: Declared, item: Item, scope: Scope): Resource {
  const raw = rawOf(item);
  const { at } = item;
  const variables = linkVariables(raw['uriTemplate'], item, scope);
  if (isMap(raw['complete'])) {
    for (const [name, source] of Object.entries(raw['complete'])) {
      linkHandler(source, ['complete', name], at, scope);
      if (variables === undefined || variables.includes(name)) continue;
      const hint = didYouMean(name, variables);
      scope.diagnostics.push(diagnose('link/unknown-variable', { name }, at.site(['complete', name], 'key'), { hint }));
    }
  }
  linkHandler(raw['list'], ['list'], at, scope);
  if (raw['list'] !== undefined && raw['uriTemplate'] === undefined && raw['uri'] !== undefined)
    scope.diagnostics.push(diagnose('link/idle-list', {}, at.site(['list'], 'key')));
  if (typeof raw['file'] === 'string') {
    addAll(scope.diagnostics, scope.reader.exists(raw['file'], at.site(['file'])));
  }
  if (typeof raw['uri'] === 'string' && /\{.+\}/.test(raw['uri'])) {
    scope.diagnostics.push(diagnose('link/uri-braces', { uri: raw['uri'] }, at.site(['uri'])));
  }
  if (typeof raw['uriTemplate'] === 'string' && variables?.length === 0) {
    const params = { template: raw['uriTemplate'] };
    const hint = `write uri: ${raw['uriTemplate']}`;
    scope.diagnostics.push(diagnose('link/no-variables', params, at.site(['uriTemplate']), { hint }));
  }
  checkScheme('uri', item, scope);
  checkScheme('uriTemplate', item, scope);
  const isStatic = raw['file'] !== undefined || raw['text'] !== undefined;
  const inputs = variables === undefined ? undefined : inputsOfVariables(variables, at);
  const hasCall = linkCall('resource', raw, { at, inputs }, scope);
  return {
    kind: 'resource',
    ...linkItem<ResourceDefinition>(entry, item, scope),
    variables: variables ?? [],
    ...(isStatic || hasCall ? {} : { handler: linkOwnHandler(item, scope) }),
  };
}

function checkScheme(key: 'uri' | 'uriTemplate', item: Item, scope: Scope): void {
  const uri = rawOf(item)[key];
  // A template may begin with a variable, and an empty one has its diagnostic already.
  if (typeof uri !== 'string' || uri.trim() === '' || /^(?:[A-Za-z][A-Za-z0-9+.-]*:|\{)/.test(uri)) return;
  const hint = `write a scheme before it, as in ${item.name}://${uri.replace(/^\/+/, '')}`;
  scope.diagnostics.push(diagnose('link/uri-scheme', { uri }, item.at.site([key]), { hint }));
}

/** Undefined where the template is broken: then nothing can be said about its variables. */
function linkVariables(template: unknown, item: Item, scope: Scope): readonly string[] | undefined {
  if (typeof template !== 'string') return [];
  const parsed = parseUriTemplate(template);
  if ('variables' in parsed) return parsed.variables;
  scope.diagnostics.push(diagnose('link/uri-template', { reason: parsed.problem }, item.at.site(['uriTemplate'])));
  return undefined;
}
