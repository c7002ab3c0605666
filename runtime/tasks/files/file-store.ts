// T2. Tasks in a folder, for all processes of one machine: they survive the end of any of them, and that of the machine. In: the folder of one
// server. Out: a Store.
import { join } from 'node:path';
import { codeOf } from '../../load/folder.js';
import { leaseMs as usualLeaseMs } from '../limits.js';
import { assemble, pickAnswers, standingOf, takenOf } from '../record.js';
import type { NewTask, Store, Taken, TaskCard, TaskRecord, TaskRef } from '../store.js';
import { withoutSecrets } from '../task-caller.js';
import { isTaskId } from '../task-id.js';
import type { TaskEnd } from '../tasks.js';
import { type Disk, nodeDisk } from './disk.js';
import { makeListeners } from './listeners.js';
import { makeLookout } from './lookout.js';
import { RunFile, type RunLine } from './run-file.js';
import { makeSweeper } from './sweep.js';
import { answersName, idOf, kept, nameOf, ownerMark, runName, TaskFiles } from './task-files.js';
import { readParts, readTask } from './task-parts.js';
import { makeVault } from './vault.js';

export interface FileStoreOptions {
  /** Of one server; made where it is missing. */
  readonly folder: string;
  /** TOOLWRIGHT_STATE_KEY: seals everything. Without one no token of a caller is written. */
  readonly key?: string | undefined;
  readonly leaseMs?: number | undefined;
  /** How often changes of other processes are looked for, while somebody watches. */
  readonly watchMs?: number | undefined;
  /** For how long a task must be late before it is removed: clocks jump. */
  readonly surelyMs?: number | undefined;
  readonly disk?: Disk | undefined;
  /** In milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** One that never jumps. */
  readonly clock?: (() => number) | undefined;
}

/** Whether a server with this folder has something to go on with: one look at one folder. */
export function hasOpenTasks(folder: string, disk: Disk = nodeDisk): boolean {
  return disk.names(join(folder, 'open')).length > 0;
}

/**
 * Opens the tasks of a folder.
 *
 * @example const store = openFileStore({ folder: taskFolder(env, pack, server), key });
 */
export function openFileStore(options: FileStoreOptions): Store {
  return new FileStore(options);
}

class FileStore implements Store {
  readonly #files: TaskFiles;
  readonly #now: () => number;
  /** Runs of this process, by the id of their task. */
  readonly #mine = new Map<string, RunFile>();
  readonly #cards = new Map<string, TaskCard & Pick<NewTask, 'isBegun'>>();
  readonly #lookout;
  readonly #listeners;
  readonly #sweeper;

  constructor(options: FileStoreOptions) {
    const { folder, key, leaseMs = usualLeaseMs, watchMs = 1000, surelyMs = 60_000, disk = nodeDisk } = options;
    const { now = Date.now, clock = () => performance.now() } = options;
    this.#files = new TaskFiles(folder, disk, makeVault(key));
    this.#now = now;
    this.#lookout = makeLookout(this.#files, { leaseMs, clock });
    this.#listeners = makeListeners(this.#files, watchMs);
    this.#sweeper = makeSweeper(this.#files, { now, clock, surelyMs });
  }

  async accept(task: NewTask, mostOpen: number): Promise<boolean> {
    const files = this.#files;
    const mark = `.${ownerMark(task.owner)}`;
    if (files.names('open').filter(name => name.endsWith(mark)).length >= mostOpen) return false;
    const caller = files.vault.isSealed ? task.caller : withoutSecrets(task.caller);
    await files.create('open', nameOf(task), { ...task, caller }, task.createdAt + task.ttlMs);
    if (task.isBegun) this.#mine.set(task.id, new RunFile(files, task, 1));
    return true;
  }

  async take(mayRun: (task: TaskCard) => boolean): Promise<Taken | undefined> {
    const files = this.#files;
    const names = files.names('open').toSorted();
    this.#forget(names);
    for (const name of names) {
      const id = idOf(name);
      if (id === undefined || this.#mine.has(id)) continue;
      const card = this.#cardOf(name);
      if (card === undefined || !mayRun(card)) continue;
      const read = () => {
        const found = readParts(files, card);
        return found && standingOf(found.parts);
      };
      if (!this.#lookout.isDue(id, card.isBegun ? 1 : 0, read)) continue;
      const taken = await this.#begin(card);
      if (taken !== undefined) return taken;
    }
    return undefined;
  }

  /** Undefined where somebody else was first, or there is nothing more to do. */
  async #begin(ref: TaskRef): Promise<Taken | undefined> {
    const files = this.#files;
    const before = readParts(files, ref);
    if (before === undefined) return undefined;
    if (before.parts.ended !== undefined) {
      this.#putAway(ref);
      return undefined;
    }
    const file = new RunFile(files, ref, before.parts.runs.length + 1);
    try {
      await kept(() => file.create());
    } catch (error) {
      if (error instanceof Error && codeOf(error.cause) === 'EEXIST') return undefined;
      throw error;
    }
    // What was kept until then counts: a run that keeps something looks for this file afterwards.
    const found = readParts(files, ref);
    if (found === undefined || found.parts.ended !== undefined) {
      file.close();
      return undefined;
    }
    const from = found.lengths.slice(0, file.run - 1);
    try {
      await file.add({ at: this.#now(), from }, true);
    } catch (error) {
      file.close();
      throw error;
    }
    this.#mine.set(ref.id, file);
    this.#listeners.tell(ref.id);
    return takenOf({ ...found.parts, runs: found.parts.runs.slice(0, file.run - 1) });
  }

  async renew(ref: TaskRef, run: number): Promise<boolean> {
    const file = this.#fileOf(ref, run);
    if (file === undefined) return false;
    await kept(() => file.touch(this.#now()));
    return true;
  }

  keep(ref: TaskRef, run: number, key: string, value: unknown): Promise<boolean> {
    return this.#add(ref, run, { at: this.#now(), key, kept: value });
  }

  note(ref: TaskRef, run: number, note: string): Promise<boolean> {
    return this.#add(ref, run, { at: this.#now(), note }, true);
  }

  async ask(ref: TaskRef, run: number, asked: TaskRecord['asked']): Promise<boolean> {
    return (await this.#add(ref, run, { at: this.#now(), asked })) && this.#letGo(ref.id);
  }

  async leave(ref: TaskRef, run: number): Promise<boolean> {
    return (await this.#add(ref, run, { at: this.#now(), left: true })) && this.#letGo(ref.id);
  }

  async finish(ref: TaskRef, run: number, end: TaskEnd): Promise<boolean> {
    if (this.#fileOf(ref, run) === undefined) return false;
    const isFirst = await this.#files.putOnce('ends', ref.id, { at: this.#now(), end });
    this.#letGo(ref.id);
    this.#putAway(ref);
    return isFirst;
  }

  async answer(ref: TaskRef, given: Readonly<Record<string, unknown>>): Promise<TaskRecord | undefined> {
    for (;;) {
      const found = this.#read(ref);
      const answers = found && pickAnswers(assemble(found.parts), given);
      if (found === undefined || answers === undefined) return found && assemble(found.parts);
      const name = answersName(ref.id, found.parts.answers.length + 1);
      // Somebody else may answer at the same time.
      if (await this.#files.putOnce('runs', name, { at: this.#now(), answers })) this.#listeners.tell(ref.id);
    }
  }

  async cancel(ref: TaskRef): Promise<TaskRecord | undefined> {
    const found = this.#read(ref);
    if (found === undefined) return undefined;
    if (found.parts.ended === undefined) {
      await this.#files.putOnce('ends', ref.id, { at: this.#now(), end: { kind: 'cancelled' } });
      this.#letGo(ref.id);
      this.#putAway(ref);
    }
    return await this.get(ref);
  }

  async get(ref: TaskRef): Promise<TaskRecord | undefined> {
    const found = this.#read(ref);
    return found && assemble(found.parts);
  }

  async list(owner: string, after: string | undefined, most: number): Promise<readonly TaskRecord[]> {
    const mark = `.${ownerMark(owner)}`;
    const names = new Set([...this.#files.names('open'), ...this.#files.names('done')]);
    const ids = [...names].filter(name => name.endsWith(mark)).map(idOf);
    return ids
      .filter(id => id !== undefined && (after === undefined || id < after))
      .sort((one = '', other = '') => (one < other ? 1 : -1))
      .slice(0, most)
      .flatMap((id = '') => this.#read({ id, owner }) ?? [])
      .map(({ parts }) => assemble(parts));
  }

  onChange(id: string, listen: () => void): () => void {
    return isTaskId(id) ? this.#listeners.add(id, listen) : () => undefined;
  }

  sweep(late: TaskEnd): Promise<void> {
    return this.#sweeper.sweep(async ref => {
      await this.#files.putOnce('ends', ref.id, { at: this.#now(), end: late });
      this.#letGo(ref.id);
      this.#putAway(ref);
    });
  }

  async close(): Promise<void> {
    this.#listeners.close();
    for (const id of [...this.#mine.keys()]) this.#letGo(id);
    await this.#files.close();
  }

  #read(ref: TaskRef) {
    return isTaskId(ref.id) ? readParts(this.#files, ref) : undefined;
  }

  /** The journal of a run that may still say something. */
  #fileOf({ id, owner }: TaskRef, run: number): RunFile | undefined {
    const file = this.#mine.get(id);
    if (file?.run !== run || file.owner !== owner) return undefined;
    if (!this.#files.has('runs', runName(id, run + 1)) && !this.#files.has('ends', id)) return file;
    this.#letGo(id);
    return undefined;
  }

  async #add(ref: TaskRef, run: number, line: RunLine, isLoose = false): Promise<boolean> {
    const file = this.#fileOf(ref, run);
    if (file === undefined) return false;
    await file.add(line, isLoose);
    this.#listeners.tell(ref.id);
    // A run that began before this line was on the disk may not have seen it.
    return isLoose || this.#fileOf(ref, run) !== undefined;
  }

  #letGo(id: string): true {
    this.#mine.get(id)?.close();
    this.#mine.delete(id);
    this.#listeners.tell(id);
    return true;
  }

  #putAway(ref: TaskRef): void {
    try {
      this.#files.disk.move(this.#files.path('open', nameOf(ref)), this.#files.path('done', nameOf(ref)));
    } catch (error) {
      // Somebody else has; what fails for another reason is tried again with the next look for due tasks.
      if (codeOf(error) !== 'ENOENT') return;
    }
  }

  #cardOf(name: string) {
    const known = this.#cards.get(name);
    if (known !== undefined) return known;
    const task = readTask(this.#files, name);
    if (task === undefined) return undefined;
    const { id, owner, tool, settings, isBegun } = task;
    const card = { id, owner, tool, settings, isBegun };
    this.#cards.set(name, card);
    return card;
  }

  #forget(names: readonly string[]): void {
    const there = new Set(names);
    for (const name of this.#cards.keys()) if (!there.has(name)) this.#cards.delete(name);
    this.#lookout.keepOnly(new Set(names.flatMap(name => idOf(name) ?? [])));
  }
}
