// In: a value of a manifest or definition, its kind, and where its parts were written. Out: one diagnostic per mistake.
// The schema is picked by kind; what the engine says about a value is turned into diagnostics by errors.ts, the rest are rules below.

import { handledKinds, type Kind, keyOf, kinds, type Subject } from '../definitions.js';
import { addAll, type Diagnostic, diagnose, type Site } from '../diagnostics.js';
import { asMap, isMap, type Locator, type Path, printPath, relocate, within } from '../document.js';
import { exclusiveKeys } from '../exclusive-keys.js';
import { toDiagnostics } from './errors.js';
import { meantKey, schemaKeys, wholeSchemas } from './hints.js';
import { fitsKey, hasKey, keysOf, listFormErrors } from './language.js';
import { readLayout } from './layout.js';

/**
 * Everything that is wrong with the form of a manifest or definition.
 *
 * @example validate('tool', document.value, document)
 */
export function validate(subject: Subject, written: unknown, whereWritten: Locator): Diagnostic[] {
  const { value, at, found: slips } = readLayout(subject, written, whereWritten);
  if (subject !== 'pack' && subject !== 'overlay') {
    const misplaced = checkKind(subject, value, at);
    if (misplaced !== undefined) return [...slips, misplaced];
  }
  const errors = listFormErrors(subject, value);
  const found = errors.length === 0 ? [] : toDiagnostics(subject, value, errors, at);
  addAll(found, slips);
  addAll(found, checkConflicts(subject, value, at));
  addAll(found, checkShorthand(subject, value, at));
  return found;
}

/** J72: a definition that only makes sense as another kind gets one diagnostic instead of one per foreign key. */
function checkKind(kind: Kind, value: unknown, at: Locator): Diagnostic | undefined {
  if (!isMap(value)) return undefined;
  const keys = Object.keys(value).filter(key => key !== '$schema');
  const foreign = keys.filter(key => !hasKey(kind, key));
  if (foreign.length === 0) return undefined;
  for (const other of kinds) {
    // Nearly every key is one of JSON Schema, so that it says nothing about what was meant.
    if (other === kind || other === 'schema') continue;
    if (keys.every(key => hasKey(other, key)) && foreign.length * 2 >= keys.length) {
      return diagnose(
        'validate/wrong-kind',
        { expected: kind, actual: other, keys: foreign },
        at.site([foreign[0] ?? ''], 'key'),
        { hint: `a ${other} belongs to ${other}s/ or to the combined file ${other}s.yaml` },
      );
    }
  }
  return undefined;
}

function checkConflicts(subject: Subject, value: unknown, at: Locator): Diagnostic[] {
  if (!isMap(value)) return [];
  const found = (exclusiveKeys[subject] ?? []).flatMap(keys => checkExclusive(keys, value, at, `the ${subject}`));
  for (const kind of handledKinds) {
    const inline = subject === 'server' ? value[keyOf(kind)] : undefined;
    if (!Array.isArray(inline)) continue;
    for (const [index, one] of inline.entries()) {
      addAll(found, checkConflicts(kind, one, within(at, [keyOf(kind), index])));
    }
  }
  if (subject === 'prompt' && Array.isArray(value['messages'])) {
    for (const [index, message] of value['messages'].entries()) {
      if (!isMap(message)) continue;
      const place = within(at, ['messages', index]);
      for (const keys of exclusiveKeys['message'] ?? [])
        addAll(found, checkExclusive(keys, message, place, `messages[${index}]`));
    }
  }
  for (const [part, path] of partsWithConflicts(subject, value)) {
    const inside = path.reduce<unknown>((here, step) => asMap(here)[String(step)], value);
    if (!isMap(inside)) continue;
    for (const keys of exclusiveKeys[part] ?? [])
      addAll(found, checkExclusive(keys, inside, within(at, path), `\`${path.join('.')}\``));
  }
  return found;
}

/** Parts of a definition that may have one only of several keys, and where they are. */
function partsWithConflicts(
  subject: Subject,
  value: Readonly<Record<string, unknown>>,
): readonly (readonly [part: string, path: Path])[] {
  if (subject === 'pack')
    return Object.keys(asMap(value['backends'])).flatMap(name => [
      ['mcpBackend', ['backends', name]] as const,
      ['backendAuth', ['backends', name, 'auth']] as const,
    ]);
  if (subject !== 'tool' && subject !== 'resource') return [];
  return [
    ['httpCall', ['http']],
    ['paginate', ['http', 'paginate']],
  ];
}

function checkExclusive(
  keys: readonly string[],
  value: Readonly<Record<string, unknown>>,
  at: Locator,
  where: string,
): Diagnostic[] {
  const present = keys.filter(key => Object.hasOwn(value, key));
  // Positions cost a second parse of the file: never ask for one before there is a mistake.
  if (present.length < 2) return [];
  const [first, second, ...others] = present.map(key => at.site([key], 'key')).sort(bySite);
  if (first === undefined || second === undefined) return [];
  const related = [first, ...others].map(site => ({ ...site, message: 'the other one' }));
  return [diagnose('validate/conflict', { keys: present, where }, second, { related })];
}

function bySite(a: Site, b: Site): number {
  return a.line - b.line || a.column - b.column;
}

/** What is wrong with the parameters of a tool, or of the tools in a server, beyond the form of each key. */
function checkShorthand(subject: Subject, value: unknown, at: Locator): Diagnostic[] {
  if (!isMap(value)) return [];
  const found: Diagnostic[] = [];
  if (subject === 'tool') checkTool(value, [], at, found);
  if (subject === 'server' && Array.isArray(value['tools'])) {
    for (const [index, tool] of value['tools'].entries()) if (isMap(tool)) checkTool(tool, ['tools', index], at, found);
  }
  return found;
}

function checkTool(tool: Readonly<Record<string, unknown>>, base: Path, at: Locator, found: Diagnostic[]): void {
  for (const key of ['parameters', 'output']) {
    const map = Object.hasOwn(tool, key) ? tool[key] : undefined;
    if (isMap(map) && Object.values(map).some(isContradictory)) checkMap(map, [...base, key], at, found);
  }
}

/** Nearly none is, so that no path is made before one is found. */
function isContradictory(parameter: unknown): boolean {
  if (!isMap(parameter)) return false;
  if (parameter['required'] === true && Object.hasOwn(parameter, 'default')) return true;
  const properties = Object.hasOwn(parameter, 'properties') ? parameter['properties'] : undefined;
  if (isMap(properties) && Object.values(properties).some(isContradictory)) return true;
  return Object.hasOwn(parameter, 'items') && isContradictory(parameter['items']);
}

function checkMap(map: Readonly<Record<string, unknown>>, path: Path, at: Locator, found: Diagnostic[]): void {
  for (const [name, parameter] of Object.entries(map)) checkParameter(parameter, [...path, name], at, found);
}

function checkParameter(parameter: unknown, path: Path, at: Locator, found: Diagnostic[]): void {
  if (!isMap(parameter)) return;
  const has = (key: string): boolean => Object.hasOwn(parameter, key);
  if (has('default') && parameter['required'] === true) {
    found.push(
      diagnose('validate/required-default', { where: printPath(path) }, at.site([...path, 'required'], 'key')),
    );
  }
  if (has('properties') && isMap(parameter['properties'])) {
    checkMap(parameter['properties'], [...path, 'properties'], at, found);
  }
  if (has('items')) checkParameter(parameter['items'], [...path, 'items'], at, found);
}

// In: a definition with keys that nobody knows. Out: the same, with each under the key that was probably meant, so that
// what hangs on it is judged by what the author wrote: one typo, one diagnostic.

interface Readable {
  readonly value: unknown;
  readonly at: Locator;
}

/**
 * A misspelt key counts where the right one is absent and could have its value.
 *
 * @example readMeantKeys('tool', { paramters: { id: 'integer' } }, at).value // { parameters: { id: 'integer' } }
 */
export function readMeantKeys(subject: Subject, written: unknown, whereWritten: Locator): Readable {
  const { value, at } = readLayout(subject, written, whereWritten);
  if (!isMap(value)) return { value, at };
  const known = keysOf(subject);
  const typed = new Map<string, string>();
  for (const key of subject === 'tool' ? wholeSchemas(value) : []) {
    const meant = schemaKeys[key];
    if (!Object.hasOwn(value, meant) && fitsKey(subject, meant, value[key])) typed.set(meant, key);
  }
  for (const [key, one] of Object.entries(value)) {
    if (known.includes(key)) continue;
    const meant = meantKey(subject, key, known);
    if (meant === undefined || Object.hasOwn(value, meant) || typed.has(meant)) continue;
    if (fitsKey(subject, meant, one)) typed.set(meant, key);
  }
  if (typed.size === 0) return { value, at };
  const meantBy = new Map([...typed].map(([meant, key]) => [key, meant]));
  const entries = Object.entries(value).map(([key, one]) => [meantBy.get(key) ?? key, one]);
  return { value: Object.fromEntries(entries), at: whereTyped(at, typed) };
}

function whereTyped(at: Locator, typed: ReadonlyMap<string, string>): Locator {
  return relocate(at, ([key, ...inside]) => (key === undefined ? [] : [typed.get(String(key)) ?? key, ...inside]));
}
