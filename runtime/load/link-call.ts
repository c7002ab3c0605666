// B1-B4. In: what stands in place of a handler (`http`, `sql`, `exec`, `mcp`), and what is known of the arguments. Out: every mistake in its
// placeholders: unknown, unused, in the wrong place, of a type that does not fit, or able to become an option.
import {
  type Backends,
  type CallKind,
  callKindOf,
  findBackend,
  type PlacedText,
  placeRules,
  readHttpCall,
  textsOfCall,
} from '../../schema/backend/calls.js';
import { findLooseArguments } from '../../schema/backend/exec-args.js';
import { parseSql, type SqlDialect, sqlPlaceholdersOf } from '../../schema/backend/sql-text.js';
import { parseText, placeholdersOf } from '../../schema/backend/text.js';
import type { BackendDefinition, ExecCall, Kind } from '../../schema/definitions.js';
import { diagnose, type Site } from '../../schema/diagnostics.js';
import { asList, asMap, isMap, type Locator } from '../../schema/document.js';
import type { SchemaSource } from '../../schema/json-schema/check-context.js';
import { didYouMean } from '../../schema/nearest.js';
import type { Scope } from './link-item.js';

/** What placeholders may name, and what is known about it. */
export interface Inputs {
  readonly names: ReadonlyMap<string, Input>;
  /** Others may come, too. */
  readonly isOpen: boolean;
}

interface Input {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly isOptional?: boolean;
  site(): Site;
}

type Raw = Readonly<Record<string, unknown>>;

export interface CallSite {
  readonly at: Locator;
  /** Undefined: nothing can be said about names, because the schema is wrong. */
  readonly inputs: Inputs | undefined;
}

interface Linking extends CallSite {
  readonly kind: CallKind;
  readonly scope: Scope;
  /** Names that are used so far, and whether one of them is misspelt: that another is unused is not a second mistake then. */
  readonly used: Set<string>;
  hasUnknown: boolean;
}

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
  const backend = linkBackend(call, linking);
  for (const text of textsOfCall(kind, call)) linkText(text, linking);
  if (kind === 'exec') linkProgram(asMap(call), linking);
  if (kind === 'http') linkRequest(call, linking);
  if (kind === 'sql') linkStatement(asMap(call)['text'], backend, linking);
  // A forwarded item takes what the other server's takes, and `rest` takes what is left.
  const takesAll = linking.hasUnknown || kind === 'mcp' || (kind === 'http' && readHttpCall(call).body === 'rest');
  for (const [name, { site: place }] of (takesAll ? undefined : inputs?.names) ?? [])
    if (!linking.used.has(name))
      scope.diagnostics.push(diagnose('backend/unused-parameter', { name, key: kind }, place()));
  return true;
}

/** Of a tool, from the schema of its parameters. */
export function inputsOf(input: SchemaSource, raw: Raw): Inputs | undefined {
  const { schema } = input;
  if (!isMap(schema)) return undefined;
  const { properties, additionalProperties, required } = schema;
  const names = Object.entries(isMap(properties) ? properties : {}).map(([name, one]): [string, Input] => {
    const about = isMap(one) ? one : {};
    const isFilled = Object.hasOwn(about, 'default') && (raw['parameters'] !== undefined || raw['defaults'] === 'fill');
    return [
      name,
      {
        schema: about,
        isOptional: !asList(required).includes(name) && !isFilled,
        site: () => input.site(['properties', name], 'key'),
      },
    ];
  });
  const isClosed =
    additionalProperties === false || (raw['parameters'] !== undefined && raw['additionalParameters'] !== true);
  return { names: new Map(names), isOpen: !isClosed };
}

/** Of a resource: the variables of its template, which are strings. */
export function inputsOfVariables(variables: readonly string[], at: Locator): Inputs {
  const site = (): Site => at.site(['uriTemplate']);
  return { names: new Map(variables.map(name => [name, { schema: { type: 'string' }, site }])), isOpen: false };
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

function linkProgram(exec: Raw, linking: Linking): void {
  const { at, scope } = linking;
  const { command } = exec;
  // The program is the author's choice alone.
  for (const { tag, nth, of } of placeholdersOf(parseText(typeof command === 'string' ? command : '').parts)) {
    const what = of === 'config' ? 'a setting' : 'an argument';
    const params = { tag, what, place: 'the name of a program' };
    scope.diagnostics.push(diagnose('backend/wrong-place', params, at.find(['exec', 'command'], tag, nth)));
  }
  linkArguments(asList(exec['args']) as NonNullable<ExecCall['args']>, linking);
}

function linkArguments(args: NonNullable<ExecCall['args']>, linking: Linking): void {
  const { at, scope, inputs, used } = linking;
  const isCondition = (one: unknown): boolean =>
    isMap(one) && typeof one['if'] === 'string' && Array.isArray(one['args']);
  const sound = args.filter(one => typeof one === 'string' || isCondition(one));
  // What is not of this form has its diagnostic already.
  if (sound.length < args.length) return;
  for (const [index, one] of args.entries()) {
    if (typeof one === 'string') continue;
    used.add(one.if);
    findInput(one.if, () => at.site(['exec', 'args', index, 'if']), linking);
  }
  // A name that does not exist has its diagnostic already.
  const isUnknown = (name: string): boolean => inputs?.isOpen === false && !inputs.names.has(name);
  const isSafe = (name: string): boolean => isUnknown(name) || cannotBeOption(inputs?.names.get(name)?.schema);
  for (const { path, placeholder, reason } of findLooseArguments(args, isSafe)) {
    const { tag, nth } = placeholder;
    const site = at.find(['exec', 'args', ...path], tag, nth);
    scope.diagnostics.push(diagnose('backend/loose-argument', { tag, reason }, site));
  }
}

/** Whether no value of a parameter begins with a dash. */
function cannotBeOption(schema: Input['schema'] | undefined): boolean {
  if (schema === undefined) return false;
  const { type, minimum, exclusiveMinimum, enum: allowed, const: only } = schema;
  if (Array.isArray(allowed)) return allowed.every(value => !printed(value).startsWith('-'));
  if (only !== undefined) return !printed(only).startsWith('-');
  if (type === 'boolean') return true;
  const least = typeof minimum === 'number' ? minimum : exclusiveMinimum;
  return (type === 'integer' || type === 'number') && typeof least === 'number' && least >= 0;
}

/** Objects have no text worth a look. */
function printed(value: unknown): string {
  return typeof value === 'object' ? '-' : String(value);
}

function linkRequest(call: unknown, { at, scope, inputs }: Linking): void {
  const { path, url } = readHttpCall(call);
  const where = typeof call === 'string' ? ['http'] : ['http', 'path'];
  for (const { of, name, tag, nth } of placeholdersOf(parseText(typeof path === 'string' ? path : '').parts)) {
    if (of === 'argument' && inputs?.names.get(name)?.isOptional === true)
      scope.diagnostics.push(diagnose('backend/optional-segment', { name }, at.find(where, tag, nth)));
  }
  const { parts } = parseText(typeof url === 'string' ? url : '');
  if (parts.length > 1)
    scope.diagnostics.push(diagnose('backend/shared-address', { text: String(url) }, at.site(['http', 'url'])));
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
  for (const { as, name, tag, nth } of sqlPlaceholdersOf(parts)) {
    const site = (): Site => at.find(path, tag, nth);
    used.add(name);
    const input = findInput(name, site, linking);
    if (as === 'bind' || input === undefined) continue;
    const allowed = input.schema['enum'];
    const isListed = Array.isArray(allowed) && allowed.every(value => typeof value === 'string' && value !== '');
    if (!isListed) scope.diagnostics.push(diagnose('backend/identifier', { tag, name }, site()));
  }
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
    const isLone = parts.length === 1;
    if (isLone && (rule.lone === 'anything' || (rule.lone === 'list' && type === 'array'))) continue;
    const shown = type === 'array' ? 'a list' : 'an object';
    scope.diagnostics.push(diagnose('backend/unfit-type', { name, type: shown, place: rule.words }, site()));
  }
}

/** Undefined where there is no such key, which is then reported. */
export function findKey(
  name: string,
  site: () => Site,
  { config, diagnostics }: Pick<Scope, 'config' | 'diagnostics'>,
): { readonly secret?: boolean } | undefined {
  const entry = config.get(name);
  if (entry !== undefined) return entry;
  const hint = didYouMean(name, [...config.keys()]);
  diagnostics.push(diagnose('backend/unknown-config', { name }, site(), { hint }));
  return undefined;
}

/** What is known about an argument; undefined where nothing is, which is reported where it is a mistake. */
function findInput(name: string, site: () => Site, linking: Linking): Input | undefined {
  const { inputs, scope } = linking;
  const known = inputs?.names.get(name);
  if (known !== undefined || inputs === undefined || inputs.isOpen) return known;
  const hint = scope.config.has(name) ? `did you mean {config.${name}}?` : didYouMean(name, [...inputs.names.keys()]);
  scope.diagnostics.push(diagnose('backend/unknown-placeholder', { name }, site(), { hint }));
  linking.hasUnknown = true;
  return undefined;
}
