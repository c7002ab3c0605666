// B1-B4. In: what stands in place of a handler (`http`, `sql`, `exec`, `mcp`), and what is known of the arguments. Out: every mistake in its
// placeholders: unknown, unused, in the wrong place, of a type that does not fit, or able to become an option.
import {
  type Backends,
  callKindOf,
  findBackend,
  type PlacedText,
  placeRules,
  readHttpCall,
  textsOfCall,
} from '../../schema/backend/calls.js';
import {
  parseSql,
  type SqlDialect,
  type SqlPart,
  type SqlPlaceholder,
  sqlPlaceholdersOf,
} from '../../schema/backend/sql-text.js';
import { parseText, placeholdersOf } from '../../schema/backend/text.js';
import type { BackendDefinition, Kind } from '../../schema/definitions.js';
import { diagnose, type Site } from '../../schema/diagnostics.js';
import { asMap, isMap, type Path } from '../../schema/document.js';
import { didYouMean } from '../../schema/nearest.js';
import { type CallSite, findInput, findKey, type Linking, type Raw } from './link-inputs.js';
import type { Scope } from './link-item.js';
import { linkMatches } from './link-matches.js';
import { linkProgram } from './link-program.js';

/** Keys that only a handler reads, by kind of item. */
const handlerKeys: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  tool: ['isolate', 'initialize', 'options'],
  prompt: ['onError'],
};

/** Whether something stands in place of the handler of an item. */
export function linkCall(item: Kind, raw: Raw, site: CallSite, scope: Scope): boolean {
  const kind = callKindOf(raw);
  if (kind === undefined) return false;
  const { at, inputs } = site;
  for (const key of handlerKeys[item] ?? [])
    if (raw[key] !== undefined)
      scope.diagnostics.push(diagnose('backend/idle-key', { key, beside: kind }, at.site([key], 'key')));
  const linking: Linking = { at, inputs, kind, scope, used: new Set(), hasUnknown: false };
  const call = raw[kind];
  // What has another form has its diagnostic already, and nothing in it can be said to be missing.
  if (!isMap(call) && !(kind === 'http' && typeof call === 'string')) return true;
  const backend = linkBackend(call, linking);
  for (const text of textsOfCall(kind, call)) linkText(text, linking);
  linkNames(call, [kind], linking);
  if (kind === 'exec') linkProgram(asMap(call), linking);
  if (kind === 'http') linkRequest(call, linking);
  if (kind === 'sql') linkStatement(asMap(call)['text'], backend, linking);
  linkMatches({ kind, raw, backend, at }, scope);
  // A forwarded item takes what the other server's takes, and `rest` takes what is left.
  const takesAll = linking.hasUnknown || kind === 'mcp' || (kind === 'http' && readHttpCall(call).body === 'rest');
  for (const [name, { site: place }] of (takesAll ? undefined : inputs?.names) ?? [])
    if (!linking.used.has(name))
      scope.diagnostics.push(diagnose('backend/unused-parameter', { name, key: kind }, place()));
  return true;
}

/** Names of members, headers and variables are the author's: what looks like a parameter there would be sent as it is written. */
function linkNames(value: unknown, path: Path, linking: Linking): void {
  if (Array.isArray(value)) for (const [index, one] of value.entries()) linkNames(one, [...path, index], linking);
  if (!isMap(value)) return;
  const { at, scope, inputs } = linking;
  for (const [key, one] of Object.entries(value)) {
    const inside = [...path, key];
    for (const { of, name, tag } of placeholdersOf(parseText(key).parts)) {
      if (of === 'config' ? !scope.config.has(name) : inputs?.names.has(name) !== true) continue;
      const reason = 'stands in a name, where nothing is filled in';
      scope.diagnostics.push(diagnose('backend/quoted-placeholder', { tag, reason }, at.site(inside, 'key')));
    }
    linkNames(one, inside, linking);
  }
}

/** The backend that is meant; undefined where it needs none, or a wrong one, which is reported. */
function linkBackend(call: unknown, { kind, at, scope }: Linking): BackendDefinition | undefined {
  const backends: Backends = scope.backends;
  const found = findBackend(kind, call, backends);
  if (found === undefined || found.problem === undefined) return found?.definition;
  const name = String(asMap(call)['backend']);
  const named = (): Site => at.site([kind, 'backend']);
  if (found.problem === 'unknown') {
    const hint = didYouMean(name, found.ofKind.length === 0 ? Object.keys(backends) : found.ofKind);
    scope.diagnostics.push(diagnose('backend/unknown', { name }, named(), { hint }));
  } else if (found.problem === 'type') {
    const type = backends[name]?.type ?? '';
    scope.diagnostics.push(diagnose('backend/wrong-type', { name, type, key: kind }, named()));
  } else {
    const { ofKind } = found;
    const hint = ofKind.length === 0 ? undefined : `there are ${ofKind.join(', ')}`;
    scope.diagnostics.push(
      diagnose('backend/not-named', { key: kind, count: ofKind.length }, at.site([kind], 'key'), { hint }),
    );
  }
  return undefined;
}

function linkRequest(call: unknown, { at, scope, inputs }: Linking): void {
  const { path, url, headers } = readHttpCall(call);
  const where = typeof call === 'string' ? ['http'] : ['http', 'path'];
  for (const { of, name, tag, nth } of placeholdersOf(parseText(typeof path === 'string' ? path : '').parts)) {
    if (of === 'argument' && inputs?.names.get(name)?.isOptional === true)
      scope.diagnostics.push(diagnose('backend/optional-segment', { name }, at.find(where, tag, nth)));
  }
  const { parts } = parseText(typeof url === 'string' ? url : '');
  if (parts.length > 1)
    scope.diagnostics.push(diagnose('backend/shared-address', { text: String(url) }, at.site(['http', 'url'])));
  // With a backend, the address is at its origin.
  const isAnywhere = placeholdersOf(parts).length > 0 && asMap(call)['backend'] === undefined;
  for (const { path: header, text } of isAnywhere ? textsOfCall('http', { headers }) : [])
    for (const { of, name, tag, nth } of placeholdersOf(parseText(text).parts)) {
      if (of !== 'config' || scope.config.get(name)?.secret !== true) continue;
      const params = { tag, what: 'a secret', place: 'a request to an address that an argument chooses' };
      scope.diagnostics.push(diagnose('backend/wrong-place', params, at.find(header, tag, nth)));
    }
}

/** B2: binds and identifiers. A statement may be meant for either database. */
function linkStatement(text: unknown, backend: BackendDefinition | undefined, linking: Linking): void {
  if (typeof text !== 'string') return;
  const { at, scope, used } = linking;
  const path = ['sql', 'text'];
  const { parts, problems } = parseSql(text, dialectOf(backend));
  for (const { kind, tag, nth, reason } of problems) {
    const code = kind === 'in-literal' ? 'backend/quoted-placeholder' : 'backend/statement';
    const site = kind === 'empty' ? at.site(path) : at.find(path, tag, nth);
    scope.diagnostics.push(diagnose(code, { tag, reason }, site));
  }
  for (const { as, name, tag, nth } of placeholdersOfAny(text, parts, dialectOf(backend))) {
    const site = (): Site => at.find(path, tag, nth);
    used.add(name);
    const input = findInput(name, site, linking);
    // A name that does not exist has its diagnostic already, unless any name may come.
    if (as === 'bind' || (input === undefined && linking.inputs?.isOpen !== true)) continue;
    const allowed = input?.schema['enum'];
    const isListed = Array.isArray(allowed) && allowed.every(value => typeof value === 'string' && value !== '');
    if (!isListed) scope.diagnostics.push(diagnose('backend/identifier', { tag, name }, site()));
  }
}

/** Where either database is possible, what is a comment or a literal for one may be an identifier for the other. */
function placeholdersOfAny(
  text: string,
  parts: readonly SqlPart[],
  dialect: SqlDialect | undefined,
): readonly SqlPlaceholder[] {
  const found = sqlPlaceholdersOf(parts);
  if (dialect !== undefined) return found;
  const others = (['postgres', 'sqlite'] as const).flatMap(one => sqlPlaceholdersOf(parseSql(text, one).parts));
  const places = new Map(others.concat(found).map(one => [`${one.tag} ${one.nth}`, one]));
  return [...places.values()];
}

function dialectOf(backend: BackendDefinition | undefined): SqlDialect | undefined {
  return backend?.type === 'sqlite' || backend?.type === 'postgres' ? backend.type : undefined;
}

function linkText({ place, path, text }: PlacedText, linking: Linking): void {
  const { scope, at, used } = linking;
  const { parts, problems } = parseText(text);
  const rule = placeRules[place];
  for (const { tag, nth, reason } of problems)
    scope.diagnostics.push(diagnose('backend/syntax', { tag, reason }, at.find(path, tag, nth)));
  for (const { of, name, tag, nth } of placeholdersOf(parts)) {
    const site = (): Site => at.find(path, tag, nth);
    const wrong = (what: string): void => {
      scope.diagnostics.push(diagnose('backend/wrong-place', { tag, what, place: rule.words }, site()));
    };
    if (of === 'config') {
      const isSecret = findKey(name, site, scope)?.secret === true;
      if (!rule.takes.includes('config')) wrong('a setting');
      else if (isSecret && !rule.takes.includes('secret')) wrong('a secret');
      continue;
    }
    used.add(name);
    if (!rule.takes.includes('argument')) {
      wrong('an argument');
      continue;
    }
    const type = findInput(name, site, linking)?.schema['type'];
    if (type !== 'object' && type !== 'array') continue;
    // In a path each value is encoded for itself.
    const isLone = parts.length === 1 || place === 'path';
    if (isLone && (rule.lone === 'anything' || (rule.lone === 'list' && type === 'array'))) continue;
    const shown = type === 'array' ? 'a list' : 'an object';
    scope.diagnostics.push(diagnose('backend/unfit-type', { name, type: shown, place: rule.words }, site()));
  }
}
