// A home folder of the test's own, and `toolwright install` in it as people run it, in examples/jira unless told otherwise.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openCommands, type Ran } from '../harness/commands.js';

export const command = join(import.meta.dirname, '../../dist/cli/main.js');
export const jira = join(import.meta.dirname, '../../examples/jira');

export interface Home {
  /** Of all homes; removed at the end. */
  readonly folder: string;
  /** The home of now. */
  readonly path: string;
  /** Another, empty home. */
  renew(): string;
  run(...args: readonly string[]): Ran;
  /** Writes a file of the home. */
  put(path: string, text: string | Uint8Array): string;
  remove(): void;
}

export function openHome(cwd = jira): Home {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright install ü '));
  const commands = openCommands();
  let home = '';
  let count = 0;
  return {
    folder,
    get path() {
      return home;
    },
    renew() {
      count += 1;
      home = join(folder, `home ${count}`);
      mkdirSync(home);
      return home;
    },
    run(...args) {
      const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', TOOLWRIGHT_CACHE: 'off' };
      return commands.runSync(args, { cwd, env });
    },
    put(path, text) {
      const file = join(home, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
      commands.close();
    },
  };
}
