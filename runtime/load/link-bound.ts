// X14. In: the parameters of a tool as an author wrote them. Out: which of them are bound, to what, and what is wrong with that.
import type { ConfigEntry, JsonSchema } from '../../schema/definitions.js';
import { diagnose } from '../../schema/diagnostics.js';
import { isMap, type Locator, type Path } from '../../schema/document.js';
import { isCommon } from '../../schema/json-schema/engine.js';
import { typeNames } from '../../schema/json-schema/keywords.js';
import { didYouMean } from '../../schema/nearest.js';
import { makeValidator } from '../../schema/support/validator.js';
import { aloneSchema, callerInput, sourceOf, sourcesOf } from './bound.js';
import type { Scope } from './link-item.js';
import type { Tool } from './program.js';
import type { Item } from './split.js';

type Raw = Readonly<Record<string, unknown>>;

/** Undefined where no parameter is bound. */
export function linkBound(raw: Raw, input: unknown, item: Pick<Item, 'name' | 'at'>, scope: Scope): Tool['bound'] {
  const { at } = item;
  const { parameters, output } = raw;
  if (isMap(output)) checkPlaces(output, ['output'], at, scope);
  if (!isMap(parameters)) return undefined;
  const bound: [string, string][] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    if (!isMap(parameter)) continue;
    const path = ['parameters', name];
    checkBelow(parameter, path, at, scope);
    const { from } = parameter;
    if (typeof from !== 'string' || sourceOf(from) === undefined) continue;
    bound.push([name, from]);
    checkBound(parameter, from, path, at, scope);
  }
  const [first] = bound;
  if (first === undefined) return undefined;
  const site = () => at.site(['parameters', first[0], 'from']);
  if (raw['additionalParameters'] === true)
    scope.diagnostics.push(
      diagnose('link/bound-conflict', { key: 'additionalParameters: true', from: first[1] }, site()),
    );
  const linked = { inputSchema: input as JsonSchema, bound: Object.fromEntries(bound) };
  const all = Object.fromEntries([...scope.config.keys()].map(key => [key, undefined]));
  // What is left must stand without what is taken out.
  if (isCommon(input) && isCommon(callerInput(linked, all))) checkDefaults(linked, item, scope);
  else scope.diagnostics.push(diagnose('link/bound-keyword', {}, site()));
  return linked.bound;
}

/** Only arguments of the tool itself have a name of their own. */
function checkPlaces(parameters: Raw, path: Path, at: Locator, scope: Scope): void {
  for (const [name, parameter] of Object.entries(parameters)) {
    if (!isMap(parameter)) continue;
    if (Object.hasOwn(parameter, 'from'))
      scope.diagnostics.push(diagnose('link/bound-place', {}, at.site([...path, name, 'from'], 'key')));
    checkBelow(parameter, [...path, name], at, scope);
  }
}

function checkBelow({ items, properties }: Raw, path: Path, at: Locator, scope: Scope): void {
  if (isMap(properties)) checkPlaces(properties, [...path, 'properties'], at, scope);
  if (isMap(items)) checkPlaces({ items }, path, at, scope);
}

function checkBound(parameter: Raw, from: string, path: Path, at: Locator, scope: Scope): void {
  const source = sourceOf(from);
  if (source === undefined) return;
  const site = () => at.site([...path, 'from']);
  const isAlways = source.of === 'auth';
  const conflicts = [
    ['const', true],
    ['default', isAlways],
    ['header', isAlways],
    ['required', isAlways && parameter['required'] === false],
  ] as const;
  for (const [key, isConflict] of conflicts) {
    if (!isConflict || !Object.hasOwn(parameter, key)) continue;
    scope.diagnostics.push(diagnose('link/bound-conflict', { key, from }, at.site([...path, key], 'key')));
  }
  if (source.of === 'auth') return;
  const entry = scope.config.get(source.name);
  if (entry === undefined) {
    const hint = didYouMean(source.name, [...scope.config.keys()]);
    scope.diagnostics.push(diagnose('link/unknown-binding', { key: source.name }, site(), { hint }));
  } else if (entry.secret === true) {
    scope.diagnostics.push(diagnose('link/bound-secret', { key: source.name }, site()));
  } else if (!canFit(entry, parameter['type'])) {
    const types = typeNames(parameter['type']).join(' or ');
    scope.diagnostics.push(diagnose('link/bound-type', { key: source.name, type: entry.type, types }, site()));
  }
}

/** A default counts as set: it must be a value that the parameter takes. */
function checkDefaults(
  tool: Pick<Tool, 'inputSchema' | 'bound'>,
  { name: item, at }: Pick<Item, 'name' | 'at'>,
  scope: Scope,
): void {
  const alone = makeValidator(() => aloneSchema(tool.inputSchema), 'never');
  for (const [parameter, { of, name }] of sourcesOf(tool)) {
    const value = of === 'config' ? scope.config.get(name)?.default : undefined;
    if (value === undefined || alone({ [parameter]: value })) continue;
    const params = { name, tool: item, parameter, reason: alone.errors?.[0]?.message ?? '' };
    scope.diagnostics.push(diagnose('config/unfit', params, at.site(['parameters', parameter, 'from'])));
  }
}

/** What its type alone says; the value is checked when the server starts. */
function canFit({ type }: ConfigEntry, wanted: unknown): boolean {
  const types = typeNames(wanted);
  return types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
}
