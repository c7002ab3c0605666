// In: lines of a lock. Out: the text of toolwright.lock: one sorted line per item, so that merges touch only what both changed.
import { compareKeys, type LockLine, lockKey, lockParts, noteOf } from './lock.js';

/** Goes up when the same items come out with other hashes or in another form. */
export const lockFormat = 2;

const header = `# toolwright.lock ${lockFormat}: what servers of this pack take from other packs.
# Made by "toolwright lock"; a changed line is a changed tool: review it like code.
`;

/** Equal lines give equal bytes, whatever their order. */
export function printLock(lines: readonly LockLine[]): string {
  const distinct = new Map(lines.map(line => [lockKey(line), line]));
  return header + [...distinct.values()].sort(compareKeys).map(printLine).join('');
}

function printLine({ name, kind, version, parts }: LockLine): string {
  return `${name} ${kind} ${noteOf(version)} ${lockParts.map(part => `${part}=${parts[part]}`).join(' ')}\n`;
}
