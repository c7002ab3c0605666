// toolwright import [source]
import { constants } from 'node:os';
import { relative, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { type FileChange, plannedFolder, writeChanges } from '../../generator/author/change-book.js';
import { findProjectFiles, type InitSettings, toPackageName } from '../../generator/author/init-settings.js';
import type { Imported } from '../../generator/import/imported.js';
import { type ImportOptions, type ImportPlan, joinChanges, planImport } from '../../generator/import/plan-import.js';
import { readRecord } from '../../generator/import/record/record.js';
import { type Folder, nodeFolder } from '../../runtime/load/folder.js';
import { type LoadedPack, load } from '../../runtime/load/load.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { onShutdown } from '../../runtime/serve/signals.js';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../../schema/diagnostics.js';
import { lockAuthor } from '../generate/author-report.js';
import { generateAnew } from '../generate/generate.js';
import { findSurroundings, makeFolder } from '../init/init.js';
import { openMemory } from '../memory/memory.js';
import { workingFolder } from '../pack/pack-command.js';
import { UsageError } from '../terminal/usage-error.js';
import type { ImportFlags } from './flags.js';
import { findJobs, findTarget, type Job, newFolder, noteOf } from './jobs.js';
import { nextSteps } from './next-steps.js';
import { type Opened, openSource } from './open-source.js';
import { printImport } from './print-import.js';
import { refuseFlags } from './settings.js';
import { readSource, type Source } from './source.js';

/** A source that was read, and what it changes. */
export interface Done {
  readonly opened: Opened;
  readonly plan: ImportPlan;
  readonly address: string;
}

/**
 * A large document is a second of work in code that runs a few thousand times: V8 would spend a third of it on optimizing what is over by
 * then. With this many steps before it begins, all of GitHub takes 1.0 s of CPU instead of 1.45, and documents that take minutes take as long.
 */
const stepsBeforeOptimizing = 1_000_000;

export async function importCommand(typed: string | undefined, flags: ImportFlags): Promise<number> {
  setFlagsFromString(`--interrupt-budget=${stepsBeforeOptimizing}`);
  const cwd = workingFolder(flags);
  if (flags.ours === true && flags.theirs === true)
    throw new UsageError(
      '--ours and --theirs are for different conflicts: name a field with one of them, or leave one out',
    );
  const named = readSource(typed, flags.words, cwd);
  const pack = findTarget(cwd, flags.into);
  const jobs = findJobs(named, pack, flags, cwd);
  const stop = new AbortController();
  let ended: NodeJS.Signals | undefined;
  // A server that was started has to end, too.
  const unlisten = onShutdown(signal => {
    ended = signal;
    stop.abort();
  });
  try {
    // A folder that has no name yet is beside what is imported, whatever its name will be.
    const home = pack ?? resolve(cwd, 'new');
    const opened = await openAll(jobs, home, flags, stop.signal);
    const target = pack ?? newFolder(opened[0]?.imported, cwd, opened.length);
    const code = await finish({ jobs, opened, target, cwd, flags, signal: stop.signal });
    // What shells expect of a program that a signal ended.
    return ended === undefined ? code : 128 + constants.signals[ended];
  } finally {
    unlisten();
  }
}

async function openAll(
  jobs: readonly Job[],
  pack: string,
  flags: ImportFlags,
  signal: AbortSignal,
): Promise<readonly Opened[]> {
  const isTalking = flags.quiet !== true && process.stderr.isTTY === true;
  const tell = (step: string): void => void (isTalking && process.stderr.write(`${step}\n`));
  const all: Opened[] = [];
  // Nothing is started for a command line that is wrong.
  for (const { source } of jobs) refuseFlags(flags, source.of, typeOf(source));
  for (const { source, settings, name } of jobs) {
    const opened = await openSource(source, settings, { pack, name: flags.name ?? name, signal, tell });
    if (opened.imported !== undefined) refuseFlags(flags, source.of, opened.of);
    all.push(opened);
  }
  return all;
}

/** An address has to be asked. */
function typeOf({ of }: Source): Opened['of'] | undefined {
  return of === 'file' ? 'document' : of === 'command' ? 'server' : undefined;
}

interface Scene {
  readonly jobs: readonly Job[];
  readonly opened: readonly Opened[];
  readonly target: string;
  readonly cwd: string;
  readonly flags: ImportFlags;
  readonly signal: AbortSignal;
}

async function finish({ jobs, opened, target, cwd, flags, signal }: Scene): Promise<number> {
  const folder = nodeFolder(target);
  const isPack = folder.status(manifestFile) === 'file';
  const isRead = opened.some(({ imported }) => imported !== undefined);
  const mayWrite = isRead && flags.dryRun !== true && flags.check !== true;
  // Loading is half of what an import costs where nothing has changed.
  const cache = openMemory(target);
  const before = isPack ? load(target, { cache }) : undefined;
  // A pack without generated code works as it is; one that has some must not be left with old types. The lock makes the folder.
  const hasCode = before?.manifest !== undefined && (folder.list(before.manifest.generated) ?? []).length > 0;
  const lock = mayWrite && before?.manifest !== undefined ? await lockAuthor(target, before) : undefined;
  try {
    const start = lock === undefined ? before : load(target, { cache });
    cache.save();
    const { done, changes } = planAll({ jobs, opened, target, cwd, flags }, folder, start);
    // Planning is one step, in which no signal is heard. The first turn may end the round of the event loop in which it began.
    await setImmediate();
    await setImmediate();
    if (signal.aborted && opened.every(({ imported }) => imported !== undefined)) {
      process.stderr.write('toolwright: the import was stopped; nothing is written\n');
      return 1;
    }
    // A record that cannot be read names no source, so that no plan says so.
    const ofRecord = jobs.length === 0 ? readRecord(isPack ? folder : nodeFolder(cwd)).diagnostics : [];
    const ofSources = done.flatMap(({ opened: { diagnostics }, plan }) => [
      ...diagnostics,
      ...chosenInVain(plan, done),
    ]);
    const planned = [...ofRecord, ...ofSources];
    const isWritten = mayWrite && !hasErrors(planned) && !(lock !== undefined && 'code' in lock) && changes.length > 0;
    if (isWritten && !isPack) makeFolder(target);
    const failed = lock !== undefined && 'code' in lock ? [lock] : isWritten ? await writeChanges(changes, target) : [];
    const isApplied = isWritten && failed.length === 0;
    const held = lock !== undefined && 'release' in lock ? lock : undefined;
    const made = isApplied && hasCode ? await generateAnew(target, { write: true, lock: held }) : undefined;
    const news = (made?.diagnostics ?? []).filter(({ code }) => code !== 'generate/unwritten');
    const diagnostics = sortDiagnostics([...planned, ...failed, ...news]);
    const view = {
      done,
      changes,
      diagnostics,
      isApplied,
      isNew: !isPack,
      generated: made?.operations ?? [],
      target,
      cwd,
    };
    process.stdout.write(printImport(view, flags));
    if (isApplied && !flags.quiet && flags.format === 'text') process.stderr.write(nextSteps(view, hasCode));
    if (hasErrors(diagnostics)) return 1;
    return flags.check === true && changes.length > 0 ? 1 : 0;
  } finally {
    if (lock !== undefined && 'release' in lock) lock.release();
  }
}

/** Words of --ours and --theirs are for one of the sources: the others need not know them. */
function chosenInVain({ diagnostics }: ImportPlan, done: readonly Done[]): readonly Diagnostic[] {
  return diagnostics.filter(
    ({ code, message }) =>
      code !== 'import/unknown-choice' ||
      done.every(({ plan }) => plan.diagnostics.some(one => one.code === code && one.message === message)),
  );
}

/** Each source is planned on what the ones before it leave. */
function planAll(
  { jobs, opened, target, cwd, flags }: Omit<Scene, 'signal'>,
  folder: Folder,
  before: LoadedPack | undefined,
): { readonly done: readonly Done[]; readonly changes: readonly FileChange[] } {
  const done: Done[] = [];
  let changes: readonly FileChange[] = [];
  for (const [index, job] of jobs.entries()) {
    const one = opened[index];
    if (one === undefined) continue;
    const { imported, of } = one;
    const source = noteOf(job.source, { ...job.settings, ...(of === 'server' ? { isServer: true } : {}) }, target);
    const { address } = source;
    if (imported === undefined) {
      done.push({ opened: one, plan: nothing(job.name ?? ''), address });
      continue;
    }
    const here = changes.length === 0 ? folder : plannedFolder(folder, changes);
    const loaded = changes.length === 0 ? before : load(here);
    const newPack = loaded === undefined ? settingsOf(imported, folder, cwd) : undefined;
    const options = optionsOf(flags);
    const plan = planImport({
      folder: here,
      loaded,
      newPack,
      imported,
      source: { ...source, name: job.name },
      options,
    });
    changes = joinChanges(changes, plan.changes);
    done.push({ opened: one, plan, address });
  }
  // A conflict in one of them stops all.
  return { done, changes: done.some(({ plan }) => hasErrors(plan.diagnostics)) ? [] : changes };
}

function nothing(source: string): ImportPlan {
  return { changes: [], items: [], diagnostics: [], record: undefined, source, notes: [] };
}

function optionsOf({ prune, ours, theirs, restore }: ImportFlags): ImportOptions {
  const choice = (given: string | true | undefined): ImportOptions['ours'] =>
    given === true ? 'all' : given?.split(',').map(word => word.trim());
  return { prune: prune === true, ours: choice(ours), theirs: choice(theirs), restore };
}

/** As `init --empty --yes` would have them. */
function settingsOf({ name, title, description }: Imported, folder: Folder, cwd: string): InitSettings {
  const found = findProjectFiles(folder);
  const [line = ''] = (title ?? description ?? name).split(/\r?\n/);
  return {
    ...findSurroundings(folder.path, found),
    name: toPackageName(folder.path === cwd ? name : relative(resolve(folder.path, '..'), folder.path)),
    description: line.slice(0, 200),
    language: 'ts',
    transport: 'stdio',
    isEmpty: true,
  };
}
