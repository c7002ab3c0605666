// In: a program, its folder and the compiler of its project. Out: the type errors of the author's own code, each with the manifest
// line that it contradicts.
import { openModules, wantedHandlers } from '../../runtime/call/handlers/find-handler.js';
import type { Folder } from '../../runtime/load/folder.js';
import type { LoadedPack } from '../../runtime/load/load.js';
import type { Program } from '../../runtime/load/program.js';
import { type Diagnostic, diagnose, type Site, sortDiagnostics, startOf } from '../../schema/diagnostics.js';
import { definitionSite } from '../compile/declarations/item.js';
import type { Generated } from '../compile/generate.js';
import { isEditorSchema } from '../compile/pack-schemas.js';
import { type FileOp, isChange } from '../compile/reconcile.js';
import { leadsToGenerated } from '../handlers/generated-uses.js';
import { type CompiledProject, type Compiler, type CompilerError, compileProject } from './compile-project.js';
import { openExplainer } from './explain-error.js';
import { type CheckedPack, kindOfFile, type PlacedError, placeError, shortenMessage } from './place-error.js';
import { hintForPackage, isNotFound, reportUnresolved, specifierOf } from './unresolved-imports.js';

/**
 * Checks the types of a pack's sources with the compiler that its project has.
 *
 * @example await typecheckPack(load('packs/jira'), nodeFolder('packs/jira'), findCompiler('packs/jira'))
 */
export async function typecheckPack(
  loaded: Pick<LoadedPack, 'program' | 'catalog'>,
  folder: Folder,
  compiler: Compiler | undefined,
): Promise<readonly Diagnostic[]> {
  const { program } = loaded;
  if (program === undefined) return [];
  const modules = openModules(folder, program.pack);
  const handlers = wantedHandlers(loaded).flatMap(({ path }) => {
    const found = modules.find(path);
    return found.found === 'module' ? [found.path] : [];
  });
  const manifest = startOf(program.pack.at.site([]).file);
  if (compiler === undefined) {
    if (handlers.length === 0) return [];
    const hint = 'npm install --save-dev typescript';
    return [diagnose('typecheck/compiler', { reason: 'it is not installed' }, manifest, { hint })];
  }
  const compiled = await compileProject(folder.path, handlers, compiler);
  if (compiled.failure !== undefined) {
    const hint = 'run tsc --noEmit to see why';
    return [diagnose('typecheck/compiler', { reason: compiled.failure }, manifest, { hint })];
  }
  return sortDiagnostics(await report(compiled, { program, folder, version: compiler.version }));
}

async function report(compiled: CompiledProject, checked: CheckedPack): Promise<readonly Diagnostic[]> {
  const { program, folder } = checked;
  const { generated } = program.pack;
  const placed = compiled.errors.map(one => placeError(one, folder));
  const inFiles = (kind: ReturnType<typeof kindOfFile>) =>
    placed.filter(one => kindOfFile(one.site.file, program) === kind);
  const own = inFiles('own');
  const missing = own.find(
    one => isNotFound(one) && leadsToGenerated(specifierOf(one), { path: one.site.file, generated }),
  );
  // Without the generated types everything else is only a consequence.
  if (missing !== undefined) {
    const hint = 'run toolwright generate';
    return [diagnose('typecheck/not-generated', { path: generated }, missing.site, { hint })];
  }
  const config = inFiles('config');
  // Errors of others are not reported, unless the compiler went no further because of them.
  const blocking = inFiles('foreign').filter(({ isSyntax }) => isSyntax);
  const errors = own.length + config.length === 0 ? blocking : own;
  const explainer = errors.length === 0 ? undefined : await openExplainer(errors, compiled, checked);
  const unresolved = [...inFiles('generated'), ...(explainer?.silentlyUnresolved() ?? [])];
  return [
    ...config.map(one => diagnose('typecheck/config', paramsOf(one), one.site)),
    ...reportUnresolved(unresolved, compiled.options, checked.version),
    ...errors.map(reportError),
  ];

  function reportError(error: PlacedError): Diagnostic {
    const { site, related } = explainer?.explain(error) ?? { site: error.site, related: [] };
    const isOfManifest = related.some(({ file }) => !/\.[cm]?[jt]sx?$/.test(file));
    const isToolwright = isNotFound(error) && /^toolwright(?:\/|$)/.test(specifierOf(error));
    const fix = isToolwright
      ? hintForPackage(specifierOf(error), compiled.options, checked.version)
      : 'correct the code';
    const hint = isOfManifest ? undefined : fix;
    return diagnose('typecheck/error', paramsOf(error), site, { severity: error.severity, related, hint });
  }
}

function paramsOf({ code, message }: CompilerError): { readonly number: number; readonly message: string } {
  return { number: code, message: shortenMessage(message) };
}

// In: what generate would do. Out: whether the types on disk are those of the manifest, before anything is checked by them.

/**
 * One diagnostic where generate would change the code in the generated folder. Files that it refuses have diagnostics of their own.
 *
 * @example checkGenerated(await generate('packs/jira'))
 */
export function checkGenerated({
  operations,
  loaded,
}: Pick<Generated, 'operations' | 'loaded'>): Diagnostic | undefined {
  const { program } = loaded;
  if (program === undefined) return undefined;
  const path = program.pack.generated;
  const files = operations.filter(one => one.role === 'generated' && !isEditorSchema(one.path, program));
  const changes = files.filter(one => isChange(one) && one.op !== 'refuse');
  if (changes.length === 0) return undefined;
  const manifest = startOf(program.pack.at.site([]).file);
  if (files.every(({ op }) => op === 'create')) {
    return diagnose('typecheck/not-generated', { path }, manifest, { hint: 'run toolwright generate' });
  }
  return diagnose('typecheck/out-of-date', { path }, changedItem(changes, program) ?? manifest);
}

/** The first item whose own files change; those of an item that is gone name nothing. */
function changedItem(changes: readonly FileOp[], { pack, tools, prompts, resources }: Program): Site | undefined {
  const item = [...tools, ...prompts, ...resources].find(one =>
    changes.some(({ path }) => path.startsWith(`${pack.generated}/${one.kind}s/${one.item}.`)),
  );
  return item === undefined ? undefined : definitionSite(item);
}
