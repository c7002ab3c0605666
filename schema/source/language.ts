// In: the definitions. Out: the language as one document for validators: what editors read of the same sources, without the words.
import type { Rules } from '../support/rules.js';
import { definitions } from './definitions.js';
import { everyType, type Schema } from './shape.js';

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
  'x-toolwright',
]);

/** The keywords whose value is a map of names to schemas: there, `description` is a name, not a keyword. */
const namedSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions']);

/** The definitions of the language by name. */
export function makeLanguage(): { readonly definitions: Readonly<Record<string, Rules>> } {
  return toRules({ definitions }) as { definitions: Record<string, Rules> };
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
      return [keyword, Object.fromEntries(Object.entries(value as Schema).map(([name, one]) => [name, toRules(one)]))];
    }),
  );
}

/**
 * The module that holds the language as JSON, one definition per line: reading it takes a third of the time to make it from the
 * sources, and nothing is read before something is checked.
 */
export function printLanguageModule(): string {
  const lines = Object.entries(makeLanguage().definitions).map(
    ([name, rules], index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(rules)}`,
  );
  const parts = ['{"definitions":{', ...lines, '}}'].map(line => `  ${JSON.stringify(line)}`);
  return `// The language as validators read it. Made from schema/source by schema/source/make.ts: run npm run build.\nexport const languageJson =\n${parts.join(' +\n')};\n`;
}
