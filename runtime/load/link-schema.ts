// In: the definition of a tool. Out: its schemas: written in place, expanded from shorthand, or read from the file that it names.
import { addAll, type Site } from '../../schema/diagnostics.js';
import { isMap, type Locator } from '../../schema/document.js';
import type { SchemaSource } from '../../schema/json-schema/check-context.js';
import { addEnvelope } from '../../schema/json-schema/envelope.js';
import { expandParameters, sourcePath } from '../../schema/json-schema/expand.js';
import type { Filling } from '../../schema/support/validator.js';
import { validate } from '../../schema/validate/validate.js';
import { checkHidden, type Scope } from './link-item.js';
import type { Fillings } from './program.js';
import type { Item } from './split.js';

/** M29: an envelope has its own fields beside those of the author. */
export function linkOutput(item: Item, raw: Readonly<Record<string, unknown>>, scope: Scope): SchemaSource | undefined {
  const output = linkSchema('output', item, raw, scope);
  if (raw['result'] !== 'envelope') return output;
  const site = (): Site => item.at.site(['result'], 'key');
  const empty: SchemaSource = {
    role: 'output',
    style: 'shorthand',
    filling: 'always',
    name: `${item.name}/output`,
    schema: undefined,
    site,
  };
  return { ...(output ?? empty), schema: addEnvelope(output?.schema) };
}

type Role = 'input' | 'output';

/** J53: JSON Schema's `default` is an annotation, and only a tool that says so has it filled in; a default of ours is one. */
function fillingOf(role: Role, raw: Readonly<Record<string, unknown>>): Filling {
  if (!isMap(raw[`${role}Schema`])) return 'always';
  return raw['defaults'] === 'fill' ? 'late' : 'never';
}

export function fillingsOf(raw: Readonly<Record<string, unknown>>): Fillings {
  return { input: fillingOf('input', raw), output: fillingOf('output', raw) };
}

export function linkSchema(
  role: 'input',
  item: Item,
  raw: Readonly<Record<string, unknown>>,
  scope: Scope,
): SchemaSource;
export function linkSchema(
  role: Role,
  item: Item,
  raw: Readonly<Record<string, unknown>>,
  scope: Scope,
): SchemaSource | undefined;
export function linkSchema(
  role: Role,
  item: Item,
  raw: Readonly<Record<string, unknown>>,
  scope: Scope,
): SchemaSource | undefined {
  const key = role === 'input' ? 'inputSchema' : 'outputSchema';
  const short = role === 'input' ? 'parameters' : 'output';
  const given = Object.hasOwn(raw, key) ? raw[key] : undefined;
  const { at } = item;
  const base = { role, filling: fillingOf(role, raw), name: `${item.name}/${role}` } as const;
  if (isMap(given) && typeof given['file'] === 'string' && Object.keys(given).length === 1) {
    return readSchema(given['file'], base, key, at, scope);
  }
  if (isMap(given)) {
    return {
      ...base,
      style: 'raw',
      schema: given,
      site: (path, side) => at.site([key, ...path], side),
      typed: path => at.source([key, ...path]),
    };
  }
  const map = Object.hasOwn(raw, short) ? raw[short] : undefined;
  if (role === 'output' && !isMap(map)) return undefined;
  const open = role === 'output';
  const schema = expandParameters(isMap(map) ? map : undefined, {
    root: open || raw['additionalParameters'] === true ? 'open' : 'closed',
    nested: open ? 'open' : 'closed',
  });
  return {
    ...base,
    style: 'shorthand',
    schema,
    site: (path, side) => at.site(sourcePath(path, short), side),
    typed: path => at.source(sourcePath(path, short)),
  };
}

/** `inputSchema: {file: x.json}`: positions are those of the file. A file that cannot be used counts as no input. */
function readSchema(
  file: string,
  base: Pick<SchemaSource, 'role' | 'filling' | 'name'>,
  key: 'inputSchema' | 'outputSchema',
  at: Locator,
  scope: Scope,
): SchemaSource {
  const asked = at.site([key, 'file']);
  const read = scope.reader.namedDocuments(file, asked);
  addAll(scope.diagnostics, read.diagnostics);
  const [document] = read.value ?? [];
  if (document === undefined) {
    const schema = expandParameters(undefined, { root: 'closed', nested: 'closed' });
    return { ...base, style: 'raw', schema, site: () => asked };
  }
  // The form of a schema in a file is that of a schema in place.
  const inFile: Locator = {
    site: (path, side) => document.site(path.slice(1), side),
    find: (path, text, nth) => document.find(path.slice(1), text, nth),
    source: path => document.source(path.slice(1)),
  };
  addAll(scope.diagnostics, validate('tool', { [key]: document.value }, inFile));
  checkHidden(document.value, document, scope);
  return { ...base, style: 'raw', schema: document.value, site: document.site, typed: path => document.source(path) };
}
