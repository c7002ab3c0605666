// What has to happen on disk. In: the files that should exist and a snapshot. Out: one operation per file, the ledger's last. Pure: nothing is written.
// A file is ours while its text is what we wrote (by the ledger) or what we would write; all else belongs to somebody.
import { isBelow } from '../../runtime/load/folder.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import {
  bookkeepingOf,
  hashText,
  inputsKey,
  isPackPath,
  type Ledger,
  type LedgerChange,
  type LedgerEntry,
  ledgerOf,
  parseLedgers,
  printLedger,
  versionOfLedger,
} from './ledger.js';
import type { GeneratedFile } from './plan.js';
import type { DiskFile, Snapshot } from './snapshot.js';

/** What happens to a file. */
interface Operation extends LedgerChange {
  readonly role: GeneratedFile['role'] | 'ledger' | 'temporary';
  /** Housekeeping that changes no code: no reason for `--check` to fail. */
  readonly isMinor?: true;
}

export interface CreateOp extends Operation {
  readonly op: 'create';
  readonly text: string;
}

export interface ReplaceOp extends Operation {
  readonly op: 'replace';
  readonly text: string;
  /** The hash of what is replaced: if it is another by then, the file is left alone. */
  readonly seen: string;
  /** Of the ledger: the version that wrote the one that is replaced. */
  readonly madeBy?: string;
}

export interface DeleteOp extends Operation {
  readonly op: 'delete';
  readonly seen?: string;
}

interface KeepOp extends Operation {
  readonly op: 'keep';
  readonly diagnostic?: Diagnostic;
}

interface RefuseOp extends Operation {
  readonly op: 'refuse';
  readonly diagnostic: Diagnostic;
}

export type FileOp = CreateOp | ReplaceOp | DeleteOp | KeepOp | RefuseOp;

/** Whether an operation would change the pack, or should and cannot: what `--check` fails for. */
export function isChange(op: FileOp): boolean {
  if (op.isMinor === true || op.op === 'keep') return false;
  return op.op !== 'refuse' || op.diagnostic.severity === 'error';
}

/** What a run would do, and not what it would refuse. */
export function isPending(op: FileOp): boolean {
  return op.op !== 'refuse' && isChange(op);
}

/** What the operations say to the author. */
export function diagnosticsOf(ops: readonly FileOp[]): readonly Diagnostic[] {
  return ops.flatMap(op => ((op.op === 'keep' || op.op === 'refuse') && op.diagnostic ? [op.diagnostic] : []));
}

export interface ReconcileOptions {
  /** Replaces files that were edited or that generate did not write. */
  readonly force?: boolean;
}

/**
 * Decides for each file whether it is created, replaced, kept, deleted or refused. `texts`: by path, of those that are not current.
 *
 * @example reconcile(files, texts, takeSnapshot(pack, 'generated', files)).filter(isChange)
 */
export function reconcile(
  files: readonly GeneratedFile[],
  texts: ReadonlyMap<string, string>,
  snapshot: Snapshot,
  options: ReconcileOptions = {},
): readonly FileOp[] {
  const named = new Set<string>();
  for (const { path } of files) {
    if (named.has(path)) throw new Error(`two files have the path ${path}`);
    named.add(path);
  }
  const scene: Scene = { texts, snapshot, named, force: options.force === true };
  const ops = files.map(file => settle(file, scene));
  for (const [path, entries] of snapshot.known) {
    const op = named.has(path) ? undefined : leave(path, entries, snapshot);
    if (op !== undefined) ops.push(op);
  }
  for (const path of snapshot.strays) ops.push({ op: 'delete', path, role: 'temporary', isMinor: true });
  ops.sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...ops, ...ledgerOperation(ops, snapshot)];
}

/** Tells whether a file is there as last written from the same inputs, so that it need not be rendered. */
export function isCurrent(file: GeneratedFile, snapshot: Snapshot): boolean {
  const { path, role } = file;
  const found = snapshot.files.get(path);
  if (found?.type !== 'file') return false;
  // No text is equal to one that cannot be compared.
  if (role === 'stub') return found.hash === undefined || knownStub(file, found, snapshot) !== undefined;
  const entry = found.spelled === undefined ? ownEntry(snapshot, path, found) : undefined;
  return entry?.role === 'generated' && entry.inputs === inputsKey(file.inputs);
}

interface Scene {
  readonly texts: ReadonlyMap<string, string>;
  readonly snapshot: Snapshot;
  readonly named: ReadonlySet<string>;
  readonly force: boolean;
}

function settle(planned: GeneratedFile, scene: Scene): FileOp {
  const { path, role } = planned;
  const { snapshot } = scene;
  if (!isPackPath(path)) {
    const site = startOf(planned.sources[0] ?? 'toolwright.yaml');
    return { op: 'refuse', path, role, diagnostic: diagnose('resolve/path-escape', { path }, site) };
  }
  if (role === 'generated' && !isBelow(path, snapshot.generated)) throw new Error(`${path} is generated elsewhere`);
  const found = snapshot.files.get(path);
  if (found?.type === 'problem') {
    const [before] = snapshot.known.get(path) ?? [];
    return { op: 'refuse', path, role, diagnostic: found.diagnostic, ...entries({ before, after: before }) };
  }
  return role === 'stub' ? settleStub(planned, found, scene) : settleGenerated(planned, found, scene);
}

/**
 * A stub is renewed as long as it is byte for byte what was written (Q3). Any other text is the author's, and no flag
 * changes that.
 */
function settleStub(planned: GeneratedFile, found: DiskFile | undefined, scene: Scene): FileOp {
  const { path } = planned;
  const { snapshot } = scene;
  const role = 'stub';
  if (found !== undefined && found.hash === undefined) {
    const after: LedgerEntry = { role };
    return { op: 'keep', path, role, before: after, after };
  }
  const known = found === undefined ? undefined : knownStub(planned, found, snapshot);
  if (known !== undefined) return { op: 'keep', path, role, before: known, after: known };
  const text = textOf(path, scene);
  const after: LedgerEntry = { role, hash: hashText(text), inputs: inputsKey(planned.inputs) };
  if (found === undefined) return { op: 'create', path, role, text, after };
  const own = ownEntry(snapshot, path, found, role);
  if (own === undefined || found.hash === after.hash) return { op: 'keep', path, role, before: own ?? after, after };
  return { op: 'replace', path, role, text, seen: found.hash ?? '', before: own, after };
}

/** The entry that says all there is to say of a stub: as written from the same inputs, or edited and compared with these already. */
function knownStub({ path, inputs }: GeneratedFile, found: DiskFile, snapshot: Snapshot): LedgerEntry | undefined {
  const own = ownEntry(snapshot, path, found, 'stub');
  const entries = own === undefined ? (snapshot.known.get(path) ?? []) : [own];
  return entries.find(entry => entry.role === 'stub' && entry.inputs === inputsKey(inputs));
}

function settleGenerated(planned: GeneratedFile, found: DiskFile | undefined, scene: Scene): FileOp {
  const { path } = planned;
  const role = 'generated';
  const { snapshot } = scene;
  const file = found === undefined || isMoving(found, scene) ? undefined : found;
  const known = file === undefined ? undefined : ownEntry(snapshot, path, file);
  const inputs = inputsKey(planned.inputs);
  if (known?.role === 'generated' && known.inputs === inputs) {
    return { op: 'keep', path, role, before: known, after: known };
  }
  const text = textOf(path, scene);
  const after: LedgerEntry = { role, hash: hashText(text), inputs };
  if (file === undefined) return { op: 'create', path, role, text, after };
  if (file.hash === after.hash) return { op: 'keep', path, role, after, ...entries({ before: known ?? after }) };
  const seen = file.hash ?? '';
  if (known !== undefined || file.isWreck === true || scene.force) {
    return { op: 'replace', path, role, text, seen, after, ...entries({ before: known }) };
  }
  const [lost] = snapshot.known.get(path) ?? [];
  const code = lost === undefined ? 'generate/foreign' : 'generate/edited';
  const way = 'move what you need elsewhere, then run toolwright generate --force, which overwrites it';
  const hint = lost === undefined ? undefined : way;
  return {
    op: 'refuse',
    path,
    role,
    diagnostic: diagnose(code, { path }, startOf(path), { hint }),
    ...entries({ before: lost, after: lost }),
  };
}

/** A file that nothing is generated into any more. */
function leave(path: string, known: readonly LedgerEntry[], snapshot: Snapshot): FileOp | undefined {
  const found = snapshot.files.get(path);
  if (found === undefined) return undefined;
  if (known.every(({ role }) => role === 'stub')) {
    const role = 'stub';
    // Under another spelling it may be the handler of another item.
    const own =
      found.type === 'file' && found.spelled === undefined ? ownEntry(snapshot, path, found, role) : undefined;
    if (own?.hash !== undefined) return { op: 'delete', path, role, seen: own.hash, before: own };
    const entry = known[0] ?? { role };
    const diagnostic = diagnose('generate/leftover-stub', { path }, startOf(path));
    // It stays in the ledger as long as it is there, or it would be forgotten after one warning.
    return { op: 'keep', path, role, diagnostic, before: entry, after: entry };
  }
  const role = 'generated';
  if (found.type === 'file') {
    const before = ownEntry(snapshot, path, found);
    if (before !== undefined && found.hash !== undefined) return { op: 'delete', path, role, seen: found.hash, before };
    if (found.spelled !== undefined) return undefined;
  }
  const diagnostic = diagnose('generate/edited-leftover', { path }, startOf(path));
  return { op: 'refuse', path, role, diagnostic };
}

/** The entry that knows the text on disk, if any. */
function ownEntry(
  snapshot: Snapshot,
  path: string,
  file: DiskFile,
  role: LedgerEntry['role'] = 'generated',
): LedgerEntry | undefined {
  if (file.hash === undefined) return undefined;
  return snapshot.known.get(path)?.find(entry => entry.role === role && entry.hash === file.hash);
}

/** Where upper and lower case are the same: the file is an unedited old one, whose new name differs only in case. */
function isMoving(file: DiskFile, { snapshot, named }: Scene): boolean {
  if (file.spelled === undefined || named.has(file.spelled)) return false;
  return ownEntry(snapshot, file.spelled, file) !== undefined;
}

function textOf(path: string, { texts }: Scene): string {
  const text = texts.get(path);
  if (text === undefined) throw new Error(`${path} is not rendered`);
  return text.replaceAll('\r\n', '\n');
}

function entries(given: {
  readonly before?: LedgerEntry | undefined;
  readonly after?: LedgerEntry | undefined;
}): Pick<FileOp, 'before' | 'after'> {
  const { before, after } = given;
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

// The ledger's own operation. In: the operations on all other files. Out: the ledgers before and after them, and what happens to the file.

function ledgerOperation(ops: readonly FileOp[], snapshot: Snapshot): readonly FileOp[] {
  const paths = bookkeepingOf(snapshot.generated);
  const { ledger: path } = paths;
  const role = 'ledger';
  const found = snapshot.files.get(path);
  if (found?.type === 'problem') return [{ op: 'refuse', path, role, diagnostic: found.diagnostic }];
  const ledger = ledgerOf(ops, () => true);
  const text = printLedger(ledger);
  const rest: readonly FileOp[] =
    snapshot.journal === undefined ? [] : [{ op: 'delete', path: paths.journal, role: 'temporary', isMinor: true }];
  if (snapshot.ledger === undefined) return [...rest, { op: 'create', path, role, text }];
  if (snapshot.ledger === text) return [...rest, { op: 'keep', path, role }];
  const isMinor = hasSameFiles(ledger, snapshot);
  const seen = hashText(snapshot.ledger);
  const madeBy = versionOfLedger(snapshot.ledger);
  return [...rest, { op: 'replace', path, role, text, seen, madeBy, ...(isMinor ? { isMinor } : {}) }];
}

/** Other inputs that gave the same texts (a new version of the generator, say) do not matter to a reader of the ledger. */
function hasSameFiles(ledger: Ledger, { ledger: text, journal, known, generated }: Snapshot): boolean {
  const stored = journal === undefined ? known : parseLedgers([text], generated);
  return (
    stored.size === ledger.size &&
    [...stored].every(([path, entries]) => {
      const entry = ledger.get(path);
      const hashes = entries.map(other => (other.role === 'generated' ? other.hash : ''));
      return entry !== undefined && hashes.length === 1 && hashes[0] === (entry.role === 'generated' ? entry.hash : '');
    })
  );
}
