// In: the operations of a run of generate. Out: whether the next run would have nothing to do, and what this one left on disk, in words
// that can be compared later.
import { readdirSync } from 'node:fs';
import type { FileOp } from '../../generator/compile/generated-file.js';
import { hashText, isPassing, printLedger } from '../../generator/compile/ledger.js';
import { ledgerOf } from '../../generator/compile/reconcile.js';
import { joinInside, nodeFolder, parentOf } from '../../runtime/load/folder.js';
import { maxCodeBytes, readBytes } from '../../runtime/load/read-file.js';
import {
  describeBytes,
  describeNames,
  describeType,
  type Fingerprints,
  type Found,
  type Looks,
} from '../memory/file-fingerprint.js';

/** What is created or deleted changes what the next run finds; a replaced file is kept by it. */
export function leavesNothing({ op, role }: FileOp): boolean {
  return op === 'keep' || (op === 'replace' && role !== 'stub');
}

/** The fingerprints of everything that a run looked at and left; undefined where something changed meanwhile. */
export function takeFingerprints(
  pack: string,
  operations: readonly FileOp[],
  { fingerprints }: Looks,
): Fingerprints | undefined {
  const left = new Map<string, () => Found>();
  const written = new Set<string>();
  for (const one of operations) {
    const path = joinInside(pack, one.path);
    // A folder changes with the names in it: handlers of another name, files that a killed run left behind.
    const folder = joinInside(pack, parentOf(one.path));
    left.set(path, () => describeFile(path, one, operations));
    left.set(folder, () => describeFolder(folder));
    if (one.op !== 'keep') written.add(path).add(folder);
  }
  return fingerprints(left, written);
}

/** A file that was just written, as the run knows it: what somebody else wrote meanwhile is not taken for it. */
function describeFile(path: string, op: FileOp, all: readonly FileOp[]): Found {
  if (op.role === 'stub') return describeType('file');
  try {
    const bytes = readBytes(path, maxCodeBytes);
    return isAsLeft(bytes, op, all) ? describeBytes(bytes) : undefined;
  } catch {
    return undefined;
  }
}

function isAsLeft(bytes: Buffer, op: FileOp, all: readonly FileOp[]): boolean {
  if (op.op === 'replace') return bytes.equals(Buffer.from(op.text));
  if (op.role === 'ledger') return hashText(bytes) === hashText(printLedger(ledgerOf(all, () => true)));
  return op.after?.role === 'generated' && hashText(bytes) === op.after.hash;
}

/** Nothing of a killed run, nor of one that writes at this moment, is part of what was found. */
function describeFolder(path: string): Found {
  try {
    return readdirSync(path).some(isPassing) ? undefined : describeNames(nodeFolder(path).list(''));
  } catch {
    return undefined;
  }
}
