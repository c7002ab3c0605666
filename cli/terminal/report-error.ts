// In: what a command has thrown. Out: an exit code, once it is reported: 2 wrong usage, 1 what the system does not allow, 70 a bug of ours.

import { isFinal, knownReasonOf } from '../../generator/compile/apply-disk.js';
import { visible } from '../../schema/print/visible.js';
export function reportError(error: unknown): number {
  // By name: each command may be a bundle of its own, with its own class.
  if (error instanceof Error && error.name === 'UsageError') {
    process.stderr.write(`toolwright: ${error.message}\n`);
    return 2;
  }
  const refused = describeSystemError(error);
  if (refused !== undefined) {
    process.stderr.write(`toolwright: ${refused}\n`);
    return 1;
  }
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`toolwright: this is a bug in toolwright, not in your pack. Please report it:\n${cause}\n`);
  return 70;
}

/**
 * A folder that may not be written, a full disk: the user of the command can change that, and needs the name of the file. What is
 * not there, or has no name, may be a mistake of ours.
 *
 * @example describeSystemError(error) // '/a/README.md: permission denied (EACCES)'
 */
export function describeSystemError(error: unknown): string | undefined {
  const reason = knownReasonOf(error);
  if (reason === undefined || !(error instanceof Error)) return undefined;
  if ('path' in error && typeof error.path === 'string') return `${visible(error.path)}: ${reason}`;
  // The system does not say which file it was writing when the disk was full.
  return isFinal(error) && 'syscall' in error ? reason : undefined;
}
