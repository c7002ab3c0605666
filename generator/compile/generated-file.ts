// The nouns between plan, reconcile and apply: a file that should exist and how its text is made, and what happens to a file.
import { hash } from 'node:crypto';
import type { Diagnostic } from '../../schema/diagnostics.js';
import type { LedgerEntry } from './ledger.js';

interface PlannedFile {
  /** Relative to the pack, with forward slashes. */
  readonly path: string;
  /** The definition files that it is made from. */
  readonly sources: readonly string[];
  /** Its text, or why there can be none. */
  render(): Rendered | Promise<Rendered>;
}

type Rendered = string | Diagnostic;

/** `generated` files are replaced whenever their text changes; a `stub` is written once and then the author's. */
export type GeneratedFile =
  | (PlannedFile & {
      readonly role: 'generated';
      /** Changes whenever the text could: equal inputs give equal texts. */
      readonly inputs: string;
    })
  | (PlannedFile & { readonly role: 'stub' });

/** What the text is made from, in a word of 132 bits. */
export function hashInputs(...parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);
}

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
