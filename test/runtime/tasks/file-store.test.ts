// What is particular to tasks in files: rights, seals, torn lines, full disks, clocks that jump and processes that are killed.
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Disk, nodeDisk } from '../../../runtime/tasks/files/disk.js';
import { type FileStoreOptions, hasOpenTasks, openFileStore } from '../../../runtime/tasks/files/file-store.js';
import { newTask } from './store-contract.js';

const root = mkdtempSync(join(tmpdir(), 'toolwright-task-files-'));
afterAll(() => rmSync(root, { recursive: true }));

let count = 0;
function folderOf(): string {
  count += 1;
  return join(root, String(count));
}

function open(folder: string, options: Partial<FileStoreOptions> = {}) {
  return openFileStore({ folder, leaseMs: 1000, watchMs: 20, ...options });
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path =>
    statSync(join(folder, path)).isFile(),
  );
}

function allText(folder: string): string {
  return filesOf(folder)
    .map(path => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
}

const done = { kind: 'result', result: { content: [] } } as const;
const auth = { token: 'token-7', clientId: 'client-7', scopes: ['s'], claims: {} };
const caller = {
  client: { name: 'n', version: '1', capabilities: {} },
  auth,
  headers: { authorization: 'Bearer token-7', 'x-team': 't' },
};
/** A disk on which something fails, as long as it is said so. */
function failingDisk(code: string, fails: { now: boolean }, methods: readonly (keyof Disk)[]): Disk {
  const failing = Object.fromEntries(
    methods.map(method => [
      method,
      (...args: unknown[]) => {
        if (fails.now) throw Object.assign(new Error(code), { code });
        return (nodeDisk[method] as (...args: unknown[]) => unknown)(...args);
      },
    ]),
  );
  return { ...nodeDisk, ...failing };
}

describe('tasks in files', () => {
  it('T2 a folder without tasks has nothing open, and one with tasks has until they are over', async () => {
    const folder = folderOf();
    expect(hasOpenTasks(folder)).toBe(false);
    const store = open(folder);
    expect(hasOpenTasks(folder)).toBe(false);
    const task = newTask();
    await store.accept(task, 10);
    expect(hasOpenTasks(folder)).toBe(true);
    await store.finish(task, 1, done);
    expect(hasOpenTasks(folder)).toBe(false);
    await store.close();
  });

  it.skipIf(process.platform === 'win32')('T2 nobody else may read the files', async () => {
    const folder = folderOf();
    const store = open(folder);
    const task = newTask();
    await store.accept(task, 10);
    await store.keep(task, 1, 'a', [1]);
    await store.ask(task, 1, { a: { key: 'a', question: { kind: 'roots' } } });
    await store.answer(task, { a: 1 });
    await store.cancel(task);
    const files = filesOf(folder);
    expect(files.length).toBe(4);
    for (const path of files) expect(statSync(join(folder, path)).mode & 0o777).toBe(0o600);
    for (const inside of ['', ...readdirSync(folder)]) expect(statSync(join(folder, inside)).mode & 0o777).toBe(0o700);
    await store.close();
  });

  it('T2 without a key no token is written, and what else is known of the caller is', async () => {
    const folder = folderOf();
    const store = open(folder);
    const task = newTask({ caller });
    await store.accept(task, 10);
    expect(allText(folder)).not.toContain('token-7');
    const { caller: read } = (await store.get(task)) ?? {};
    expect(read?.auth).toEqual({ ...auth, token: '' });
    expect(read?.headers).toEqual({ 'x-team': 't' });
    await store.close();
  });

  it('T2 with a key everything is sealed, token included, and opens with the same key only', async () => {
    const folder = folderOf();
    const store = open(folder, { key: 'first key of the operator' });
    const task = newTask({ caller, args: { password: 'hidden-1' }, owner: 'hidden-2' });
    await store.accept(task, 10);
    await store.keep(task, 1, 'hidden-3', ['hidden-4']);
    await store.note(task, 1, 'hidden-5');
    await store.ask(task, 1, { q: { key: 'hidden-6', question: { kind: 'roots' } } });
    await store.answer(task, { q: 'hidden-7' });
    await store.take(() => true);
    await store.finish(task, 2, { kind: 'result', result: { content: [{ type: 'text', text: 'hidden-8' }] } });
    expect(filesOf(folder).length).toBe(5);
    expect(allText(folder)).not.toMatch(/hidden-\d|token-7/);
    const again = open(folder, { key: 'first key of the operator' });
    expect(await again.get(task)).toMatchObject({
      caller: { auth },
      once: { 'hidden-3': ['hidden-4'] },
      end: { kind: 'result' },
    });
    for (const key of [undefined, 'second key of the operator'])
      expect(await open(folder, { key }).get(task)).toBeUndefined();
  });

  it('T3 a task whose steps are sealed with another key is left alone: they would be done again', async () => {
    const folder = folderOf();
    const plain = open(folder);
    const task = newTask();
    await plain.accept(task, 10);
    await plain.leave(task, 1);
    const sealed = open(folder, { key: 'a key of the operator' });
    expect((await sealed.take(() => true))?.run).toBe(2);
    await sealed.keep(task, 2, 'step', [1]);
    await sealed.leave(task, 2);
    expect(await plain.take(() => true)).toBeUndefined();
    expect((await sealed.take(() => true))?.record.once).toEqual({ step: [1] });
  });

  it('T2 sealed files that change places or content open nothing', async () => {
    const folder = folderOf();
    const store = open(folder, { key: 'a key of the operator' });
    const [one, other] = [newTask(), newTask()];
    for (const task of [one, other]) {
      await store.accept(task, 10);
      await store.keep(task, 1, 'step', [task.id]);
    }
    const path = (task: typeof one) => join(folder, 'runs', `${task.id}.1`);
    writeFileSync(path(one), readFileSync(path(other)));
    expect(await store.get(one)).toBeUndefined();
    expect((await store.get(other))?.once).toEqual({ step: [other.id] });
  });

  it('T3 a call that was not written to its end was not accepted, and goes away', async () => {
    const folder = folderOf();
    let passed = 0;
    const store = open(folder, { clock: () => performance.now() + passed, now: () => Date.now() + passed });
    const task = newTask();
    await store.accept(task, 10);
    const [name = ''] = readdirSync(join(folder, 'open'));
    const path = join(folder, 'open', name);
    truncateSync(path, statSync(path).size - 1);
    const again = open(folder, { clock: () => performance.now() + passed, now: () => Date.now() + passed });
    expect(await again.get(task)).toBeUndefined();
    expect(await again.take(() => true)).toBeUndefined();
    passed = 90_000_000;
    await again.sweep(done);
    passed += 61_000;
    await again.sweep(done);
    expect(filesOf(folder)).toEqual([]);
  });

  it('T3 a last line without its end does not count, whatever is in it', async () => {
    for (const torn of [
      '{"at":1,"key":"b","kept":[2]}',
      '{"at":',
      '\0\0\0\0',
      '\0\0\n',
      'garbage\n{"at":1,"key":"b","kept":[2]}\n',
    ]) {
      const folder = folderOf();
      const store = open(folder);
      const task = newTask();
      await store.accept(task, 10);
      await store.keep(task, 1, 'a', [1]);
      await store.leave(task, 1);
      const path = join(folder, 'runs', `${task.id}.1`);
      const lines = readFileSync(path, 'utf8').split('\n');
      writeFileSync(path, `${lines[0]}\n`);
      appendFileSync(path, torn);
      const again = open(folder, { leaseMs: 0 });
      const taken = (await again.take(() => true)) ?? (await again.take(() => true));
      if (torn.startsWith('garbage')) expect(taken).toBeUndefined();
      else expect(taken?.record.once).toEqual({ a: [1] });
    }
  });

  it('T2 a full disk accepts nothing, keeps nothing by halves, and goes on once there is room', async () => {
    const methods = [['write'], ['create'], ['sync'], ['link'], ['openFolder']] as const;
    for (const failing of methods) {
      const folder = folderOf();
      const fails = { now: true };
      const store = open(folder, { disk: failingDisk('ENOSPC', fails, failing) });
      const task = newTask();
      const full = { name: 'StoreFailure', message: 'The task could not be kept: the disk is full' };
      if (failing[0] !== 'link') {
        await expect(store.accept(task, 10)).rejects.toMatchObject(full);
        expect(filesOf(folder)).toEqual([]);
      }
      fails.now = false;
      expect(await store.accept(task, 10)).toBe(true);
      expect(await store.keep(task, 1, 'a', [1])).toBe(true);
      fails.now = true;
      if (failing[0] === 'write') await expect(store.keep(task, 1, 'b', [2])).rejects.toMatchObject(full);
      if (failing[0] !== 'openFolder') await expect(store.finish(task, 1, done)).rejects.toMatchObject(full);
      expect(await store.renew(task, 1)).toBe(true);
      fails.now = false;
      expect(await store.keep(task, 1, 'b', [2])).toBe(true);
      expect(await store.get(task)).toMatchObject({ once: { a: [1], b: [2] }, end: undefined });
      expect(await store.finish(task, 1, done)).toBe(true);
      expect(readdirSync(join(folder, 'drafts'))).toEqual([]);
      await store.close();
    }
  });

  it('T2 a line of which a full disk takes a part is written whole later', async () => {
    const folder = folderOf();
    let room = Number.POSITIVE_INFINITY;
    const disk: Disk = {
      ...nodeDisk,
      write(file, bytes, at) {
        nodeDisk.write(file, bytes.subarray(0, room), at);
        if (room < bytes.length) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      },
    };
    const store = open(folder, { disk });
    const task = newTask();
    await store.accept(task, 10);
    await store.keep(task, 1, 'a', [1]);
    room = 10;
    await expect(store.keep(task, 1, 'b', [2])).rejects.toThrow('the disk is full');
    room = Number.POSITIVE_INFINITY;
    expect(await store.keep(task, 1, 'c', [3])).toBe(true);
    expect((await open(folder).get(task))?.once).toEqual({ a: [1], c: [3] });
  });

  it('T3 a clock that jumps neither takes a run from its process nor removes a task', async () => {
    const folder = folderOf();
    let [jump, passed] = [0, 0];
    const times = { now: () => Date.now() + jump, clock: () => performance.now() + passed };
    const [one, other] = [open(folder, times), open(folder, times)];
    const task = newTask();
    await one.accept(task, 10);
    for (const next of [0, 86_400_000, -86_400_000, 7 * 86_400_000, 0]) {
      jump = next;
      for (let look = 0; look < 8; look += 1) {
        expect(await one.renew(task, 1)).toBe(true);
        await other.sweep(done);
        expect(await other.take(() => true)).toBeUndefined();
        passed += 100;
      }
    }
    // Of times that lie in the future, too, only their change counts.
    utimesSync(join(folder, 'runs', `${task.id}.1`), 4e9, 4e9);
    for (let look = 0; look < 20 && (await other.take(() => true)) === undefined; look += 1) passed += 100;
    expect(await one.renew(task, 1)).toBe(false);
  });

  it('T3 a process that was stopped takes nothing on its first looks, however long it was stopped', async () => {
    const folder = folderOf();
    let passed = 0;
    const clock = () => performance.now() + passed;
    const [one, other] = [open(folder, { clock }), open(folder, { clock })];
    const task = newTask();
    await one.accept(task, 10);
    expect(await other.take(() => true)).toBeUndefined();
    passed += 3_600_000;
    expect(await other.take(() => true)).toBeUndefined();
    expect(await one.renew(task, 1)).toBe(true);
    expect(await other.take(() => true)).toBeUndefined();
  });

  it('T2 a folder that cannot be made is named, with what to set', () => {
    const file = join(root, 'a file');
    writeFileSync(file, '');
    expect(() => open(join(file, 'tasks'))).toThrow(
      /^Tasks cannot be kept in .* \(ENOTDIR\): set TOOLWRIGHT_STATE to another folder$/,
    );
  });
});
