// Folders that are replaced while somebody watches them.
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchReplaced } from '../../cli/generate/watch-files.js';

let home: string;
let stop = (): void => {};

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toolwright-replaced-'));
  mkdirSync(join(home, 'watched'));
});

afterEach(() => {
  stop();
  rmSync(home, { recursive: true, force: true });
});

function replace(): void {
  const folder = join(home, 'watched');
  mkdirSync(join(home, 'other'));
  renameSync(folder, mkdtempSync(join(home, 'old-')));
  renameSync(join(home, 'other'), folder);
}

it('P10 a folder that is replaced again while it is opened is opened once more, and not again', async () => {
  let times = 0;
  ({ stop } = watchReplaced(
    () => [join(home, 'watched')],
    async () => {
      times += 1;
      if (times === 1) replace();
    },
  ));
  replace();
  await vi.waitFor(() => expect(times).toBe(2), 10_000);
  await new Promise(resolve => setTimeout(resolve, 1500));
  expect(times).toBe(2);
});

it('P10 a folder that is no longer watched is opened once', async () => {
  let times = 0;
  let watched = [join(home, 'watched')];
  ({ stop } = watchReplaced(
    () => watched,
    async () => {
      times += 1;
    },
  ));
  watched = [];
  await vi.waitFor(() => expect(times).toBe(1), 10_000);
  await new Promise(resolve => setTimeout(resolve, 1500));
  expect(times).toBe(1);
});

it('P23 a folder that is replaced before the first look at it is opened again', async () => {
  const folder = join(home, 'watched');
  const watched: string[] = [];
  let times = 0;
  const replaced = watchReplaced(
    () => watched,
    async () => {
      times += 1;
    },
  );
  ({ stop } = replaced);
  watched.push(folder);
  replaced.know(folder, statSync(folder).ino);
  replace();
  await vi.waitFor(() => expect(times).toBe(1), 10_000);
});
