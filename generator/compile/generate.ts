// The whole way from a pack to its files: load, plan, render what the disk does not have yet, reconcile, apply, check the handlers.
import { isTaken } from '../../runtime/call/handlers/missing-handlers.js';
import { type Folder, nodeFolder } from '../../runtime/load/folder.js';
import { type LoadedPack, type LoadOptions, load } from '../../runtime/load/load.js';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../../schema/diagnostics.js';
import { checkHandlers } from '../handlers/check-handlers.js';
import { explainLeftover, findMisspelt } from '../handlers/misplaced-handlers.js';
import { type Applied, type ApplyOptions, apply, underLock } from './apply.js';
import type { Lock } from './apply-lock.js';
import { type GeneratedFile, plan } from './plan.js';
import { createFinder, detectProject } from './project/project.js';
import { diagnosticsOf, type FileOp, isCurrent, type ReconcileOptions, reconcile } from './reconcile.js';
import { makePlaces, readLedgers, type Snapshot, takeSnapshot } from './snapshot.js';

export interface GenerateOptions extends LoadOptions {
  /** Writes what changed: each file is old or new at any moment, and runs do not disturb each other. */
  readonly write?: boolean;
  /** Replaces files that were edited by hand. */
  readonly force?: boolean;
  /** Checks that every handler module is there and exports what the manifest names. Always done after writing. */
  readonly handlers?: boolean;
  /** The pack's lock, where the caller holds it already. */
  readonly lock?: Lock | undefined;
  /** Of the compiler: files written by another build are rendered anew. Without it, only YAML is taken from `cache`. */
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
 * Compiles a pack: what would happen to each file of it, or with `write`, what happened.
 *
 * @example
 * const { operations, diagnostics } = await generate('packs/jira');
 * console.log(operations.filter(({ op }) => op !== 'keep').map(({ op, path }) => `${op} ${path}`));
 */
export async function generate(where: string | Folder, options: GenerateOptions = {}): Promise<Generated> {
  const { write = false, force = false, handlers: isAsked = false, build, cache, lock } = options;
  const folder = typeof where === 'string' ? nodeFolder(where) : where;
  // Maps lead to every line that is printed of.
  const loaded = load(folder, { ...options, keepsTrees: true });
  const { program, hashOf } = loaded;
  // Nothing is generated from half a pack.
  if (program === undefined || hasErrors(loaded.diagnostics))
    return { ok: false, operations: [], diagnostics: loaded.diagnostics, loaded };

  const project = detectProject(folder, program.pack.handlers);
  const { files: planned, findWidened } = plan(program, {
    project: project.value,
    find: createFinder(folder),
    hashOf,
    build: build ?? 'source',
    cache: build === undefined ? undefined : cache,
  });
  const misspelt = findMisspelt(program, folder);
  const files = planned.filter(({ role, path }) => role !== 'stub' || !isTaken(path, misspelt));
  const { generated } = program.pack;
  const { operations, diagnostics: found } = await updateFiles(files, folder.path, { generated, write, force, lock });
  const isRendered = operations.length > 0;

  // Without being asked, what a run would fix is not a mistake. After writing it is, also where nothing was written: a mistake that is
  // reported only once would look fixed.
  const missing = isRendered && (write || isAsked) ? await checkHandlers(loaded, folder, { hasStubs: write }) : [];
  // A stub that could not be written is missing for a reason, which is reported.
  const isRefused = write && operations.some(({ op, role }) => op === 'refuse' && role === 'stub');
  const handlers = isRefused ? missing.filter(({ code }) => code !== 'generate/missing-handler') : missing;

  // Of a stub that this run writes, its line says enough.
  const created = new Set(
    operations.filter(({ op, role }) => op === 'create' && role === 'stub').map(({ path }) => path),
  );
  const told = handlers.filter(({ code, file }) => code !== 'generate/unwritten' || !created.has(file));

  const widened = isRendered ? findWidened() : [];
  const left = found.map(one => (one.code === 'generate/leftover-stub' ? explainLeftover(one, program, folder) : one));
  const news = withoutEchoes([...left, ...told, ...widened]);
  const diagnostics = sortDiagnostics([...loaded.diagnostics, ...project.diagnostics, ...news]);
  return { ok: !hasErrors(diagnostics), operations, diagnostics, loaded };
}

/** Of two ways to say that a handler's item is gone, the one that points at its name in the code is said. */
function withoutEchoes(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const orphans = new Set(found.filter(({ code }) => code === 'generate/orphan-stub').map(({ file }) => file));
  return found.filter(({ code, file }) => code !== 'generate/leftover-stub' || !orphans.has(file));
}

// Planned files to disk: snapshot, render, reconcile, apply. In: the files that should exist and a pack's folder. Out: an operation for
// each file, carried out where asked.
// The lock is held only where there is something to write: runs with nothing to do write nothing, not even a lock.
export interface UpdateOptions extends ApplyOptions, ReconcileOptions {
  /** Brings the disk in line; else only what would happen is found out. */
  readonly write?: boolean | undefined;
}

export interface Updated extends Applied {
  readonly operations: readonly FileOp[];
}

/**
 * Brings the disk in line with the files, or tells what that would mean. Where one of them cannot be rendered, nothing happens.
 *
 * @example const { applied, diagnostics } = await updateFiles(files, '/packs/jira', { generated: 'generated', write: true })
 */
export async function updateFiles(
  files: readonly GeneratedFile[],
  folder: string,
  options: UpdateOptions,
): Promise<Updated> {
  const before = takeSnapshot(folder, options.generated, files);
  const decided = await decide(files, before, options);
  const { operations, diagnostics } = decided;
  const hasWork = operations.some(({ op }) => op !== 'keep' && op !== 'refuse');
  if (!options.write || !hasWork) return { ...decided, applied: [] };
  const done = await underLock(folder, options, async lock => {
    // Another run may have written while this one rendered or waited: then nothing known of the files counts any more.
    const now = readLedgers(makePlaces(folder), options.generated);
    const isStale = now.ledger !== before.ledger || now.journal !== before.journal;
    const current = isStale
      ? (await decide(files, takeSnapshot(folder, options.generated, files), options)).operations
      : operations;
    return refuseUndone(current, await apply(current, folder, { ...options, lock }));
  });
  if (!('code' in done)) return done;
  return refuseUndone(operations, { applied: [], diagnostics: sortDiagnostics([...diagnostics, done]) });
}

type Decided = Pick<Updated, 'operations' | 'diagnostics'>;

async function decide(
  files: readonly GeneratedFile[],
  snapshot: Snapshot,
  options: ReconcileOptions,
): Promise<Decided> {
  const texts = new Map<string, string>();
  const unusable: Diagnostic[] = [];
  for (const file of files) {
    if (isCurrent(file, snapshot)) continue;
    const rendered = await file.render();
    if (typeof rendered === 'string') texts.set(file.path, rendered);
    else unusable.push(rendered);
  }
  if (unusable.length > 0) return { operations: [], diagnostics: sortDiagnostics(unusable) };
  const operations = reconcile(files, texts, snapshot, options);
  return { operations, diagnostics: sortDiagnostics(diagnosticsOf(operations)) };
}

/** What was not done is refused, by the disk or by another run: nobody should read that it was. */
function refuseUndone(operations: readonly FileOp[], { applied, diagnostics }: Applied): Updated {
  const done = new Set(applied);
  // What is wrong with another file stops only that one, but without a ledger nothing is written.
  const ofOthers = new Set(diagnosticsOf(operations.filter(({ role }) => role !== 'ledger')));
  const causes = diagnostics.filter(one => !ofOthers.has(one));
  const outcome = operations.map((op): FileOp => {
    const isDone = op.op === 'keep' || op.op === 'refuse' || done.has(op);
    const diagnostic = causes.find(({ file }) => file === op.path) ?? causes[0];
    if (isDone || diagnostic === undefined || (op.role !== 'generated' && op.role !== 'stub')) return op;
    const { path, role, before } = op;
    return { op: 'refuse', path, role, diagnostic, ...(before === undefined ? {} : { before, after: before }) };
  });
  return { operations: outcome, applied, diagnostics };
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
