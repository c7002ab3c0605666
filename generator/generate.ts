// The whole way from a pack to its files: load, plan, then render only what the disk does not have yet.

import { type Folder, nodeFolder } from '../runtime/load/folder.js';
import { type LoadedPack, type LoadOptions, load } from '../runtime/load/load.js';
import { type Diagnostic, diagnose, hasErrors, sortDiagnostics } from '../schema/diagnostics.js';
import { type Applied, apply } from './apply.js';
import { applyArtifacts } from './apply-artifacts.js';
import type { Lock } from './apply-lock.js';
import { diagnosticsOf, type FileOp } from './file-op.js';
import { checkHandlers, type ScanMemo } from './handlers/check-handlers.js';
import { type Plan, plan, type SectionMemo } from './plan.js';
import { detectProject } from './project.js';
import { createFinder } from './project-modules.js';
import { readSchemas } from './read-schemas.js';
import { isCurrent, reconcile } from './reconcile.js';
import { type KnownHash, type Snapshot, takeSnapshot } from './snapshot.js';
import { loadValidatorPrinter, UnusableSchemaError } from './validators/print.js';

export interface GenerateOptions extends LoadOptions {
  /** Replaces files that were edited by hand. */
  readonly force?: boolean;
  /** Checks that every handler module is there and exports what the manifest names. Always done after writing. */
  readonly handlers?: boolean;
  /** Hashes of generated files that need not be read. */
  readonly knownHash?: KnownHash | undefined;
  /** Remembers the declarations of items between runs. */
  readonly sections?: SectionMemo;
  /** Remembers what handler modules export, by their content. */
  readonly scans?: ScanMemo;
  /** The pack's lock, where the caller holds it already. */
  readonly lock?: Lock | undefined;
  /** Of the compiler: files written by another build are rendered anew. */
  readonly build?: string;
}

export interface Generated {
  /** Nothing is wrong, whether or not something is to be written. */
  readonly ok: boolean;
  /** One per file, in order of their paths; empty where the pack has errors. */
  readonly operations: readonly FileOp[];
  readonly diagnostics: readonly Diagnostic[];
  readonly loaded: LoadedPack;
}

/**
 * Compiles a pack without writing anything: what would happen to each file of it.
 *
 * @example
 * const { operations, diagnostics } = await generate('packs/jira');
 * console.log(operations.filter(({ op }) => op !== 'keep').map(({ op, path }) => `${op} ${path}`));
 */
export async function generate(where: string | Folder, options: GenerateOptions = {}): Promise<Generated> {
  const prepared = prepare(where, options);
  if ('operations' in prepared) return prepared;
  const { folder, made, snapshot, loaded } = prepared;
  const unusable = await printValidators(made, snapshot);
  if (unusable.length > 0) return finish(prepared, [], unusable);
  const operations = reconcile(made.artifacts, snapshot, options);
  // Without being asked, what a run would fix is not a mistake.
  const handlers = options.handlers ? await checkHandlers(loaded, folder, options.scans) : [];
  return finish(prepared, operations, [...diagnosticsOf(operations), ...handlers, ...made.diagnostics()]);
}

/**
 * Compiles a pack and writes what changed: each file is old or new at any moment, and runs do not disturb each other.
 *
 * @example const { operations } = await generateAndApply('packs/jira');
 */
export async function generateAndApply(where: string | Folder, options: GenerateOptions = {}): Promise<Generated> {
  const prepared = prepare(where, options);
  if ('operations' in prepared) return prepared;
  const { folder, made, snapshot, loaded } = prepared;
  const unusable = await printValidators(made, snapshot);
  if (unusable.length > 0) return finish(prepared, [], unusable);
  const done = await applyArtifacts(made.artifacts, folder.path, {
    generated: snapshot.generated,
    snapshot,
    lock: options.lock,
    prepare: async current => {
      await printValidators(made, current);
    },
    ...(options.force === undefined ? {} : { force: options.force }),
  });
  // Also where nothing was written: a mistake that is reported only once would look fixed.
  const found = await checkHandlers(loaded, folder, options.scans);
  // A stub that could not be written is missing for a reason, which is reported.
  const isRefused = done.ops.some(({ op, role }) => op === 'refuse' && role === 'stub');
  const handlers = isRefused ? found.filter(({ code }) => code !== 'generate/missing-handler') : found;
  return finish(prepared, done.ops, [...done.diagnostics, ...handlers, ...made.diagnostics()]);
}

/**
 * Writes what `generate` found out, as long as the disk is still as it was seen then.
 *
 * @example const { diagnostics } = await applyGenerated(await generate('packs/jira'));
 */
export async function applyGenerated({ operations, loaded }: Generated): Promise<Applied> {
  if (loaded.program === undefined) return { applied: [], diagnostics: [] };
  const { folder, generated } = loaded.program.pack;
  return apply(operations, folder, { generated });
}

interface Prepared {
  readonly folder: Folder;
  readonly loaded: LoadedPack;
  readonly diagnostics: readonly Diagnostic[];
  readonly made: Plan;
  readonly snapshot: Snapshot;
}

/** The result already where the pack has errors: nothing is generated from half a pack. */
function prepare(where: string | Folder, options: GenerateOptions): Prepared | Generated {
  const folder = typeof where === 'string' ? nodeFolder(where) : where;
  // Maps lead to every line that is printed of.
  const loaded = load(folder, { ...options, keepsTrees: true });
  const { program } = loaded;
  if (program === undefined || hasErrors(loaded.diagnostics)) {
    return { ok: false, operations: [], diagnostics: loaded.diagnostics, loaded };
  }
  const project = detectProject(folder, program.pack.handlers);
  const made = plan(program, {
    project: project.value,
    find: createFinder(folder),
    schemas: readSchemas(),
    hashOf: loaded.hashOf,
    originOf: loaded.originOf,
    build: options.build ?? 'source',
    sections: options.sections,
  });
  const { generated } = program.pack;
  const look = { generated, artifacts: made.artifacts, knownHash: options.knownHash };
  const diagnostics = [...loaded.diagnostics, ...project.diagnostics];
  return { folder, loaded, diagnostics, made, snapshot: takeSnapshot(folder.path, look) };
}

/**
 * Renders the validators that the disk does not have; ajv is loaded only where one of them needs it. A schema that passed
 * every check but of which ajv makes no code is a mistake of the pack, and nothing is written then.
 */
async function printValidators(
  { artifacts, validators, usePrinter }: Plan,
  snapshot: Snapshot,
): Promise<readonly Diagnostic[]> {
  const needed = artifacts.filter(one => validators.has(one.path) && !isCurrent(one, snapshot));
  if (needed.length === 0) return [];
  usePrinter(await loadValidatorPrinter(needed.flatMap(({ path }) => validators.get(path) ?? [])));
  return needed.flatMap(artifact => {
    try {
      artifact.render();
      return [];
    } catch (error) {
      const tool = validators.get(artifact.path);
      if (!(error instanceof UnusableSchemaError) || tool === undefined) throw error;
      const site = (error.role === 'input' ? tool.inputSite : tool.outputSite)?.([]) ?? tool.at.site([]);
      return [diagnose('generate/unusable-schema', { role: error.role, reason: error.reason }, site)];
    }
  });
}

function finish(prepared: Prepared, operations: readonly FileOp[], found: readonly Diagnostic[]): Generated {
  // Of two ways to say that a handler's item is gone, the one that points at its name in the code is said.
  const orphans = new Set(found.filter(({ code }) => code === 'generate/orphan-stub').map(({ file }) => file));
  const news = found.filter(({ code, file }) => code !== 'generate/leftover-stub' || !orphans.has(file));
  const diagnostics = sortDiagnostics([...prepared.diagnostics, ...news]);
  return { ok: !hasErrors(diagnostics), operations, diagnostics, loaded: prepared.loaded };
}
