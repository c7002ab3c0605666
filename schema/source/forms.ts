// The definitions as data, for `hasForm`. In: the definitions. Out: the text of an ES module.
import { strip } from './compile.js';
import { definitions } from './definitions.js';

/** The text of `forms.gen.js`. JSON in a string is read faster than code. */
export function printForms(): string {
  const forms = JSON.stringify(strip({ definitions }), (key, value) => (words.has(key) ? undefined : value));
  return `// Made by schema/source/make.ts; do not edit.\nexport const forms = JSON.parse(${JSON.stringify(forms)}).definitions;\n`;
}

/** For messages only. A property may be called `title`. */
const words: ReadonlySet<string> = new Set(['patternErrorMessage']);
