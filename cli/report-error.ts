// In: what a command has thrown. Out: an exit code, once it is reported: 2 wrong usage, 1 what the system does not allow, 70 a bug of ours.
import { describeSystemError } from './system-error.js';

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
