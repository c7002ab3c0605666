// `toolwright typecheck` that is asked to end while the compiler works: the compiler and what it has started end with it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { writeFolder } from '../runtime/packs/code-packs.js';
import { makePack } from '../runtime/packs/packs-kit.js';

const command = join(import.meta.dirname, '../../dist/cli/main.js');

/** As TypeScript 7 does: the script waits for another process, which does the work and hears of nothing. */
const compiler = `const { execFileSync } = require('node:child_process');
const work = "require('node:fs').writeFileSync('working', String(process.pid)); setInterval(() => {}, 1000);";
execFileSync(process.execPath, ['-e', work], { stdio: 'inherit' });
`;

async function until(isSo: () => boolean): Promise<void> {
  for (let left = 200; left > 0 && !isSo(); left -= 1) await sleep(50);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.skipIf(process.platform === 'win32')('`toolwright typecheck` that is asked to end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends `typecheck` and its compiler with all that it has started',
    async signal => {
      const cwd = writeFolder({
        ...makePack('desk', { tools: { find: '' } }),
        'node_modules/typescript/package.json': '{"name":"typescript","version":"7.0.2"}',
        'node_modules/typescript/bin/tsc': compiler,
      });
      const temporary = join(cwd, 'tmp');
      mkdirSync(temporary);
      const env = { ...process.env, TOOLWRIGHT_CACHE: 'off', TMPDIR: temporary };
      expect(spawnSync(process.execPath, [command, 'generate'], { cwd, env }).status).toBe(0);
      const child = spawn(process.execPath, [command, 'typecheck'], { cwd, env, stdio: 'ignore' });
      const ended = new Promise(resolve => child.once('exit', (_, by) => resolve(by)));
      const working = join(cwd, 'working');
      await until(() => existsSync(working) && readFileSync(working, 'utf8') !== '');
      const pid = Number(readFileSync(working, 'utf8'));
      expect(readdirSync(temporary)).toEqual([expect.stringContaining('toolwright-typecheck-')]);
      child.kill(signal);
      expect(await ended).toBe(signal);
      await until(() => !isAlive(pid));
      expect(isAlive(pid)).toBe(false);
      expect(readdirSync(temporary)).toEqual([]);
    },
  );
});
