// In: an error that no command has dealt with. Out: what the system refused, in words; nothing where the mistake may be ours.
import { isFinal, knownReasonOf } from '../generator/apply-disk.js';
import { visible } from '../schema/print/visible.js';

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
