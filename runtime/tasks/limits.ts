// What keeps tasks from filling a disk or running for ever.

export interface TaskLimits {
  /** Of one owner, that are not over. */
  readonly mostOpen: number;
  /** At once, in this process; the others wait. */
  readonly mostRunning: number;
  /** Bytes of JSON. */
  readonly largestArguments: number;
  readonly largestResult: number;
  readonly ttlMs: number;
  readonly longestTtlMs: number;
  /** Runs that may end without a word: a task that takes its process along must not do so for ever. */
  readonly mostCrashes: number;
  /** How long a tool that asks first may take until it is a task without having asked. */
  readonly beforeMs: number;
}

const hour = 3_600_000;

export const taskLimits: TaskLimits = {
  mostOpen: 100,
  mostRunning: 100,
  largestArguments: 1024 * 1024,
  largestResult: 16 * 1024 * 1024,
  ttlMs: hour,
  longestTtlMs: 24 * hour,
  mostCrashes: 5,
  beforeMs: 1000,
};

/** How long a run counts as alive after it was last renewed. */
export const leaseMs = 15_000;

/** What ends by its ttl can be seen for so long. */
export const lateMs = 60_000;
