// The one list of everything an author can get wrong. A code that is not here does not compile.
import { authorCodes } from './codes/author.js';
import { buildCodes } from './codes/build.js';
import { composeCodes } from './codes/compose.js';
import type { CodeEntry } from './codes/entry.js';
import { fileCodes } from './codes/files.js';
import { generateCodes } from './codes/generate.js';
import { jsonSchemaCodes } from './codes/json-schema.js';
import { languageCodes } from './codes/language.js';
import { linkCodes } from './codes/link.js';
import { lockCodes } from './codes/lock.js';
import { overlayCodes } from './codes/overlay.js';
import { publishCodes } from './codes/publish.js';
import { renameCodes } from './codes/rename.js';
import { resolveCodes } from './codes/resolve.js';
import { settingCodes } from './codes/settings.js';
import { testCodes } from './codes/tests.js';
import { textCodes } from './codes/texts.js';

export const codes = {
  ...fileCodes,
  ...languageCodes,
  ...resolveCodes,
  ...linkCodes,
  ...overlayCodes,
  ...composeCodes,
  ...jsonSchemaCodes,
  ...generateCodes,
  ...renameCodes,
  ...publishCodes,
  ...settingCodes,
  ...textCodes,
  ...lockCodes,
  ...testCodes,
  ...authorCodes,
  ...buildCodes,
} as const;

export type Code = keyof typeof codes;

export type CodeParams<C extends Code> = (typeof codes)[C] extends CodeEntry<infer P> ? P : never;
