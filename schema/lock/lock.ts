// The noun of toolwright.lock: what servers of a pack take from other packs, as it was when somebody looked at it.
import type { Kind } from '../definitions.js';

export const lockFile = 'toolwright.lock';

/** What a line pins, each by a hash of its own, so that a change can be named. */
export const lockParts = ['description', 'schema', 'annotations', 'behaviour'] as const;
export type LockPart = (typeof lockParts)[number];

/** One item of another pack. */
export interface LockLine {
  /** Qualified: `acme/jira/get-issue`. */
  readonly name: string;
  readonly kind: Exclude<Kind, 'server'>;
  /** Only a note for people: what counts are the hashes. */
  readonly version: string;
  /** An empty hash pins nothing: locks of format 1 have no `behaviour`. */
  readonly parts: Readonly<Record<LockPart, string>>;
}

export interface LockChange {
  readonly change: 'added' | 'changed' | 'removed' | 'version' | 'same';
  readonly line: LockLine;
  /** The line that is in the file, where there is one. */
  readonly before?: LockLine;
  /** What is not as it was; empty unless `change` is `changed`. */
  readonly parts: readonly LockPart[];
}

/** Names one item in a lock: the same name may stand for a tool and a prompt. */
export function lockKey({ name, kind }: Pick<LockLine, 'name' | 'kind'>): string {
  return `${name} ${kind}`;
}

/** What is not as it was; the version does not count. */
export function changedParts(before: LockLine, now: LockLine): readonly LockPart[] {
  return lockParts.filter(part => before.parts[part] !== '' && before.parts[part] !== now.parts[part]);
}

/** A version is whatever the other pack says: it must not become a line of its own. */
export function noteOf(version: string): string {
  return /^[0-9A-Za-z.+-]{1,64}$/.test(version) ? version : '-';
}

/**
 * What accepting `now` would change in a lock, in the order of its lines.
 *
 * @example compareLocks([], [line])[0]?.change // 'added'
 */
export function compareLocks(before: readonly LockLine[], now: readonly LockLine[]): readonly LockChange[] {
  const old = new Map(before.map(line => [lockKey(line), line]));
  const current = new Set(now.map(lockKey));
  const changes = now.map((line): LockChange => {
    const known = old.get(lockKey(line));
    if (known === undefined) return { change: 'added', line, parts: [] };
    const parts = changedParts(known, line);
    const change = parts.length > 0 ? 'changed' : known.version === noteOf(line.version) ? 'same' : 'version';
    return { change, line, before: known, parts };
  });
  const removed = before.filter(line => !current.has(lockKey(line)));
  return [
    ...changes,
    ...removed.map((line): LockChange => ({ change: 'removed', line, before: line, parts: [] })),
  ].sort((a, b) => compareKeys(a.line, b.line));
}

/** In code-point order, on every machine. */
export function compareKeys(a: LockLine, b: LockLine): number {
  const [one, other] = [lockKey(a), lockKey(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}
