// In: the winning definition of a tool. Out: the tool with its texts, schemas and handler, and every mistake in them.
import { failureKinds } from '../../schema/backend/failures.js';
import { brokenLimit, configSchema, limitsOf } from '../../schema/config-limits.js';
import type { ConfigEntry, JsonSchema, ToolDefinition } from '../../schema/definitions.js';
import { addAll, diagnose, hasErrors, type Site } from '../../schema/diagnostics.js';
import { isMap, type Locator, type Path, printPath } from '../../schema/document.js';
import { checkSchema } from '../../schema/json-schema/check.js';
import type { SchemaSource } from '../../schema/json-schema/check-context.js';
import { didYouMean } from '../../schema/nearest.js';
import { linkBound } from './link-bound.js';
import { linkCall } from './link-call.js';
import { inputsOf } from './link-inputs.js';
import {
  checkMentionsBelow,
  type Declared,
  linkHandler,
  linkItem,
  linkOwnHandler,
  rawOf,
  type Scope,
} from './link-item.js';
import { fillingsOf, linkOutput, linkSchema } from './link-schema.js';
import { shareSchemas } from './link-shared.js';
import { checkTask } from './link-task.js';
import { checkToolTexts } from './link-tool-texts.js';
import type { Sharing, Tool } from './program.js';
import type { Item } from './split.js';

/** What a tool may ask of a client in `requires`. */
const capabilities = ['sampling', 'elicitation', 'roots', 'tasks'];
const deprecatedCapabilities = ['sampling', 'roots'];

/** Errors that the runtime gives by itself, which examples may expect without declaring them. */
const runtimeErrors: readonly string[] = [
  'BAD_ARGUMENTS',
  'TOOL_ERROR',
  'UNEXPECTED_ERROR',
  'CAPABILITY_MISSING',
  'CONFIG_MISSING',
  'IDENTITY_MISSING',
  'RESULT_TOO_LARGE',
  'BAD_OUTPUT',
  'TIMEOUT',
  'CANCELLED',
  'NOT_IMPLEMENTED',
  'NEEDS_GENERATE',
  'BUSY',
  ...failureKinds,
];

const knownAnnotations = ['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

export interface LinkedTool {
  readonly tool: Tool;
  /** Its schemas with their positions, for checking defaults and examples. */
  readonly input: SchemaSource;
  readonly output?: SchemaSource;
  /** Nothing is wrong with them, so that whole examples can be checked against them. */
  readonly hasSoundSchemas: boolean;
  /** They have defaults or examples. */
  readonly hasValues: boolean;
  readonly dialects: readonly { readonly dialect: string; site(): Site }[];
}

export function linkTool(entry: Declared, item: Item, scope: Scope): LinkedTool {
  const raw = rawOf(item);
  const { at } = item;
  const linked = linkItem<ToolDefinition>(entry, item, scope);
  const { name } = linked;
  if (name.length > 64) {
    const site = raw['name'] === undefined ? item.site() : at.site(['name']);
    scope.diagnostics.push(diagnose('link/long-name', { name, length: name.length }, site));
  }
  checkMentionsBelow(raw['guidelines'], ['guidelines'], at, scope);
  checkAnnotations(raw['annotations'], at, scope);
  checkRequires(raw['requires'], at, scope);
  checkOptions(raw['options'], at, scope);
  checkDefaults(raw, at, scope);
  checkQueue(raw, at, scope);
  checkTask(raw, at, scope);
  checkExampleErrors(raw, at, scope);
  const initialize = isMap(raw['initialize']) ? raw['initialize']['handler'] : raw['initialize'];
  linkHandler(initialize, isMap(raw['initialize']) ? ['initialize', 'handler'] : ['initialize'], at, scope);
  const before = scope.diagnostics.length;
  const sharing: { input?: Sharing; output?: Sharing } = {};
  const input = share('input', linkSchema('input', item, raw, scope));
  const written = linkOutput(item, raw, scope);
  const output = written === undefined ? undefined : share('output', written);
  checkReserved(input, raw, scope);
  const bound = linkBound(raw, input.schema, item, scope);
  const dialects = [];
  let hasValues = false;
  // Files of schemas have been read, and their form checked.
  let hasSoundSchemas = !hasErrors(scope.diagnostics.slice(before));
  for (const source of [input, output]) {
    if (source === undefined) continue;
    const checked = checkSchema(source);
    addAll(scope.diagnostics, checked.diagnostics);
    hasSoundSchemas &&= !hasErrors(checked.diagnostics);
    hasValues ||= checked.hasValues;
    if (checked.dialect !== '2020-12') {
      dialects.push({ dialect: checked.dialect, site: () => source.site(['$schema']) });
    }
  }
  if (raw['resultText'] !== undefined || raw['errors'] !== undefined)
    checkToolTexts(raw, hasSoundSchemas ? { input: input.schema, output: output?.schema } : undefined, at, scope);
  const hasCall = linkCall('tool', raw, { at, inputs: hasSoundSchemas ? inputsOf(input, raw) : undefined }, scope);
  return {
    tool: {
      kind: 'tool',
      ...linked,
      inputSchema: input.schema as JsonSchema,
      inputSite: input.site,
      ...(output === undefined ? {} : { outputSchema: output.schema as JsonSchema, outputSite: output.site }),
      ...(Object.keys(sharing).length === 0 ? {} : { sharing }),
      ...(bound === undefined ? {} : { bound }),
      filling: fillingsOf(raw),
      ...(hasCall ? {} : { handler: linkOwnHandler(item, scope) }),
    },
    input,
    ...(output === undefined ? {} : { output }),
    hasSoundSchemas,
    hasValues,
    dialects,
  };

  function share(role: 'input' | 'output', source: SchemaSource): SchemaSource {
    const { source: bundled, uses, root } = shareSchemas(source, scope);
    if (bundled.shared !== undefined) sharing[role] = { uses, ...(root === undefined ? {} : { root }) };
    return bundled;
  }
}

function checkAnnotations(annotations: unknown, at: Locator, scope: Scope): void {
  if (!isMap(annotations)) return;
  for (const name of Object.keys(annotations)) {
    if (knownAnnotations.includes(name)) continue;
    const hint = didYouMean(name, knownAnnotations);
    scope.diagnostics.push(
      diagnose('link/unknown-annotation', { name }, at.site(['annotations', name], 'key'), { hint }),
    );
  }
}

function checkRequires(requires: unknown, at: Locator, scope: Scope): void {
  if (!isMap(requires)) return;
  for (const name of Object.keys(requires)) {
    if (deprecatedCapabilities.includes(name) && !scope.config.has(name)) {
      scope.diagnostics.push(diagnose('link/deprecated-capability', { name }, at.site(['requires', name], 'key')));
    }
    if (scope.config.has(name) || capabilities.includes(name)) continue;
    const hint = didYouMean(name, [...scope.config.keys(), ...capabilities]);
    scope.diagnostics.push(
      diagnose('link/unknown-requirement', { name }, at.site(['requires', name], 'key'), { hint }),
    );
  }
}

/** J53: what `defaults` speaks of must be there, and filling in for a tool that changes things is worth a second look. */
function checkDefaults(raw: Readonly<Record<string, unknown>>, at: Locator, scope: Scope): void {
  const { defaults, parameters, inputSchema, outputSchema, effect } = raw;
  if (defaults !== 'fill' && defaults !== 'advertise') return;
  const site = (): Site => at.site(['defaults'], 'key');
  const isIdle = inputSchema === undefined && (parameters !== undefined || outputSchema === undefined);
  if (isIdle) {
    const beside = parameters === undefined ? 'nothing' : 'parameters';
    scope.diagnostics.push(diagnose('link/idle-defaults', { beside }, site()));
  } else if (defaults === 'fill' && inputSchema !== undefined && (effect === 'write' || effect === 'destructive')) {
    scope.diagnostics.push(diagnose('link/filled-write', { effect }, site()));
  }
}

/** X9: without anything to wait for nobody stands in a queue. */
function checkQueue({ limits, serial }: Readonly<Record<string, unknown>>, at: Locator, scope: Scope): void {
  if (!isMap(limits) || limits['queue'] === undefined || limits['concurrency'] !== undefined || serial !== undefined)
    return;
  scope.diagnostics.push(diagnose('link/idle-queue', {}, at.site(['limits', 'queue'], 'key')));
}

/** C6: what clients bring back in place of their user's answers is not an argument of the tool. */
function checkReserved(input: SchemaSource, raw: Readonly<Record<string, unknown>>, scope: Scope): void {
  const properties = isMap(input.schema) ? input.schema['properties'] : undefined;
  if (!isMap(properties)) return;
  const reserved = raw['confirm'] === true ? ['confirmed', '_answers', '_state'] : ['_answers', '_state'];
  for (const name of reserved) {
    if (!Object.hasOwn(properties, name)) continue;
    const use = name === 'confirmed' ? 'consent' : 'answers';
    scope.diagnostics.push(diagnose('link/reserved-parameter', { name, use }, input.site(['properties', name], 'key')));
  }
}

function checkOptions(options: unknown, at: Locator, scope: Scope): void {
  if (!isMap(options)) return;
  for (const [name, option] of Object.entries(options)) checkDefault(option, ['options', name], at, scope);
}

/**
 * The default of an option or a config key is one of the values that are allowed, as are the items of a list of config; its type is
 * the schema's business.
 */
export function checkDefault(
  entry: unknown,
  path: Path,
  at: Locator,
  scope: Pick<Scope, 'diagnostics'>,
  isOfConfig = false,
): void {
  if (!isMap(entry) || !Object.hasOwn(entry, 'default') || !Array.isArray(entry['enum'])) return;
  const { default: given, enum: allowed } = entry;
  const values = isOfConfig && Array.isArray(given) ? given : [given];
  const wrong = values.findIndex(value => !allowed.includes(value));
  if (wrong < 0) return;
  const value = values[wrong];
  const hint = typeof value === 'string' ? didYouMean(value, allowed.map(String)) : undefined;
  const extras = { severity: 'error', hint } as const;
  const site = at.site([...path, 'default', ...(values === given ? [wrong] : [])]);
  scope.diagnostics.push(diagnose('schema/invalid-default', { reason: 'it is not in enum' }, site, extras));
}

/** Limits of a config key are keywords of JSON Schema, and its default must be within them. */
export function checkLimits(
  entry: ConfigEntry,
  path: Path,
  at: Locator,
  { diagnostics }: Pick<Scope, 'diagnostics'>,
): void {
  if (limitsOf(entry) === undefined) return;
  const { enum: _, ...bare } = entry;
  const { diagnostics: found } = checkSchema({
    schema: { type: 'object', properties: { value: configSchema(bare) } },
    role: 'output',
    style: 'shorthand',
    filling: 'never',
    name: printPath(path),
    // Limits of the items of a list stand beside its own.
    site: (inside, side) => at.site([...path, ...inside.slice(2).filter(step => step !== 'items')], side),
  });
  addAll(diagnostics, found);
  const broken = entry.default === undefined || hasErrors(found) ? undefined : brokenLimit(entry, entry.default);
  if (broken === undefined) return;
  const site = at.site([...path, 'default']);
  diagnostics.push(
    diagnose('schema/invalid-default', { reason: `must be ${broken}, not ${JSON.stringify(entry.default)}` }, site, {
      severity: 'error',
    }),
  );
}

function checkExampleErrors(raw: Readonly<Record<string, unknown>>, at: Locator, scope: Scope): void {
  if (!Array.isArray(raw['examples'])) return;
  const declared = isMap(raw['errors']) ? Object.keys(raw['errors']) : [];
  for (const [index, example] of raw['examples'].entries()) {
    if (!isMap(example) || typeof example['error'] !== 'string') continue;
    const code = example['error'];
    if (declared.includes(code) || runtimeErrors.includes(code)) continue;
    const params = { example: String(example['name'] ?? index + 1), code };
    const hint = didYouMean(code, [...declared, ...runtimeErrors]);
    scope.diagnostics.push(diagnose('example/error', params, at.site(['examples', index, 'error']), { hint }));
  }
}
