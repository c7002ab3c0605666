// The ledger's own operation. In: the operations on all other files. Out: the ledgers before and after them, and what happens to the file.
import type { FileOp } from './file-op.js';
import { bookkeepingOf, hashText, type Ledger, type LedgerEntry, parseLedgers, printLedger } from './ledger.js';
import type { Snapshot } from './snapshot.js';

/**
 * The ledger once the operations that `isDone` tells are done and the others are not.
 *
 * @example printLedger(ledgerOf(ops, op => !failed.has(op)))
 */
export function ledgerOf(ops: readonly FileOp[], isDone: (op: FileOp) => boolean): Ledger {
  const ledger = new Map<string, LedgerEntry>();
  for (const op of ops) {
    const entry = isDone(op) ? op.after : op.before;
    if (entry !== undefined) ledger.set(op.path, entry);
  }
  return ledger;
}

export function ledgerOperation(ops: readonly FileOp[], snapshot: Snapshot): readonly FileOp[] {
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
  return [...rest, { op: 'replace', path, role, text, seen, ...(isMinor ? { isMinor } : {}) }];
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
