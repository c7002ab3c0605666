// The one list of everything an author can get wrong. A code that is not here does not compile.
import { authorCodes } from './codes/author.js';
import { backendCodes } from './codes/backend.js';
import type { CodeEntry } from './codes/entry.js';
import { generateCodes } from './codes/generate.js';
import { importCodes } from './codes/import.js';
import { languageCodes } from './codes/language.js';
import { linkCodes } from './codes/link.js';
import { loadingCodes } from './codes/loading.js';
import { publishCodes } from './codes/publish.js';
import { runningCodes } from './codes/running.js';

export const codes = {
  ...loadingCodes,
  ...languageCodes,
  ...linkCodes,
  ...backendCodes,
  ...generateCodes,
  ...authorCodes,
  ...importCodes,
  ...publishCodes,
  ...runningCodes,
} as const;

export type Code = keyof typeof codes;

export type CodeParams<C extends Code> = (typeof codes)[C] extends CodeEntry<infer P> ? P : never;
