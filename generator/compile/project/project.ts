// How the pack's project writes its modules. In: the pack's folder. Out: language, module format and extensions of its
// handlers (P16), from tsconfig.json, package.json and the existing handlers. Never looks outside the folder.
import type { Folder } from '../../../runtime/load/folder.js';
import { createReader, type Reader } from '../../../runtime/load/read.js';
import type { Diagnostic, Outcome } from '../../../schema/diagnostics.js';
import { isMap } from '../../../schema/document.js';
import { languageOf } from './project-modules.js';
import { foldersUp, readTsconfig, type TsconfigOptions } from './project-tsconfig.js';

export type ModuleFormat = 'esm' | 'cjs';

export interface Project {
  readonly language: 'ts' | 'js';
  /** Of modules whose extension does not say it (.ts, .js). */
  readonly moduleFormat: ModuleFormat;
  /** What a new handler's file name ends with. */
  readonly handlerExtension: '.ts' | '.js' | '.mjs';
  /** What stands for `.ts` where one source imports another. */
  readonly importExtension: '.js' | '.ts';
  /** The compiler refuses `import` and `export` statements in CommonJS modules. */
  readonly verbatimModuleSyntax: boolean;
  /** The compiler refuses parameters that a body does not use. */
  readonly refusesUnusedParameters: boolean;
}

/**
 * Looks at a project: the tsconfig.json nearest to the handlers, then package.json. A broken one is reported, and
 * what it would have said is assumed.
 *
 * @example detectProject(nodeFolder('.'), 'src').value // { language: 'ts', moduleFormat: 'esm', ... }
 */
export function detectProject(folder: Folder, handlers: string): Outcome<Project> {
  const reader = createReader(folder);
  const diagnostics: Diagnostic[] = [];
  const tsconfig = readTsconfig(reader, handlers, diagnostics);
  const packageType = readPackageType(reader, handlers);
  const language = chooseLanguage(tsconfig, folder, handlers);
  const moduleFormat = chooseFormat(language === 'ts' ? tsconfig : undefined, packageType);
  return {
    value: {
      language,
      moduleFormat,
      handlerExtension: language === 'ts' ? '.ts' : packageType === 'unknown' ? '.mjs' : '.js',
      importExtension: tsconfig?.allowImportingTsExtensions && isNeverEmitted(tsconfig) ? '.ts' : '.js',
      verbatimModuleSyntax: tsconfig?.verbatimModuleSyntax === true,
      refusesUnusedParameters: tsconfig?.noUnusedParameters === true,
    },
    diagnostics,
  };
}

function chooseLanguage(tsconfig: TsconfigOptions | undefined, folder: Folder, handlers: string): Project['language'] {
  // A tsconfig with checkJs is often only there to check JavaScript, and a workspace may have its tsconfig further up:
  // in both cases the existing handlers know better.
  if (tsconfig !== undefined && tsconfig.checkJs !== true) return 'ts';
  return languageOf(folder, handlers) ?? 'js';
}

/** `unknown`: there is no package.json, or only one outside the pack. */
type PackageType = ModuleFormat | 'unknown';

function chooseFormat(tsconfig: TsconfigOptions | undefined, packageType: PackageType): ModuleFormat {
  const byPackage = packageType === 'cjs' ? 'cjs' : 'esm';
  const module = tsconfig?.module?.toLowerCase();
  if (module === undefined || module.startsWith('node')) return byPackage;
  return module === 'commonjs' ? 'cjs' : 'esm';
}

function isNeverEmitted({ noEmit, emitDeclarationOnly }: TsconfigOptions): boolean {
  return noEmit === true || emitDeclarationOnly === true;
}

/** As Node decides: the nearest package.json, and CommonJS where it has no `type`. */
function readPackageType(reader: Reader, handlers: string): PackageType {
  for (const folder of foldersUp(handlers)) {
    const path = `${folder}package.json`;
    if (reader.folder.status(path) !== 'file') continue;
    // The loader reports a broken one.
    const value = reader.documents(path, 'json').value?.[0]?.value;
    if (value === undefined) return 'unknown';
    return isMap(value) && value['type'] === 'module' ? 'esm' : 'cjs';
  }
  return 'unknown';
}
