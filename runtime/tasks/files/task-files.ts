// Where the files of a task are. `open/` has its call, `runs/` a journal for each run, whose time is its lease, and its answers, `ends/` its end.
// The call moves to `done/` after the end. That says nothing: whether there is an end counts.
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { codeOf } from '../../load/folder.js';
import { StoreFailure, type TaskRef } from '../store.js';
import { isTaskId } from '../task-id.js';
import type { Disk } from './disk.js';
import type { Vault } from './vault.js';

const folders = ['open', 'done', 'runs', 'ends', 'drafts'] as const;
export type TaskFolder = (typeof folders)[number];

/** The file of a task in `open/` and `done/`: tasks of one owner are found by their names. */
export function nameOf({ id, owner }: TaskRef): string {
  return `${id}.${ownerMark(owner)}`;
}

export function ownerMark(owner: string): string {
  return createHash('sha256').update(owner).digest('hex').slice(0, 32);
}

/** Undefined: not a name of ours. */
export function idOf(name: string): string | undefined {
  const id = name.slice(0, name.indexOf('.'));
  return isTaskId(id) ? id : undefined;
}

export const runName = (id: string, run: number): string => `${id}.${run}`;
export const answersName = (id: string, count: number): string => `${id}.answers.${count}`;

/** The folder of one server's tasks, with files that appear whole or not at all. */
export class TaskFiles {
  readonly disk: Disk;
  readonly vault: Vault;
  readonly #root: string;
  readonly #open = new Map<TaskFolder, number | undefined>();
  readonly #syncs = new Map<TaskFolder, { running: Promise<void>; next: Promise<void> | undefined }>();

  constructor(root: string, disk: Disk, vault: Vault) {
    this.#root = root;
    this.disk = disk;
    this.vault = vault;
    try {
      for (const folder of folders) disk.makeFolder(join(root, folder));
    } catch (cause) {
      const reason = codeOf(cause) ?? String(cause);
      throw new Error(`Tasks cannot be kept in ${root} (${reason}): set TOOLWRIGHT_STATE to another folder`, { cause });
    }
  }

  path(folder: TaskFolder, name: string): string {
    return join(this.#root, folder, name);
  }

  names(folder: TaskFolder): readonly string[] {
    return this.disk.names(join(this.#root, folder));
  }

  has(folder: TaskFolder, name: string): boolean {
    return this.disk.look(this.path(folder, name)) !== undefined;
  }

  /** Undefined: there is none, it is torn, or it was sealed by somebody else. */
  read(folder: TaskFolder, name: string): unknown {
    const text = this.disk.read(this.path(folder, name))?.toString('utf8');
    return text?.endsWith('\n') === true ? this.vault.open(text.slice(0, -1), belongsTo(folder, name)) : undefined;
  }

  /** A file whose name nobody else uses, on the disk when it resolves. Until then it may be seen in part, and does not count. */
  async create(folder: TaskFolder, name: string, value: unknown, time: number): Promise<void> {
    const path = this.path(folder, name);
    await kept(async () => {
      try {
        // Both at once: what has a name without its content does not count.
        await this.#write(path, this.#lineOf(folder, name, value), () => {
          this.disk.setTime(path, time);
          return this.syncFolder(folder);
        });
      } catch (error) {
        this.disk.remove(path);
        throw error;
      }
    });
  }

  /** A file that exists whole or not at all. True: there was none. */
  async putOnce(folder: TaskFolder, name: string, value: unknown): Promise<boolean> {
    const draft = this.path('drafts', randomBytes(16).toString('hex'));
    return await kept(async () => {
      try {
        await this.#write(draft, this.#lineOf(folder, name, value));
        this.disk.link(draft, this.path(folder, name));
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      } finally {
        this.disk.remove(draft);
      }
      await this.syncFolder(folder);
      return true;
    });
  }

  #lineOf(folder: TaskFolder, name: string, value: unknown): Buffer {
    return Buffer.from(`${this.vault.close(value, belongsTo(folder, name))}\n`);
  }

  async #write(path: string, bytes: Buffer, meanwhile?: () => Promise<void>): Promise<void> {
    const { disk } = this;
    const file = disk.create(path);
    try {
      disk.write(file, bytes, 0);
      const done = await Promise.allSettled([disk.sync(file), meanwhile?.()]);
      for (const one of done) if (one.status === 'rejected') throw one.reason;
    } finally {
      disk.close(file);
    }
  }

  /** Names in it are on the disk. Calls that come while it is synced share the next time. */
  syncFolder(folder: TaskFolder): Promise<void> {
    const before = this.#syncs.get(folder);
    if (before?.next !== undefined) return before.next;
    const start = (): Promise<void> => {
      const running = this.#syncNow(folder).finally(() => {
        if (this.#syncs.get(folder)?.running === running) this.#syncs.delete(folder);
      });
      this.#syncs.set(folder, { running, next: undefined });
      return running;
    };
    if (before === undefined) return start();
    before.next = before.running.then(start, start);
    return before.next;
  }

  async #syncNow(folder: TaskFolder): Promise<void> {
    if (!this.#open.has(folder)) this.#open.set(folder, this.disk.openFolder(join(this.#root, folder)));
    const file = this.#open.get(folder);
    if (file !== undefined) await this.disk.sync(file);
  }

  /** A later use opens them again. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#syncs.values()].map(({ running, next }) => next ?? running));
    for (const file of this.#open.values()) if (file !== undefined) this.disk.close(file);
    this.#open.clear();
  }
}

/** A sealed line stands for nothing in another place. */
function belongsTo(folder: TaskFolder, name: string): string {
  // A call is the same before and after its end.
  return `${folder === 'done' ? 'open' : folder}/${name}`;
}

/** What the system says, as clients may read it. */
export async function kept<T>(write: () => T | Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const code = codeOf(error);
    const reason =
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'the disk is full'
        : code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
          ? 'its folder may not be written to'
          : `its folder cannot be written to${code === undefined ? '' : ` (${code})`}`;
    throw new StoreFailure(`The task could not be kept: ${reason}`, { cause: error });
  }
}
