// What has to happen on disk. In: artifacts and a snapshot. Out: one operation per file, the ledger's last. Pure: nothing is written.
// A file is ours while its text is what we wrote (by the ledger) or what we would write; all else belongs to somebody.
import { isBelow } from '../runtime/load/folder.js';
import { diagnose, startOf } from '../schema/diagnostics.js';
import type { Artifact } from './artifact.js';
import type { CreateOp, FileOp } from './file-op.js';
import { hashText, inputsKey, isPackPath, type LedgerEntry } from './ledger.js';
import { ledgerOperation } from './reconcile-ledger.js';
import type { DiskFile, Snapshot } from './snapshot.js';

export interface ReconcileOptions {
  /** Replaces files that were edited or that generate did not write. */
  readonly force?: boolean;
}

/**
 * Decides for each file whether it is created, replaced, kept, deleted or refused.
 *
 * @example reconcile(artifacts, takeSnapshot(pack, { generated: 'generated', artifacts })).filter(isChange)
 */
export function reconcile(
  artifacts: readonly Artifact[],
  snapshot: Snapshot,
  options: ReconcileOptions = {},
): readonly FileOp[] {
  const named = new Set<string>();
  const ops: FileOp[] = [];
  for (const artifact of artifacts) {
    if (named.has(artifact.path)) throw new Error(`two artifacts have the path ${artifact.path}`);
    named.add(artifact.path);
  }
  for (const artifact of artifacts) ops.push(settle(artifact, { snapshot, named, force: options.force === true }));
  for (const [path, entries] of snapshot.known) {
    const op = named.has(path) ? undefined : leave(path, entries, snapshot);
    if (op !== undefined) ops.push(op);
  }
  for (const path of snapshot.strays) ops.push({ op: 'delete', path, role: 'temporary', isMinor: true });
  ops.sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...ops, ...ledgerOperation(ops, snapshot)];
}

/**
 * Tells whether an artifact's file is there as last written from the same inputs, so that it need not be rendered.
 * Callers load what rendering needs (ajv, handlebars) only where this is false.
 */
export function isCurrent(artifact: Artifact, snapshot: Snapshot): boolean {
  const { path, role } = artifact;
  const file = snapshot.files.get(path);
  if (file?.type !== 'file') return false;
  if (role === 'stub') return true;
  const entry = file.spelled === undefined ? ownEntry(snapshot, path, file) : undefined;
  return entry?.role === 'generated' && entry.inputs === inputsKey(artifact.inputs);
}

interface Scene {
  readonly snapshot: Snapshot;
  readonly named: ReadonlySet<string>;
  readonly force: boolean;
}

function settle(artifact: Artifact, scene: Scene): FileOp {
  const { path, role } = artifact;
  const { snapshot } = scene;
  if (!isPackPath(path)) {
    const site = startOf(artifact.sources[0] ?? 'toolwright.yaml');
    return { op: 'refuse', path, role, diagnostic: diagnose('resolve/path-escape', { path }, site) };
  }
  if (role === 'generated' && !isBelow(path, snapshot.generated)) throw new Error(`${path} is generated elsewhere`);
  const found = snapshot.files.get(path);
  if (found?.type === 'problem') {
    const [before] = snapshot.known.get(path) ?? [];
    return { op: 'refuse', path, role, diagnostic: found.diagnostic, ...entries({ before, after: before }) };
  }
  if (role === 'stub') {
    const after: LedgerEntry = { role };
    return found === undefined
      ? create(path, role, artifact.render(), after)
      : { op: 'keep', path, role, before: after, after };
  }
  const file = found === undefined || isMoving(found, scene) ? undefined : found;
  const known = file === undefined ? undefined : ownEntry(snapshot, path, file);
  const inputs = inputsKey(artifact.inputs);
  if (known?.role === 'generated' && known.inputs === inputs) {
    return { op: 'keep', path, role, before: known, after: known };
  }
  const text = artifact.render().replaceAll('\r\n', '\n');
  const after: LedgerEntry = { role, hash: hashText(text), inputs };
  if (file === undefined) return create(path, role, text, after);
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

/** A file that no artifact names any more. */
function leave(path: string, known: readonly LedgerEntry[], snapshot: Snapshot): FileOp | undefined {
  const found = snapshot.files.get(path);
  if (found === undefined) return undefined;
  if (known.every(({ role }) => role === 'stub')) {
    const entry: LedgerEntry = { role: 'stub' };
    const diagnostic = diagnose('generate/leftover-stub', { path }, startOf(path));
    // It stays in the ledger as long as it is there, or it would be forgotten after one warning.
    return { op: 'keep', path, role: 'stub', diagnostic, before: entry, after: entry };
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
function ownEntry(snapshot: Snapshot, path: string, file: DiskFile): LedgerEntry | undefined {
  return snapshot.known.get(path)?.find(entry => entry.role === 'generated' && entry.hash === file.hash);
}

/** Where upper and lower case are the same: the file is an unedited old one, whose new name differs only in case. */
function isMoving(file: DiskFile, { snapshot, named }: Scene): boolean {
  if (file.spelled === undefined || named.has(file.spelled)) return false;
  return ownEntry(snapshot, file.spelled, file) !== undefined;
}

function create(path: string, role: Artifact['role'], text: string, after: LedgerEntry): CreateOp {
  return { op: 'create', path, role, text: text.replaceAll('\r\n', '\n'), after };
}

function entries(given: {
  readonly before?: LedgerEntry | undefined;
  readonly after?: LedgerEntry | undefined;
}): Pick<FileOp, 'before' | 'after'> {
  const { before, after } = given;
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}
