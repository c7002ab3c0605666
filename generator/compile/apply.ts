// The one stage that writes. In: operations. Out: the disk as they say, and what could not be done.
// Order: lock, journal, deletions, files, ledger, empty folders. Killed at any moment, the next run knows every file: its text
// is in the ledger (old) or in the journal (new).
import { codeOf, isBelow, parentOf } from '../../runtime/load/folder.js';
import { type Diagnostic, diagnose, sortDiagnostics, startOf } from '../../schema/diagnostics.js';
import { type Disk, nodeDisk, reasonOf } from './apply-disk.js';
import { makeWriter, type WriteOp, type Writer } from './apply-files.js';
import { acquireLock, type Lock } from './apply-lock.js';
import { diagnosticsOf, type FileOp, type GeneratedFile } from './generated-file.js';
import { bookkeepingOf, ledgerOf, printLedger } from './ledger.js';
import { isCurrent, type ReconcileOptions, reconcile } from './reconcile.js';
import { makePlaces, readLedgers, type Snapshot, takeSnapshot } from './snapshot.js';

export interface ApplyOptions {
  /** The generated folder, relative to the pack. */
  readonly generated: string;
  /** A lock that the caller holds already; else apply takes one itself. */
  readonly lock?: Lock | undefined;
  /** Milliseconds to wait for another run; 5,000 unless told. */
  readonly wait?: number | undefined;
  readonly disk?: Disk | undefined;
}

export interface Applied {
  /** Also those of refused operations. */
  readonly diagnostics: readonly Diagnostic[];
  /** The operations that were carried out, housekeeping included. */
  readonly applied: readonly FileOp[];
}

/**
 * Carries out what reconcile decided. Files that cannot be written are reported, the others are written all the same.
 *
 * @example const { diagnostics } = await apply(ops, '/packs/jira', { generated: 'generated' })
 */
export async function apply(ops: readonly FileOp[], folder: string, options: ApplyOptions): Promise<Applied> {
  const refusals = diagnosticsOf(ops);
  const isForbidden = ops.some(({ role, op }) => role === 'ledger' && op === 'refuse');
  // Without a ledger nothing could be told from an author's file later.
  if (isForbidden || !ops.some(isWrite)) return { diagnostics: sortDiagnostics(refusals), applied: [] };
  const lock = options.lock ?? (await lockPack(folder, options));
  if ('code' in lock) return { diagnostics: sortDiagnostics([...refusals, lock]), applied: [] };
  try {
    const writer = makeWriter(folder, options.disk ?? nodeDisk);
    const { diagnostics, applied } = await write(ops, writer, options);
    return { diagnostics: sortDiagnostics([...refusals, ...diagnostics]), applied };
  } finally {
    if (options.lock === undefined) lock.release();
  }
}

/** Waits for the pack's lock; a diagnostic where somebody keeps it or the disk refuses. */
export async function lockPack(folder: string, options: Omit<ApplyOptions, 'lock'>): Promise<Lock | Diagnostic> {
  const { generated, wait = 5000, disk = nodeDisk } = options;
  const { lock: path } = bookkeepingOf(generated);
  const writer = makeWriter(folder, disk);
  const made = writer.makeFolder(generated);
  if (!made.isDone) return made.diagnostic;
  try {
    const lock = await acquireLock({ path: writer.full(path), temporary: writer.temporaryIn(generated), disk, wait });
    return 'holder' in lock ? diagnose('generate/locked', { path, holder: lock.holder }, startOf(path)) : lock;
  } catch (error) {
    // It is the first file that is written: what forbids it forbids all, unless only its own name is taken.
    const place = generated === '' || codeOf(error) === 'EISDIR' ? path : generated;
    return diagnose('generate/write-failed', { path: place, reason: reasonOf(error) }, startOf(place));
  }
}

async function write(ops: readonly FileOp[], writer: Writer, { generated }: ApplyOptions): Promise<Applied> {
  const paths = bookkeepingOf(generated);
  const wasKilled = ops.some(({ path }) => path === paths.journal);
  // Deletions first: where case makes no difference, a file may be deleted under its old name and made under its new one.
  const work = [...ops.filter(op => op.op === 'delete'), ...ops.filter(op => op.op !== 'delete')]
    .filter(isWrite)
    .filter(({ path }) => path !== paths.journal && path !== paths.ledger);
  const pending = ledgerOf(
    work.filter(({ op }) => op !== 'delete'),
    () => true,
  );
  const prepared = [
    // The journal of a killed run is about to be replaced: what it knows of the disk goes into the ledger first.
    ...(wasKilled ? [[paths.ledger, printLedger(ledgerOf(ops, () => false))] as const] : []),
    ...(pending.size > 0 ? [[paths.journal, printLedger(pending)] as const] : []),
  ];
  for (const [path, text] of prepared) {
    const written = await writer.overwrite(path, text);
    if (!written.isDone) return { diagnostics: [written.diagnostic], applied: [] };
  }
  const { diagnostics, applied } = await perform(work, writer);
  const undone = new Set<FileOp>(work.filter(op => !applied.has(op)));
  const isSettled = undone.size === 0 && !wasKilled && ops.some(({ role, op }) => role === 'ledger' && op === 'keep');
  // Where all is done, it is what reconcile printed.
  const printed = undone.size > 0 ? undefined : ops.find(({ role }) => role === 'ledger');
  const text = (): string =>
    printed?.op === 'create' || printed?.op === 'replace'
      ? printed.text
      : printLedger(ledgerOf(ops, op => !undone.has(op)));
  const ledger = isSettled ? undefined : await writer.overwrite(paths.ledger, text());
  // Without the ledger the journal is what the next run needs.
  if (ledger?.isDone === false) return { diagnostics: [...diagnostics, ledger.diagnostic], applied: [...applied] };
  const cleaned = writer.remove(paths.journal);
  const deleted = [...applied].filter(({ op, path }) => op === 'delete' && isBelow(path, generated));
  writer.removeEmptyFolders(
    deleted.map(({ path }) => parentOf(path)),
    generated,
  );
  return { diagnostics: cleaned.isDone ? diagnostics : [...diagnostics, cleaned.diagnostic], applied: [...applied] };
}

interface Performed {
  readonly diagnostics: readonly Diagnostic[];
  readonly applied: ReadonlySet<FileOp>;
}

async function perform(work: readonly WriteOp[], writer: Writer): Promise<Performed> {
  const diagnostics: Diagnostic[] = [];
  const applied = new Set<FileOp>();
  for (const op of work) {
    const written = await writer.perform(op);
    if (written.isDone) applied.add(op);
    else {
      diagnostics.push(written.diagnostic);
      if (written.isFinal) break;
    }
  }
  return { diagnostics, applied };
}

function isWrite(op: FileOp): op is WriteOp {
  return op.op === 'create' || op.op === 'replace' || op.op === 'delete';
}

// Planned files to disk. In: the files that should exist and a pack's folder. Out: an operation for each file, carried out where asked.
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
  const lock = options.lock ?? (await lockPack(folder, options));
  if ('code' in lock) {
    return refuseUndone(operations, { applied: [], diagnostics: sortDiagnostics([...diagnostics, lock]) });
  }
  try {
    // Another run may have written while this one rendered or waited: then nothing known of the files counts any more.
    const now = readLedgers(makePlaces(folder), options.generated);
    const isStale = now.ledger !== before.ledger || now.journal !== before.journal;
    const current = isStale
      ? (await decide(files, takeSnapshot(folder, options.generated, files), options)).operations
      : operations;
    return refuseUndone(current, await apply(current, folder, { ...options, lock }));
  } finally {
    if (options.lock === undefined) lock.release();
  }
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
