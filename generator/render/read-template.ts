// In: the name of a template. Out: its source, from the package's own files.
import { readFileSync } from 'node:fs';

/** The folder is as far from this file as from the chunks of the built package: two up. */
export function readTemplate(name: string): string {
  return readFileSync(new URL(`../../templates/${name}.hbs`, import.meta.url), 'utf8');
}
