// Starts `toolwright start` on a copy of a pack, for scripts that talk to a real server.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './run.mjs';

const command = join(root, 'dist/cli/main.js');

/** A copy of a pack with generated code, outside the repository. */
export function copyPack(path) {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-served-'));
  const pack = join(folder, 'pack');
  cpSync(join(root, path), pack, { recursive: true });
  mkdirSync(join(pack, 'node_modules'), { recursive: true });
  symlinkSync(root, join(pack, 'node_modules/toolwright'), 'dir');
  const { status, stderr } = spawnSync(process.execPath, [command, 'generate'], { cwd: pack, encoding: 'utf8' });
  if (status !== 0) throw new Error(`toolwright generate failed in a copy of ${path}\n${stderr}`);
  return { pack, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Builds the only server of a pack; gives the file to start. */
export function buildServer(pack) {
  const args = [command, 'build', '--format', 'json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: pack, encoding: 'utf8' });
  if (status !== 0) throw new Error(`toolwright build failed\n${stdout}${stderr}`);
  return join(pack, JSON.parse(stdout).artifacts[0].file);
}

/** Runs `toolwright start` in `pack`, or `file`, a built server. `flags` are Node's. */
export function start(pack, args, { flags = [], env = {}, stdio = ['pipe', 'pipe', 'pipe'], file } = {}) {
  const words = file === undefined ? [command, 'start', ...args] : [file, ...args];
  return spawn(process.execPath, [...flags, ...words], {
    cwd: pack,
    stdio,
    env: { ...process.env, ...env },
  });
}

/** Starts a server on a free port and waits for its address. */
export function startHttp(pack, { flags = [], env = {}, args = [], file } = {}) {
  const child = start(pack, ['--http', '0', ...args], { flags, env, stdio: ['ignore', 'ignore', 'pipe'], file });
  const exit = new Promise(resolve => child.once('exit', (code, signal) => resolve(code ?? signal)));
  return { child, exit, ...readAddress(child) };
}

/** Where a server says that it listens, and what it says further. */
export function readAddress(child) {
  let log = '';
  const url = new Promise((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', text => {
      // Only the end is ever shown.
      log = (log + text).slice(-100_000);
      const [found] = /http:\/\/\S+/.exec(log) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('error', reject);
    child.once('exit', code => reject(new Error(`the server exited with ${code}\n${log}`)));
  });
  return { url, log: () => log };
}
