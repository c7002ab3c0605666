// In: a pack's folder. Out: its sources as a TypeScript program, set up as the project's own compiler would. Reads the disk.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ts as Ts } from 'ts-morph';
import { codeOf } from '../../runtime/load/folder.js';
import { maxCodeBytes, readUtf8 } from '../../runtime/load/read-file.js';
import { knownReasonOf } from '../apply-disk.js';
import type { TypeScript } from '../handlers/typescript.js';

export interface OpenedProject {
  readonly ts: TypeScript;
  readonly program: Ts.Program;
  /** What is wrong with the tsconfig. */
  readonly configProblems: readonly Ts.Diagnostic[];
}

/** The pack's own modules are always checked, also where the tsconfig leaves them out. */
export async function openProject(pack: string, modules: readonly string[]): Promise<OpenedProject> {
  const { Project, ts } = await import('ts-morph');
  const config = findUpwards(pack, 'tsconfig.json');
  const parsed = config === undefined ? undefined : parseConfig(ts, config);
  const options: Ts.CompilerOptions =
    parsed === undefined ? plainOptions(ts) : { ...defaultsOf(ts, pack, parsed.options), ...parsed.options };
  const own = modules.map(path => resolve(pack, path)).filter(path => options.allowJs === true || /ts$/.test(path));
  const settled = { ...options, noEmit: true, composite: false, incremental: false, ignoreDeprecations: '6.0' };
  const libraries = new Project({ useInMemoryFileSystem: true }).getModuleResolutionHost();
  const program = ts.createProgram({
    rootNames: [...new Set([...(parsed?.fileNames ?? []), ...own])].filter(path => existsSync(path)),
    options: settled,
    host: createHost(ts, settled, libraries),
  });
  return { ts, program, configProblems: [...(parsed?.errors ?? []), ...program.getOptionsDiagnostics()] };
}

/** Where ts-morph keeps the texts of lib.*.d.ts, in memory only. */
const libraryFolder = '/node_modules/typescript/lib';

/**
 * TypeScript's own host and not a ts-morph project: only the former tells files of CommonJS from ES modules.
 * Of ts-morph come the libraries, which it has instead of files.
 */
function createHost(
  ts: TypeScript,
  options: Ts.CompilerOptions,
  libraries: Pick<Ts.ModuleResolutionHost, 'readFile'>,
): Ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  // It is asked by `getSourceFile`, too.
  host.readFile = readOrNothing;
  return {
    ...host,
    getDefaultLibLocation: () => libraryFolder,
    getDefaultLibFileName: wanted => `${libraryFolder}/${ts.getDefaultLibFileName(wanted)}`,
    getSourceFile(path, how, ...rest) {
      const library = path.startsWith(`${libraryFolder}/lib.`) ? libraries.readFile(path) : undefined;
      return library === undefined
        ? host.getSourceFile(path, how, ...rest)
        : ts.createSourceFile(path, library, how, false);
    },
  };
}

/** TypeScript takes what cannot be read for missing. */
function readOrNothing(path: string): string | undefined {
  try {
    return readUtf8(path, maxCodeBytes).replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}

/** No inputs: the pack's modules are the input. */
const noInputs = [18002, 18003];

function parseConfig(ts: TypeScript, path: string): Pick<Ts.ParsedCommandLine, 'options' | 'fileNames' | 'errors'> {
  let text: string;
  try {
    text = readUtf8(path);
  } catch (error) {
    return { options: {}, fileNames: [], errors: [unreadable(ts, path, error)] };
  }
  const source = ts.readJsonConfigFile(path, () => text);
  const parsed = ts.parseJsonSourceFileConfigFileContent(
    source,
    { ...ts.sys, readFile: readOrNothing },
    dirname(path),
    {},
    path,
  );
  const errors = ts.getConfigFileParsingDiagnostics(parsed).filter(({ code }) => !noInputs.includes(code));
  return { options: parsed.options, fileNames: parsed.fileNames, errors };
}

/** TypeScript's own words for it; where it has none it would fail later. */
function unreadable(ts: TypeScript, path: string, error: unknown): Ts.Diagnostic {
  const messageText = `Cannot read file '${path}': ${knownReasonOf(error) ?? codeOf(error)}`;
  return {
    category: ts.DiagnosticCategory.Error,
    code: 5083,
    file: undefined,
    start: undefined,
    length: undefined,
    messageText,
  };
}

/** Without a tsconfig the pack is JavaScript with types in JSDoc, or is run by Node without being compiled. */
function plainOptions(ts: TypeScript): Ts.CompilerOptions {
  return {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    allowJs: true,
    checkJs: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['*'],
  };
}

/** TypeScript 6 changed what a silent tsconfig means; a project on an older one is checked as that one would. */
function defaultsOf(ts: TypeScript, pack: string, said: Ts.CompilerOptions): Ts.CompilerOptions {
  const installed = findUpwards(pack, join('node_modules', 'typescript', 'package.json'));
  const version = installed === undefined ? undefined : majorOf(installed);
  if (version === undefined || version >= 6) return {};
  const { ModuleKind, ModuleResolutionKind, ScriptTarget } = ts;
  const target = said.target ?? targetOf(ts, said.module);
  const module = said.module ?? (target >= ScriptTarget.ES2015 ? ModuleKind.ES2015 : ModuleKind.CommonJS);
  const older = {
    strict: false,
    types: ['*'],
    noUncheckedSideEffectImports: false,
    target,
    module,
  };
  // The kinds of Node and `preserve` mean the same in all versions.
  if (module >= ModuleKind.Node16) return older;
  const moduleResolution = module === ModuleKind.CommonJS ? ModuleResolutionKind.Node10 : ModuleResolutionKind.Classic;
  return { ...older, moduleResolution, esModuleInterop: false };
}

function targetOf({ ModuleKind, ScriptTarget }: TypeScript, module: Ts.ModuleKind | undefined): Ts.ScriptTarget {
  switch (module) {
    case ModuleKind.Node16:
    case ModuleKind.Node18:
      return ScriptTarget.ES2022;
    case ModuleKind.Node20:
      return ScriptTarget.ES2023;
    case ModuleKind.NodeNext:
      return ScriptTarget.ESNext;
    default:
      return ScriptTarget.ES5;
  }
}

function majorOf(file: string): number | undefined {
  try {
    const { version } = JSON.parse(readUtf8(file)) as { version?: unknown };
    return typeof version === 'string' ? Number.parseInt(version, 10) : undefined;
  } catch {
    return undefined;
  }
}

function findUpwards(folder: string, name: string): string | undefined {
  for (let here = resolve(folder); ; here = dirname(here)) {
    if (existsSync(join(here, name))) return join(here, name);
    if (dirname(here) === here) return undefined;
  }
}
