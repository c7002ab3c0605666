// The journal of one run. Only that run writes to it, so that a run that was overtaken harms nobody. Its first line says how much of the
// journals of earlier runs counts: what those write later was refused.
import { isMap } from '../../../schema/document.js';
import type { RunLog } from '../record.js';
import type { AskedQuestion, TaskRef } from '../store.js';
import { kept, runName, type TaskFiles } from './task-files.js';

/** One of these in each line. */
export type RunLine =
  | { readonly at: number; readonly from: readonly number[] }
  | { readonly at: number; readonly key: string; readonly kept: unknown }
  | { readonly at: number; readonly note: string }
  | { readonly at: number; readonly asked: Readonly<Record<string, AskedQuestion>> }
  | { readonly at: number; readonly left: true };

const lineEnd = 0x0a;

/** Lines up to `limit` bytes, and the bytes that they take. A line without its end, or one that is broken, ends it: it was never acknowledged. */
function readLines(
  bytes: Buffer,
  limit: number,
  open: (line: string) => unknown,
): { lines: RunLine[]; length: number } {
  const lines: RunLine[] = [];
  let length = 0;
  for (;;) {
    const end = bytes.indexOf(lineEnd, length);
    if (end < 0 || end >= limit) return { lines, length };
    const text = bytes.toString('utf8', length, end);
    const line = open(text);
    // Without the steps in it they would be done again.
    if (line === undefined && /^[\w-]+$/.test(text)) throw new OtherKey('sealed with another key');
    if (!isMap(line) || typeof line['at'] !== 'number') return { lines, length };
    lines.push(line as RunLine);
    length = end + 1;
  }
}

/** Of a process with another TOOLWRIGHT_STATE_KEY, or one more than this. */
export class OtherKey extends Error {}

export interface Runs {
  readonly logs: readonly RunLog[];
  /** Bytes of each that count. */
  readonly lengths: readonly number[];
}

/** All runs of a task. `begun`: those that began with the task, and may have written nothing yet. */
export function readRuns(files: TaskFiles, id: string, begun: number): Runs {
  const found: Buffer[] = [];
  for (let run = 1; ; run += 1) {
    const bytes = files.disk.read(files.path('runs', runName(id, run)));
    if (bytes === undefined && run > begun) break;
    found.push(bytes ?? Buffer.alloc(0));
  }
  const read = (index: number, limit: number) =>
    readLines(found[index] ?? Buffer.alloc(0), limit, line => files.vault.open(line, belongsTo(id, index + 1)));
  let limits: readonly number[] = [];
  // The newest that says so knows best; one that did not get as far as its first line has seen nothing.
  for (let index = found.length - 1; index > 0 && limits.length === 0; index -= 1) {
    const [first] = read(index, Number.POSITIVE_INFINITY).lines;
    if (first !== undefined && 'from' in first) limits = first.from;
  }
  const all = found.map((_, index) => read(index, limits[index] ?? Number.POSITIVE_INFINITY));
  return {
    logs: all.map(({ lines }, index) => toLog(lines, index < begun)),
    lengths: all.map(({ length }) => length),
  };
}

function toLog(lines: readonly RunLine[], isBegun: boolean): RunLog {
  const once = new Map<string, unknown>();
  let note: string | undefined;
  let asked: RunLog['asked'];
  for (const line of lines) {
    if ('key' in line && !once.has(line.key)) once.set(line.key, line.kept);
    else if ('note' in line) note = line.note;
    else if ('asked' in line) asked = line.asked;
  }
  const isLeft = lines.some(line => 'left' in line);
  return { updatedAt: lines.at(-1)?.at ?? 0, isBegun: isBegun || lines.length > 0, once, note, asked, isLeft };
}

/** The journal of a run of this process. Its file is made when it is first needed. */
export class RunFile {
  readonly id: string;
  readonly owner: string;
  readonly run: number;
  readonly #files: TaskFiles;
  #file: number | undefined;
  #length = 0;
  /** Its name is on the disk. */
  #isNamed = false;
  #touchedAt = 0;

  constructor(files: TaskFiles, { id, owner }: TaskRef, run: number) {
    this.#files = files;
    this.id = id;
    this.owner = owner;
    this.run = run;
  }

  /** Throws EEXIST where there is one. */
  create(): number {
    this.#file ??= this.#files.disk.create(this.#files.path('runs', runName(this.id, this.run)));
    return this.#file;
  }

  /** Others see that its time changes, whatever the clock does. */
  touch(now: number): void {
    this.#touchedAt = now === this.#touchedAt ? now + 1000 : now;
    this.#files.disk.setTime(this.create(), this.#touchedAt);
  }

  /** On the disk when it resolves, or with `isLoose` some time later. */
  async add(line: RunLine, isLoose = false): Promise<void> {
    const { disk, vault } = this.#files;
    await kept(async () => {
      const file = this.create();
      const bytes = Buffer.from(`${vault.close(line, belongsTo(this.id, this.run))}\n`);
      try {
        disk.write(file, bytes, this.#length);
      } catch (error) {
        disk.truncate(file, this.#length);
        throw error;
      }
      this.#length += bytes.length;
      if (isLoose) return;
      await disk.syncData(file);
      if (this.#isNamed) return;
      await this.#files.syncFolder('runs');
      this.#isNamed = true;
    });
  }

  close(): void {
    if (this.#file !== undefined) this.#files.disk.close(this.#file);
    this.#file = undefined;
  }
}

function belongsTo(id: string, run: number): string {
  return `runs/${runName(id, run)}`;
}
