// In: an entry of a list. Out: the definition of an item that is listed the same way, and what of the entry no definition can say.
import type { HandledKind } from '../../../schema/definitions.js';
import { startOf } from '../../../schema/diagnostics.js';
import { isMap, type Locator, type Path, printPath, setOwn } from '../../../schema/document.js';
import { checkSchema } from '../../../schema/json-schema/check.js';
import type { SchemaSource } from '../../../schema/json-schema/check-context.js';
import { validate } from '../../../schema/validate/validate.js';
import { plainText } from '../plain-text.js';
import type { ServerEntry } from './entries.js';

export type Definition = Readonly<Record<string, unknown>>;

/** A part of an entry that is not in the definition. */
export interface Loss {
  readonly key: string;
  readonly reason: string;
  readonly isHarmless?: boolean;
}

export type ReadDefinition =
  | { readonly definition: Definition; readonly losses: readonly Loss[] }
  | { readonly problem: string };

/** Members of an entry that definitions of the kind have under the same name, in the order in which definitions are written. */
const carried: Readonly<Record<HandledKind, readonly string[]>> = {
  tool: ['title', 'description', 'inputSchema', 'outputSchema', 'annotations', 'icons', '_meta'],
  prompt: ['title', 'description', 'arguments', 'icons', '_meta'],
  resource: ['uri', 'uriTemplate', 'title', 'description', 'mimeType', 'size', 'annotations', 'icons', '_meta'],
};

/** Without these an entry is of no use. */
const needed: ReadonlySet<string> = new Set(['inputSchema', 'uri', 'uriTemplate']);

/** Where there is nothing else to say than that nobody would see it. */
const unlisted = 'packs list no such member';

/** Without names of any kind, conditions and what does the work. */
export function readDefinition({ kind, raw }: ServerEntry): ReadDefinition {
  const losses: Loss[] = [];
  const definition: Record<string, unknown> = {};
  for (const key of carried[kind]) if (raw[key] !== undefined && raw[key] !== null) definition[key] = raw[key];
  for (const key of Object.keys(raw)) {
    if (key === 'name' || carried[kind].includes(key) || raw[key] === undefined) continue;
    if (key !== 'execution') losses.push({ key, reason: unlisted });
    else if (!isPlainExecution(raw[key]))
      losses.push({ key, reason: 'the other server is called without tasks', isHarmless: true });
  }
  if (kind === 'tool' && definition['inputSchema'] === undefined) return { problem: 'it has no input schema' };
  if (kind === 'prompt') readArguments(definition, losses);
  const problem =
    readText(definition, losses) ?? checkSchemas(kind, definition, losses) ?? dropMisfits(kind, definition, losses);
  return problem === undefined ? { definition, losses } : { problem };
}

/** Never as a task is what it means where nothing is said. */
function isPlainExecution(execution: unknown): boolean {
  if (!isMap(execution)) return false;
  const { taskSupport = 'forbidden', ...others } = execution;
  return taskSupport === 'forbidden' && Object.keys(others).length === 0;
}

function readText(definition: Record<string, unknown>, losses: Loss[]): undefined {
  const { description } = definition;
  if (typeof description !== 'string') return;
  const { text, isChanged } = plainText(description);
  if (isChanged) losses.push({ key: 'description', reason: 'a tag behind a backslash cannot be written' });
  definition['description'] = text;
}

/** A list on the wire, a map in a definition. */
function readArguments(definition: Record<string, unknown>, losses: Loss[]): void {
  const { arguments: list } = definition;
  if (list === undefined) return;
  delete definition['arguments'];
  if (!Array.isArray(list)) {
    losses.push({ key: 'arguments', reason: 'they are not a list' });
    return;
  }
  const found = {};
  for (const one of list as readonly unknown[]) {
    const { name, title, description, required, ...others } = isMap(one) ? one : {};
    if (typeof name !== 'string' || name === '' || Object.hasOwn(found, name)) {
      losses.push({ key: 'arguments', reason: 'one of them has no name, or the name of another one' });
      continue;
    }
    for (const key of Object.keys(others)) losses.push({ key: `arguments.${name}.${key}`, reason: unlisted });
    const entries = Object.entries({ title, description, required }).filter(([, value]) => value !== undefined);
    setOwn(found, name, Object.fromEntries(entries));
  }
  if (Object.keys(found).length > 0) definition['arguments'] = found;
}

/** A tool with an input that nobody can read is of no use; an output is only a promise. */
function checkSchemas(kind: HandledKind, definition: Record<string, unknown>, losses: Loss[]): string | undefined {
  if (kind !== 'tool') return undefined;
  const { inputSchema, outputSchema } = definition;
  const problem = problemOf(inputSchema, 'input');
  if (problem !== undefined) return `its input schema cannot be used: ${problem}`;
  const wrong = outputSchema === undefined ? undefined : problemOf(outputSchema, 'output');
  if (wrong === undefined) return undefined;
  delete definition['outputSchema'];
  losses.push({ key: 'outputSchema', reason: wrong });
  return undefined;
}

function problemOf(schema: unknown, role: 'input' | 'output'): string | undefined {
  if (!isMap(schema)) return 'it is not an object';
  const source: SchemaSource = {
    role,
    schema,
    style: 'raw',
    filling: 'never',
    name: role,
    site: path => startOf(printPath(path)),
    sharedNames: { has: () => false, suggest: () => undefined },
  };
  const form = validate('tool', { [`${role}Schema`]: schema }, pathLocator());
  const found = [...form, ...checkSchema(source).diagnostics].find(({ severity }) => severity === 'error');
  return found?.message;
}

/** What is not as definitions want it goes, from the inside out: a hint that is not a boolean costs no other hint. */
function dropMisfits(kind: HandledKind, definition: Record<string, unknown>, losses: Loss[]): string | undefined {
  for (let tries = 0; tries < mostMisfits; tries += 1) {
    const paths: Path[] = [];
    const found = validate(kind, definition, pathLocator(paths)).find(({ severity }) => severity === 'error');
    if (found === undefined) return undefined;
    const path = paths[Number(found.line) - 1] ?? [];
    const [key] = path;
    if (key === undefined || needed.has(String(key))) return found.message;
    definition[String(key)] = without(definition[String(key)], path.slice(1));
    if (definition[String(key)] === undefined) delete definition[String(key)];
    losses.push({ key: printPath(path), reason: found.message });
  }
  return `more than ${mostMisfits} of its members are not as they should be`;
}

const mostMisfits = 50;

/** The line of a site is the number of the path that was asked for. */
function pathLocator(paths: Path[] = []): Locator {
  const site = (path: Path) => {
    paths.push(path);
    const line = paths.length;
    return { file: '', line, column: 1, endLine: line, endColumn: 1 };
  };
  return { site, find: site, source: () => undefined };
}

/** Undefined where nothing is left. */
function without(value: unknown, path: Path): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return undefined;
  if (Array.isArray(value)) {
    const changed = value.flatMap((one, index) => (index === step ? (without(one, rest) ?? []) : [one]));
    return changed.length === 0 ? undefined : changed;
  }
  if (!isMap(value) || !Object.hasOwn(value, step)) return undefined;
  const changed = Object.entries(value).flatMap(([name, one]) => {
    const left = name === String(step) ? without(one, rest) : one;
    return left === undefined ? [] : [[name, left] as const];
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
