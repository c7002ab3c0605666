// The language as the engine reads it: is the form of a value right, and what is wrong with it? The keys and forms themselves are
// written in schema/source, of which the build makes language.gen.ts.
import type { Subject } from '../definitions.js';
import { type Engine, openEngine } from '../json-schema/engine.js';
import type { FullViolation } from '../support/places.js';
import type { Rules, Schema } from '../support/rules.js';
import { languageJson } from './language.gen.js';

interface Language {
  readonly definitions: Readonly<Record<string, Rules>>;
}

/** What stands below a name of the author's. */
export type Part = 'parameter' | 'toolError' | 'option' | 'configEntry' | 'promptArgument';

interface Opened {
  readonly language: Language;
  readonly engine: Engine;
}

let opened: Opened | undefined;

function open(): Opened {
  if (opened !== undefined) return opened;
  const language = JSON.parse(languageJson) as Language;
  opened = { language, engine: openEngine(language as Rules, { isStrict: true, order: 'value' }) };
  return opened;
}

function definitionOf(subject: Subject | Part): Rules {
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

/** The keys that a definition or a part of one may have. */
export function keysOf(subject: Subject | Part): readonly string[] {
  return Object.keys(definitionOf(subject).properties ?? {});
}

/** Whether a definition may have a key. */
export function hasKey(subject: Subject, key: string): boolean {
  return Object.hasOwn(definitionOf(subject).properties ?? {}, key);
}

/** Whether a value could stand under a key of a definition. */
export function fitsKey(subject: Subject, key: string, value: unknown): boolean {
  const schema: Schema | undefined = definitionOf(subject).properties?.[key];
  return schema !== undefined && open().engine.fits(schema, value);
}
