// In: a pack, and the compiler of its project. Out: what `tsc --noEmit` says about the project and about every handler of the pack.
// The compiler is run by the caller: TypeScript 5.9, 6 and 7 have the same command line, but not the same API.

import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { readTsconfigOptions, type TsconfigOptions, tsconfigsOnDisk } from '../../runtime/call/handlers/tsconfig.js';
import { upwards } from '../../runtime/load/find-pack.js';
import { codeOf } from '../../runtime/load/folder.js';
import { maxCodeBytes, readBytes, refuseOdd } from '../../runtime/load/read-file.js';
import { isAtLeast, readPackage, versionOf } from '../../runtime/packs/installed-package.js';
import type { Severity } from '../../schema/diagnostics.js';
import { knownReasonOf } from '../compile/apply-disk.js';

/** The TypeScript that a project has installed. */
export interface InstalledTypeScript {
  /** Of the package, absolute. */
  readonly folder: string;
  /** `5.9.3`. */
  readonly version: string;
}

export interface Compiler {
  readonly version: string;
  /** Runs tsc in a folder and gives what it prints. Where `config` is data, it is kept in a file outside the project meanwhile. */
  run(config: string | object, args: readonly string[], cwd: string): Promise<CompilerRun>;
}

export interface CompilerRun {
  readonly status: number | null;
  readonly output: string;
}

/** One message of the compiler. */
export interface CompilerError {
  /** As printed, with forward slashes: relative to the folder it ran in. Undefined for what concerns no file. */
  readonly path: string | undefined;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly severity: Severity;
  readonly code: number;
  /** The code of the author cannot be parsed, and nothing else was checked. */
  readonly isSyntax: boolean;
  /** Lines, the further ones indented by depth. */
  readonly message: readonly string[];
}

export interface CompiledProject {
  readonly errors: readonly CompilerError[];
  /** The compiler failed without any message of that form: what it printed instead. */
  readonly failure?: string;
  /** Of the project; undefined where it has none. */
  readonly tsconfig: string | undefined;
  readonly options: TsconfigOptions;
}

export function findTypeScript(folder: string): InstalledTypeScript | undefined {
  const places = upwards(folder).map(here => join(here, 'node_modules', 'typescript'));
  for (const path of [...places, ...pluggedTypeScript(folder)]) {
    const found = readPackage(path);
    const version = found === undefined ? undefined : versionOf(found);
    if (version !== undefined) return { folder: path, version };
  }
  return undefined;
}

/** Yarn may keep packages in archives instead of node_modules; it alone knows where, and lets us read there. */
function pluggedTypeScript(folder: string): readonly string[] {
  if (process.versions['pnp'] === undefined) return [];
  try {
    return [dirname(createRequire(join(folder, 'package.json')).resolve('typescript/package.json'))];
  } catch {
    return [];
  }
}

/** Handlers are relative to the pack; they are always checked, also where the tsconfig leaves them out. */
export async function compileProject(
  pack: string,
  handlers: readonly string[],
  compiler: Compiler,
): Promise<CompiledProject> {
  const folder = realpathSync(pack);
  const tsconfig = upwards(folder)
    .map(one => join(one, 'tsconfig.json'))
    .find(one => existsSync(one));
  const unreadable = findUnreadable(folder, tsconfig);
  if (unreadable !== undefined) return { errors: [unreadable], tsconfig, options: new Map() };
  const options = tsconfig === undefined ? new Map() : readTsconfigOptions(tsconfig, tsconfigsOnDisk);
  const args = argumentsFor(compiler.version);
  const first = tsconfig === undefined ? nothing : parseOutput(await compiler.run(tsconfig, args, folder));
  // A syntax error anywhere is all that the compiler talks about, and that of another package is not ours to report.
  const isBlocked = first.errors.some(({ isSyntax, path }) => isSyntax && path?.startsWith('../') === true);
  const isJsChecked = tsconfig === undefined || [options.get('allowJs'), options.get('checkJs')].some(isTrue);
  const left = handlers
    .map(path => resolve(folder, path))
    .filter(path => (isJsChecked || /ts$/.test(path)) && (isBlocked || !first.files.has(realPath(path))));
  if (left.length === 0) return { ...first, tsconfig, options };
  const config = {
    ...(tsconfig === undefined ? {} : { extends: tsconfig }),
    compilerOptions: {
      ...(tsconfig === undefined ? plainOptions() : {}),
      // What compilers before 6 do anyway.
      ...(tsconfig === undefined && isAtLeast(compiler.version, '6.0') ? { types: ['*'] } : {}),
      ...(options.has('typeRoots') ? {} : { typeRoots: typeRootsAround(tsconfig ?? join(folder, 'x'), options) }),
    },
    files: left,
    include: [],
    references: [],
  };
  const second = parseOutput(await compiler.run(config, args, folder));
  const errors = [...(isBlocked ? [] : first.errors), ...second.errors];
  const failure = first.failure ?? second.failure;
  const all = [...new Map(errors.map(one => [JSON.stringify(one), one])).values()];
  return { errors: all, ...(failure === undefined ? {} : { failure }), tsconfig, options };
}

/** What a compiler would wait for without end, or fill the memory with; said as compilers say it. */
function findUnreadable(folder: string, tsconfig: string | undefined): CompilerError | undefined {
  try {
    if (tsconfig !== undefined) readBytes(tsconfig);
    refuseOdd(folder, 'package.json');
    const odd = findOdd(folder);
    if (odd !== undefined) readBytes(odd, maxCodeBytes);
    return undefined;
  } catch (error) {
    const path = error instanceof Error && 'path' in error ? String(error.path) : tsconfig;
    const message = [`Cannot read file '${path}': ${knownReasonOf(error) ?? codeOf(error)}`];
    return { path: undefined, line: 1, column: 1, severity: 'error', code: 5083, isSyntax: false, message };
  }
}

/** A module of a pack that is a pipe or a device, or far too large: not every compiler looks before it reads. */
function findOdd(folder: string): string | undefined {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const found = entry.name === 'node_modules' || entry.name.startsWith('.') ? undefined : findOdd(path);
      if (found !== undefined) return found;
    } else if (/\.(?:[cm]?[jt]sx?|json)$/.test(entry.name)) {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined || stats.isDirectory()) continue;
      if (!stats.isFile() || stats.size > maxCodeBytes) return path;
    }
  }
  return undefined;
}

/** Nothing is written, not even a .tsbuildinfo. Deprecated options are between the project and its compiler. */
function argumentsFor(version: string): readonly string[] {
  const deprecated = ['5', '6'].find(major => version.startsWith(`${major}.`));
  return [
    ...['--noEmit', '--pretty', 'false', '--listFiles', '--locale', 'en'],
    ...['--composite', 'false', '--incremental', 'false', '--tsBuildInfoFile', 'null'],
    ...(deprecated === undefined ? [] : ['--ignoreDeprecations', `${deprecated}.0`]),
  ];
}

/** Without a tsconfig the pack is JavaScript with types in JSDoc, or is run by Node without being compiled. */
export function plainOptions(): object {
  return {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    allowJs: true,
    checkJs: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  };
}

/** Where the compiler would look from the project's own tsconfig; it would now start from where ours is kept. */
function typeRootsAround(tsconfig: string, options: TsconfigOptions): readonly string[] {
  const folders = upwards(resolve(tsconfig, '..')).map(one => join(one, 'node_modules'));
  // Types that are listed may be in any package; those that are not are all in @types.
  const listed = options.get('types')?.value;
  const others = Array.isArray(listed) && !listed.includes('*') ? folders : [];
  return [...folders.map(one => join(one, '@types')), ...others].filter(one => existsSync(one));
}

interface Parsed {
  readonly errors: readonly CompilerError[];
  /** What was compiled: real paths. */
  readonly files: ReadonlySet<string>;
  readonly failure?: string;
}

const nothing: Parsed = { errors: [], files: new Set() };

/** `src/a b.ts(1,24): error TS2322: Type ...`, or the same without a file. Names of files may have parentheses. */
const header = /^(?:(.+?)\((\d+),(\d+)\): )?(error|warning|message|suggestion) TS(\d+): (.*)$/;
/** No inputs: the modules of the pack are the input. */
const noInputs = [18002, 18003];

export function parseOutput({ status, output }: CompilerRun): Parsed {
  const errors: (CompilerError & { readonly message: string[] })[] = [];
  const files = new Set<string>();
  const others: string[] = [];
  for (const line of output.split(/\r?\n/)) {
    const [, path, row = '1', column = '1', category, code, text = ''] = header.exec(line) ?? [];
    const last = errors.at(-1);
    if (category !== undefined) {
      errors.push({
        path: sep === '/' ? path : path?.replaceAll(sep, '/'),
        line: Number(row),
        column: Number(column),
        severity: category === 'error' || category === 'warning' ? category : 'info',
        code: Number(code),
        isSyntax: /^1\d{3}$/.test(code ?? ''),
        message: [text],
      });
    } else if (/^\s+\S/.test(line) && last !== undefined && files.size === 0) last.message.push(line);
    else if (/^(?:\/|[A-Za-z]:[\\/])/.test(line)) files.add(realPath(line));
    else if (line.trim() !== '') others.push(line);
  }
  const said = errors.filter(({ code }) => !noInputs.includes(code));
  const isFailed = status !== 0 && errors.length === 0;
  return { errors: said, files, ...(isFailed ? { failure: others[0] ?? `it ended with ${status}` } : {}) };
}

/** What the compiler prints has forward slashes everywhere. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path.replaceAll('/', sep);
  }
}

function isTrue(option: { readonly value: unknown } | undefined): boolean {
  return option?.value === true;
}
