// Runs the built `toolwright import`, each test in a new folder.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import { openCommands, type Ran } from '../harness/commands.js';

/** In the environment of every command, and nowhere else. */
export const token = 'canary-token-4711';
export const commands = openCommands();
export const env = { PATH: process.env['PATH'], TOOLWRIGHT_CACHE: 'off', NO_COLOR: '1' };

const home = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-import-')));
afterAll(() => {
  commands.close();
  rmSync(home, { recursive: true, force: true });
});

/** Of the test that runs. */
export let folder: string;
let count = 0;
beforeEach(() => {
  count += 1;
  folder = join(home, `a folder ${count}`);
  mkdirSync(folder);
});

export const run = (words: readonly string[], cwd = folder): Promise<Ran> =>
  commands.run(['import', ...words], { cwd, env: { ...env, API_TOKEN: token } });
