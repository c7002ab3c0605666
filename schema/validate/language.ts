// Out: the language as one document that the engine reads, and the engine itself. It is what editors read of the same sources,
// without words for them.
import type { Subject } from '../definitions.js';
import { type Engine, openEngine } from '../json-schema/engine.js';
import { definitions } from '../source/definitions.js';
import { everyType, type Schema as Source } from '../source/shape.js';
import type { FullViolation } from '../support/places.js';
import type { Rules, Schema } from '../support/rules.js';

/** The build makes it, because reading JSON takes a third of the time to make it from the sources. */
declare const __TOOLWRIGHT_LANGUAGE__: string | undefined;

export interface Language {
  readonly definitions: Readonly<Record<string, Rules>>;
}

/** What tells editors something, and validators nothing. */
const editorKeywords: ReadonlySet<string> = new Set([
  'title',
  'description',
  'markdownDescription',
  'enumDescriptions',
  'markdownEnumDescriptions',
  'x-intellij-enum-metadata',
  'defaultSnippets',
  'doNotSuggest',
  'default',
  'examples',
]);

/** The keywords whose value is a map of names to schemas: there, `description` is a name, not a keyword. */
const namedSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions']);

/** The definitions of the language by name, made from their sources. */
export function makeLanguage(): Language {
  return toRules({ definitions }) as Language;
}

function toRules(source: unknown): unknown {
  if (Array.isArray(source)) return source.map(toRules);
  if (typeof source !== 'object' || source === null) return source;
  const kept = Object.entries(source).filter(
    ([keyword, value]) => !editorKeywords.has(keyword) && !(keyword === 'type' && value === everyType),
  );
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      // The engine knows lists of schemas for items by their later name.
      if (keyword === 'items' && Array.isArray(value)) return ['prefixItems', value.map(toRules)];
      if (!namedSchemas.has(keyword)) return [keyword, toRules(value)];
      return [keyword, Object.fromEntries(Object.entries(value as Source).map(([name, one]) => [name, toRules(one)]))];
    }),
  );
}

interface Opened {
  readonly language: Language;
  readonly engine: Engine;
}

let opened: Opened | undefined;

function open(): Opened {
  if (opened !== undefined) return opened;
  const language: Language =
    typeof __TOOLWRIGHT_LANGUAGE__ === 'undefined' ? makeLanguage() : JSON.parse(__TOOLWRIGHT_LANGUAGE__);
  opened = { language, engine: openEngine(language as Rules, { isStrict: true, order: 'value' }) };
  return opened;
}

function definitionOf(subject: Subject): Rules {
  const definition = open().language.definitions[subject];
  if (definition === undefined) throw new Error(`there is no definition ${subject}`);
  return definition;
}

/**
 * What is wrong with the form of a value, as ajv would say it.
 *
 * @example listFormErrors('tool', { description: 1 }) // [{ keyword: 'type', instancePath: '/description', ... }]
 */
export function listFormErrors(subject: Subject, value: unknown): readonly FullViolation[] {
  const { engine } = open();
  const definition = definitionOf(subject);
  // Nearly every value has its form, which is soon said.
  return engine.fits(definition, value) ? [] : engine.explain(definition, value);
}

/** The keys that a definition may have. */
export function keysOf(subject: Subject): readonly string[] {
  return Object.keys(definitionOf(subject).properties ?? {});
}

/** Whether a value could stand under a key of a definition. */
export function fitsKey(subject: Subject, key: string, value: unknown): boolean {
  const schema: Schema | undefined = definitionOf(subject).properties?.[key];
  return schema !== undefined && open().engine.fits(schema, value);
}
