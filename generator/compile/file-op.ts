// The noun between reconcile and apply: what happens to one file of a pack.
import type { Diagnostic } from '../../schema/diagnostics.js';
import type { GeneratedFile } from './generated-file.js';
import type { LedgerEntry } from './ledger.js';

interface Operation {
  /** Relative to the pack, with forward slashes. */
  readonly path: string;
  readonly role: GeneratedFile['role'] | 'ledger' | 'temporary';
  /** Housekeeping that changes no code: no reason for `--check` to fail. */
  readonly isMinor?: true;
  /** What the ledger says of the file as it is now, and once the operation is done. */
  readonly before?: LedgerEntry;
  readonly after?: LedgerEntry;
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
}

export interface DeleteOp extends Operation {
  readonly op: 'delete';
  readonly seen?: string;
}

export interface KeepOp extends Operation {
  readonly op: 'keep';
  readonly diagnostic?: Diagnostic;
}

export interface RefuseOp extends Operation {
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
