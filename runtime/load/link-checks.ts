// In: the linked items of a pack. Out: where they contradict each other or what toolwright.yaml says of them: declared names, scopes,
// pages of tools (`ui.resourceUri`) that no resource has.
import { handledKinds, type Kind, kinds } from '../../schema/definitions.js';
import { type Diagnostic, diagnose, type Site } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { makePattern, printName } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import { makeUriMatcher } from '../../schema/uri-template-match.js';
import { sourcesOf } from './bound.js';
import type { Listed, Program, Prompt, Resource, Schema, Server, Tool } from './program.js';
import type { Catalog } from './resolve.js';

/** The names that a definition has, and whether a declared one is among them. */
interface Known {
  readonly names: readonly string[];
  has(name: string): boolean;
}

type Item = Server | Tool | Prompt | Resource | Schema;

/**
 * W3: what toolwright.yaml says about an item beside its name. Names and addresses that the definitions do not have would mislead anyone
 * who only looks at the list.
 */
export function checkDeclared(catalog: Catalog, program: Omit<Program, 'pack'>): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const kind of kinds) {
    const declared = catalog[kind].filter(({ declaration }) => declaration?.more !== undefined);
    if (declared.length === 0) continue;
    const items = new Map<string, Item>(itemsOf(kind, program).map(item => [item.item, item]));
    for (const { name, declaration } of declared) {
      const item = items.get(name);
      const more = declaration?.more;
      // A broken definition has its diagnostic already.
      if (item === undefined || more === undefined) continue;
      for (const [key, known] of Object.entries(knownTo(item))) {
        const list = Object.hasOwn(more.value, key) ? more.value[key] : undefined;
        for (const [index, declaredName] of (Array.isArray(list) ? list : []).entries()) {
          if (typeof declaredName !== 'string' || known.has(declaredName)) continue;
          const params = { kind, item: name, part: key.slice(0, -1), name: declaredName };
          const hint = didYouMean(declaredName, known.names);
          found.push(diagnose('link/declared-name', params, more.at.site([key, index]), { hint }));
        }
      }
      const { uri } = more.value;
      const actual = item.kind === 'resource' ? (item.definition.uri ?? item.definition.uriTemplate) : undefined;
      if (typeof uri === 'string' && actual !== undefined && uri !== actual)
        found.push(diagnose('link/declared-uri', { item: name, uri, actual }, more.at.site(['uri'])));
    }
  }
  return found;
}

function itemsOf(kind: Kind, program: Omit<Program, 'pack'>): readonly Item[] {
  return program[`${kind}s`];
}

function knownTo(item: Item): Readonly<Record<string, Known>> {
  switch (item.kind) {
    case 'tool': {
      const { properties } = item.inputSchema;
      return { parameters: among(isMap(properties) ? Object.keys(properties) : []) };
    }
    case 'prompt':
      return { arguments: among(item.arguments.map(({ name }) => name)) };
    case 'server':
      return Object.fromEntries(handledKinds.map(kind => [`${kind}s`, listedBy(item[`${kind}s`])]));
    case 'resource':
    case 'schema':
      return {};
  }
}

function among(names: readonly string[]): Known {
  return { names, has: name => names.includes(name) };
}

/** Items of other packs may be called by their qualified or by their item name; of a pattern nobody knows what it matches. */
function listedBy(list: readonly Listed[]): Known {
  const own = list.flatMap(one => (one.from === 'own' ? [one.item] : []));
  const foreign = list.flatMap(one => (one.from === 'foreign' ? [one.reference] : []));
  const names = [...own, ...foreign.map(({ item }) => item).filter(item => !item.includes('*'))];
  const fits = foreign.flatMap(reference => [makePattern(reference.item), makePattern(printName(reference))]);
  const wireNames = list.flatMap(one => (one.from === 'own' ? [one.name] : []));
  return {
    names,
    has: name => names.includes(name) || wireNames.includes(name) || fits.some(matches => matches(name)),
  };
}

/** F4: scopes of tools mean something only where callers of a server have tokens with scopes. */
export function checksScopes(auth: { readonly type?: unknown } | undefined): boolean {
  return auth?.type === 'oauth';
}

/**
 * Whether a tool must not be served, since nobody would compare its scopes. A tool of another pack may be served over stdio,
 * where nobody but the owner of the process calls: who composes the server cannot change the tool, and a call over HTTP is
 * refused all the same.
 */
export function isUnchecked(tool: Pick<Tool, 'definition'>, { definition }: Server, whose: 'own' | 'foreign'): boolean {
  if (checksScopes(definition.auth) || tool.definition.enabled === false) return false;
  return scopesOf(tool).length > 0 && (whose === 'own' || definition.transport === 'http');
}

/** One diagnostic for each tool of the pack, with all servers of the pack that cannot check it. */
export function findUncheckedScopes(tools: readonly Tool[], servers: readonly Server[]): readonly Diagnostic[] {
  const scoped = new Map(tools.filter(tool => scopesOf(tool).length > 0).map(tool => [tool.item, tool]));
  if (scoped.size === 0) return [];
  const unchecked = new Map<Tool, Server[]>();
  for (const server of servers) {
    for (const listed of server.tools) {
      const tool = listed.from === 'own' ? scoped.get(listed.item) : undefined;
      if (tool !== undefined && isUnchecked(tool, server, 'own'))
        unchecked.set(tool, [...(unchecked.get(tool) ?? []), server]);
    }
  }
  return [...unchecked].map(([tool, all]) => {
    const params = { tool: tool.item, servers: all.map(serverWithFile) };
    const related = all.map(server => ({ ...authSite(server), message: `the server ${server.item}` }));
    return diagnose('link/unchecked-scopes', params, tool.at.site(['scopes'], 'key'), { related });
  });
}

/** X14: tools that nobody can call, since the server never learns who calls, or only by a shared token. */
export function findUnboundIdentity(tools: readonly Tool[], servers: readonly Server[]): readonly Diagnostic[] {
  return tools.flatMap(tool =>
    sourcesOf(tool).flatMap(([parameter, { of, name }]) => {
      if (of !== 'auth') return [];
      const lacking = servers.filter(({ tools: list, definition: { auth } }) => {
        const hasIt = checksScopes(auth) || (auth !== undefined && name === 'clientId');
        return !hasIt && list.some(line => line.from === 'own' && line.item === tool.item);
      });
      if (lacking.length === 0) return [];
      const params = { tool: tool.item, from: `auth.${name}`, servers: lacking.map(serverWithFile) };
      return [diagnose('link/unbound-identity', params, tool.at.site(['parameters', parameter, 'from']))];
    }),
  );
}

/** A tool of another pack, at the place where the server names it. */
export function uncheckedForeign(tool: Tool, server: Server, site: Site): Diagnostic {
  const params = { tool: tool.item, servers: [serverWithFile(server)] };
  const related = [{ ...tool.at.site(['scopes'], 'key'), message: 'its scopes' }];
  const hint = 'give the server `auth: { type: oauth, issuer: ..., audience: ... }`, or remove the tool from its list';
  return diagnose('link/unchecked-scopes', params, site, { hint, related });
}

/** With its file: that is where `auth` is missing. */
function serverWithFile({ item, file }: Server): string {
  return `${item} (${file})`;
}

function authSite({ at, definition }: Server): Site {
  return definition.auth === undefined ? at.site([]) : at.site(['auth'], 'key');
}

/** Of a malformed tool too. */
function scopesOf({ definition }: Pick<Tool, 'definition'>): readonly string[] {
  const scopes: unknown = definition.scopes;
  return Array.isArray(scopes) ? scopes : [];
}

/** Whether a server has resources of other packs. */
export function takesResources({ resources }: Server): boolean {
  return resources.some(({ from }) => from === 'foreign');
}

/** Addresses of resources; definitions that are broken in other ways count too. */
interface Addresses {
  readonly definition: unknown;
}

/** A client that shows the page would ask for it in vain. */
export function findLostPages(
  tools: readonly Pick<Tool, 'definition' | 'at'>[],
  resources: Iterable<Addresses>,
): readonly Diagnostic[] {
  const pages = tools.flatMap(({ definition, at }) => {
    const uri = isMap(definition.ui) ? definition.ui['resourceUri'] : undefined;
    return typeof uri === 'string' ? [{ uri, at }] : [];
  });
  if (pages.length === 0) return [];
  const texts = (key: 'uri' | 'uriTemplate'): readonly string[] =>
    [...resources].flatMap(({ definition }) => {
      const text = isMap(definition) ? definition[key] : undefined;
      return typeof text === 'string' ? [text] : [];
    });
  const uris = new Set(texts('uri'));
  const templates = texts('uriTemplate');
  return pages
    .filter(({ uri }) => !uris.has(uri) && !templates.some(template => fitsTemplate(uri, template)))
    .map(({ uri, at }) =>
      diagnose('link/unknown-page', { uri }, at.site(['ui', 'resourceUri']), { hint: didYouMean(uri, uris) }),
    );
}

/** A template that is broken has its own diagnostic, and may mean anything. */
function fitsTemplate(uri: string, template: string): boolean {
  try {
    return makeUriMatcher(template)(uri) !== undefined;
  } catch {
    return true;
  }
}
