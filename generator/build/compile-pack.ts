// In: a pack. Out: each module of its handlers folder as JavaScript in its dist folder, for packs without a build of their own
// (`build --pack`). Every import stays an import; only its path is made right for Node.

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { OnResolveArgs, OnResolveResult, OutputFile, Plugin } from 'esbuild';
import { openModules, stemOf } from '../../runtime/call/handlers/find-handler.js';
import { loadEsbuild } from '../../runtime/call/handlers/load-esbuild.js';
import { createSourceProject, type SourceProject } from '../../runtime/call/handlers/source-project.js';
import { isFile } from '../../runtime/call/handlers/tsconfig.js';
import { codeOf, joinPath, nodeFolder } from '../../runtime/load/folder.js';
import { load } from '../../runtime/load/load.js';
import type { Program } from '../../runtime/load/program.js';
import { maxCodeBytes, readBytes, readUtf8 } from '../../runtime/load/read-file.js';
import { type Diagnostic, diagnose, hasErrors, startOf } from '../../schema/diagnostics.js';
import { asMap } from '../../schema/document.js';
import { parseJson } from '../../schema/json-text.js';
import { hashText } from '../compile/ledger.js';
import { toDiagnostic } from './bundle-modules.js';
import { oddFilesPlugin } from './bundle-plugins.js';

export interface CompiledPack {
  /** What was written, relative to the pack. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

type Format = 'esm' | 'cjs';

interface Module {
  /** Relative to the pack. */
  readonly source: string;
  readonly target: string;
  readonly format: Format;
}

export async function compilePack(
  where: string,
  { sourcemap }: { readonly sourcemap: boolean },
): Promise<CompiledPack> {
  const folder = nodeFolder(where);
  const { program, diagnostics } = load(folder);
  if (program === undefined || hasErrors(diagnostics)) return { files: [], diagnostics };
  const { handlers, dist, generated, root } = program.pack;
  if (handlers === dist || dist === '') {
    const reason = 'handlers and dist are the same folder';
    return {
      files: [],
      diagnostics: [diagnose('build/out-folder', { path: dist, reason }, startOf('toolwright.yaml'))],
    };
  }
  const project = createSourceProject();
  const opened = openModules(folder, { handlers, dist });
  const modules = opened
    .below(handlers, new Set([dist, generated, root]))
    .filter(path => !/\.(test|spec)\.[cm]?[jt]sx?$/.test(path))
    .map((source): Module => {
      const format = project.formatOf(join(folder.path, source), opened.text(source));
      return { source, target: targetOf(source, program.pack), format };
    });
  const made = [
    ...(await transform(
      modules.filter(({ format }) => format === 'esm'),
      'esm',
      { program, project, sourcemap },
    )),
    ...(await transform(
      modules.filter(({ format }) => format === 'cjs'),
      'cjs',
      { program, project, sourcemap },
    )),
  ];
  const found = [...diagnostics, ...made.flatMap(one => ('diagnostic' in one ? [one.diagnostic] : []))];
  if (hasErrors(found)) return { files: [], diagnostics: found };
  const outputs = made.flatMap(one => ('output' in one ? [one.output] : []));
  const wrong = outputs.flatMap(({ path, contents }) => write(path, contents, folder.path));
  const files = outputs.map(({ path }) => relative(folder.path, path).split(sep).join('/')).sort();
  if (wrong.length > 0) return { files: [], diagnostics: [...found, ...wrong] };
  const notes = outputs.map(({ path, contents }): [string, string] => [path, hashText(contents)]);
  return { files, diagnostics: [...found, ...removeOld(join(folder.path, dist), new Map(notes), folder.path)] };
}

/** In the dist folder: what `build --pack` wrote there. */
const notesFile = '.toolwright-compiled.json';

/** Handlers of items that are gone would be published with the others. What is not as an earlier run wrote it is somebody's, and stays. */
function removeOld(dist: string, made: ReadonlyMap<string, string>, folder: string): readonly Diagnostic[] {
  const notes = join(dist, notesFile);
  const before = isFile(notes) ? asMap(parseJson(readUtf8(notes))) : {};
  for (const [name, hash] of Object.entries(before)) {
    const path = join(dist, name);
    if (made.has(path) || relative(dist, path).startsWith('..') || !isFile(path)) continue;
    if (hashText(readBytes(path, maxCodeBytes)) === hash) rmSync(path);
  }
  const now = [...made].map(([path, hash]) => [relative(dist, path).split(sep).join('/'), hash] as const).sort();
  return write(notes, new TextEncoder().encode(`${JSON.stringify(Object.fromEntries(now), undefined, 2)}\n`), folder);
}

/** The handlers prefix becomes dist, the extension JavaScript's: where find-handler looks for it. */
function targetOf(source: string, { handlers, dist }: Pick<Program['pack'], 'handlers' | 'dist'>): string {
  const inside = handlers === '' ? source : source.slice(handlers.length + 1);
  const kind = /\.([cm])[jt]s$/.exec(source)?.[1] ?? '';
  return joinPath(dist, `${stemOf(inside)}.${kind}js`);
}

interface Surroundings {
  readonly program: Program;
  readonly project: SourceProject;
  readonly sourcemap: boolean;
}

type Made = { readonly diagnostic: Diagnostic } | { readonly output: OutputFile };

async function transform(modules: readonly Module[], format: Format, around: Surroundings): Promise<readonly Made[]> {
  if (modules.length === 0) return [];
  const { pack } = around.program;
  const { build } = loadEsbuild();
  try {
    const { outputFiles, warnings } = await build({
      absWorkingDir: pack.folder,
      // One build for each ending, or esbuild would give all the same.
      entryPoints: modules.map(({ source, target }) => ({ in: join(pack.folder, source), out: target })),
      outdir: pack.folder,
      bundle: true,
      write: false,
      platform: 'node',
      format,
      target: 'node20.19',
      sourcemap: around.sourcemap ? 'linked' : false,
      logLevel: 'silent',
      plugins: [oddFilesPlugin(), keepImports(modules, around)],
    });
    const outputs = outputFiles.map(file => ({ output: { ...file, text: file.text, path: trimEnding(file.path) } }));
    return [
      ...outputs,
      ...warnings.map(one => ({ diagnostic: toDiagnostic('build/module-warning', one, pack.folder) })),
    ];
  } catch (error) {
    if (!(error instanceof Error) || !('errors' in error) || !Array.isArray(error.errors)) throw error;
    return error.errors.map(one => ({ diagnostic: toDiagnostic('build/module', one, pack.folder) }));
  }
}

/** esbuild adds `.js` to a name that has its ending already. */
function trimEnding(path: string): string {
  return path.replace(/(\.[cm]?js)\.js(\.map)?$/, '$1$2');
}

/** Every import stays outside; one of another module of the pack leads to where that module will be. */
function keepImports(modules: readonly Module[], { program, project }: Surroundings): Plugin {
  const { folder } = program.pack;
  const targets = new Map(modules.map(({ source, target }) => [join(folder, source), join(folder, target)]));
  const resolve = ({ path, importer, resolveDir, kind }: OnResolveArgs): OnResolveResult | undefined => {
    if (kind === 'entry-point') return undefined;
    const exact = path.startsWith('.') ? join(resolveDir, path) : undefined;
    // Data become part of the module: Node wants more words for them than TypeScript.
    if (exact?.endsWith('.json')) return undefined;
    const isThere = exact !== undefined && (targets.has(exact) || isFile(exact));
    const found = isThere ? exact : project.locate(path, importer);
    const file = found ?? exact;
    if (file === undefined) return { path, external: true };
    const from = targets.get(importer);
    const way = relative(dirname(from ?? importer), targets.get(file) ?? file)
      .split(sep)
      .join('/');
    return { path: way.startsWith('.') ? way : `./${way}`, external: true };
  };
  return { name: 'toolwright-keep-imports', setup: build => build.onResolve({ filter: /./ }, resolve) };
}

function write(path: string, contents: Uint8Array, folder: string): readonly Diagnostic[] {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const temporary = `${path}.${process.pid}.tmp`;
    writeFileSync(temporary, contents);
    renameSync(temporary, path);
    return [];
  } catch (error) {
    const shown = relative(folder, path).split(sep).join('/');
    return [diagnose('build/not-written', { path: shown, reason: codeOf(error) ?? String(error) }, startOf(shown))];
  }
}
