// In: now. Out: the id of a task: it sorts by time, and nobody guesses it.
import { randomBytes } from 'node:crypto';

/** Enough for the time until the year 5188. */
const timeLength = 9;

/** Of small letters and digits only: there are disks that do not tell `a` from `A`. */
export function makeTaskId(now: number): string {
  return now.toString(36).padStart(timeLength, '0') + randomBytes(16).toString('hex');
}

/** Ids come from clients, and become names of files. */
export function isTaskId(id: string): boolean {
  return /^[0-9a-z]{9}[0-9a-f]{32}$/.test(id);
}
