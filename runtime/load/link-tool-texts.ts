// In: the texts of a tool that are filled in when it runs: `resultText` and those of its errors. Out: what is wrong with their tags,
// and errors that can never be reached by `match`.
import { diagnose } from '../../schema/diagnostics.js';
import { isMap, type Locator, type Path } from '../../schema/document.js';
import { isSchemaObject, type JsonSchemaObject, own, ownMap } from '../../schema/json-schema/keywords.js';
import { makeSchemaFinder, type SchemaFinder } from '../../schema/json-schema/walk.js';
import { didYouMean } from '../../schema/nearest.js';
import { parseTemplate, type TemplateName, templateNames } from '../../schema/template/template.js';
import { checkMentions, linkText, mostFindings, type Scope } from './link-item.js';

export interface ToolSchemas {
  readonly input: unknown;
  /** Undefined where the tool promises nothing. */
  readonly output: unknown;
}

type Raw = Readonly<Record<string, unknown>>;

/** What the tags of a string may name. */
interface Names {
  readonly isSure: boolean;
  readonly finders: readonly SchemaFinder[];
  /** Names beside those of the schemas, with what is in each. */
  readonly more: Readonly<Record<string, readonly string[]>>;
  /** As the end of "x is not ...". */
  readonly where: string;
}

/** Without schemas, because something is wrong with them, names are not looked up: that would be a second mistake. */
export function checkToolTexts(raw: Raw, schemas: ToolSchemas | undefined, at: Locator, scope: Scope): void {
  const { input, output } = schemas ?? {};
  const isSure = schemas !== undefined;
  const finders = (all: readonly unknown[]): readonly SchemaFinder[] =>
    all.flatMap(schema => (isSchemaObject(schema) ? [makeSchemaFinder(schema)] : []));
  const where =
    output === undefined
      ? "one of the tool's arguments, and the tool has no output schema"
      : "in the tool's output, nor one of its arguments";
  const told: Names = { isSure, finders: finders([output, input]), more: {}, where };
  checkText(raw['resultText'], ['resultText'], told, at, scope);
  const { errors } = raw;
  if (!isMap(errors)) return;
  const names: Names = {
    isSure,
    finders: finders([input]),
    more: { error: ['message', 'code', 'status'] },
    where: 'an argument of the tool, nor error.message, error.code or error.status',
  };
  for (const [code, entry] of Object.entries(errors)) {
    if (!isMap(entry)) continue;
    for (const key of ['message', 'suggestedFix']) checkText(entry[key], ['errors', code, key], names, at, scope);
  }
  checkMatches(errors, at, scope);
}

function checkText(value: unknown, path: Path, names: Names, at: Locator, scope: Scope): void {
  const text = typeof value === 'string' && value.includes('{{') ? linkText(value, path, at, scope) : undefined;
  if (text === undefined) return;
  checkMentions(text, scope);
  const { template, problems } = parseTemplate(text.text);
  for (const { reason, tag, nth } of problems.slice(0, mostFindings))
    scope.diagnostics.push(diagnose('template/syntax', { reason }, text.find(tag, nth)));
  if (!names.isSure) return;
  for (const use of templateNames(template).slice(0, mostFindings)) {
    const unknown = findUnknown(use, names);
    if (unknown === undefined) continue;
    const params = { name: use.parts.slice(0, unknown.depth + 1).join('.'), where: names.where };
    const hint = hintFor(use, unknown);
    scope.diagnostics.push(diagnose('template/unknown-name', params, text.find(use.tag, use.nth), { hint }));
  }
}

interface Unknown {
  /** Which part of the path leads nowhere. */
  readonly depth: number;
  readonly known: readonly string[];
}

function findUnknown({ parts }: TemplateName, { finders, more }: Names): Unknown | undefined {
  const [name = '', inside] = parts;
  const members = Object.hasOwn(more, name) ? more[name] : undefined;
  if (members !== undefined) {
    const isKnown = parts.length === 2 && members.includes(inside ?? '');
    return isKnown ? undefined : { depth: Math.min(1, parts.length - 1), known: members.map(one => `${name}.${one}`) };
  }
  const missing = finders.map(finder => followSchema(finder, parts));
  if (missing.includes(undefined)) return undefined;
  const unknown = missing.filter(one => one !== undefined);
  // The schema that knows most of the path is the one that was meant.
  const depth = Math.max(0, ...unknown.map(one => one.depth));
  const known = unknown.filter(one => one.depth === depth).flatMap(one => one.known);
  return { depth, known: depth === 0 ? [...known, ...Object.keys(more)] : known };
}

/** Undefined where the path leads somewhere, or where nobody can tell. */
function followSchema(finder: SchemaFinder, parts: readonly string[]): Unknown | undefined {
  const path: (string | number)[] = [];
  for (const [depth, part] of parts.entries()) {
    const level = finder.at(path);
    // A list says how long it is.
    if (level.some(schema => isOf(schema, 'array'))) {
      if (part === 'length') return undefined;
      if (/^\d+$/.test(part)) {
        path.push(Number(part));
        continue;
      }
    }
    const known = new Set(level.flatMap(schema => Object.keys(ownMap(schema, 'properties'))));
    if (!known.has(part)) return isOpen(level, part, depth, known.size) ? undefined : { depth, known: [...known] };
    path.push(part);
  }
  return undefined;
}

/** Whether a member may be there that the schemas do not name. A root that names nothing is not open: it has nothing. */
function isOpen(level: readonly JsonSchemaObject[], part: string, depth: number, known: number): boolean {
  if (level.some(schema => isSchemaObject(own(schema, 'additionalProperties')))) return true;
  if (level.some(schema => Object.keys(ownMap(schema, 'patternProperties')).some(pattern => matches(pattern, part))))
    return true;
  return depth > 0 && known === 0 && level.every(schema => own(schema, 'type') === undefined || isOf(schema, 'object'));
}

function matches(pattern: string, part: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(part);
  } catch {
    return false;
  }
}

function isOf(schema: JsonSchemaObject, type: string): boolean {
  const types = own(schema, 'type');
  return Array.isArray(types) ? types.includes(type) : types === type;
}

function hintFor({ name, parts }: TemplateName, { depth, known }: Unknown): string | undefined {
  const mentioned = /^\w+:(?<item>.+)$/.exec(name)?.groups?.['item'];
  if (mentioned !== undefined) return `did you mean {{tool:${mentioned}}}?`;
  const near = didYouMean(parts[depth] ?? '', known);
  if (near !== undefined) return near;
  return known.length === 0 || known.length > 12 ? undefined : `there is ${known.join(', ')}`;
}

/** The first match wins: what an error before it has, can never be reached. */
function checkMatches(errors: Raw, at: Locator, scope: Scope): void {
  const taken = new Map<string, string>();
  for (const [error, entry] of Object.entries(errors)) {
    const list: unknown = isMap(entry) ? entry['match'] : undefined;
    if (!Array.isArray(list)) continue;
    for (const [index, one] of list.entries()) {
      checkNumber(one, ['errors', error, 'match', index], at, scope);
      const match = String(one).replace(/^([1-5])xx$/i, '$1xx');
      const by = taken.get(match) ?? (/^[1-5]\d\d$/.test(match) ? taken.get(`${match[0]}xx`) : undefined);
      if (by === undefined) taken.set(match, error);
      else {
        const site = at.site(['errors', error, 'match', index]);
        scope.diagnostics.push(diagnose('link/unreachable-match', { match, error, by }, site));
      }
    }
  }
}

/**
 * A code that is written as a number must still be the same when it is read. A status of HTTP is, however it is written; what was written is
 * only known after a second reading of the file, which took half of the time to load a thousand requests.
 */
function checkNumber(value: unknown, path: Path, at: Locator, scope: Scope): void {
  if (typeof value !== 'number' || (Number.isInteger(value) && value >= 100 && value <= 599)) return;
  const typed = at.source(path)?.trim();
  if (typed === undefined || typed === String(value)) return;
  const hint = `write "${typed}" in quotes`;
  scope.diagnostics.push(diagnose('link/changed-code', { typed, value }, at.site(path), { hint }));
}
