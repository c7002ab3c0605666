// Somebody who uses the registry of the tests: a real npm client with a configuration, cache and prefix of its own.
// In: a registry. Out: publish and install packages, and run programs that see the world as this user does.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { openCommands } from './commands.js';
import { writeFiles } from './files.js';
import type { RegistryServer } from './registry-server.js';

export interface ProcessRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RegistryUser {
  /** A folder of its own, without links in its path; holds everything below. */
  readonly folder: string;
  /** For any process that should see the registry as this user does. */
  readonly env: NodeJS.ProcessEnv;
  /** Runs npm; throws with all that it printed where it fails. */
  npm(args: readonly string[], cwd: string): Promise<string>;
  /** Runs a program as this user, whatever comes of it. */
  run(program: string, args: readonly string[], options?: RunOptions): Promise<ProcessRun>;
  /** Writes files below the folder, and says where they are. */
  write(name: string, files: Readonly<Record<string, string>>): string;
  /** Runs commands of toolwright as this user; they share a process. */
  toolwright(words: readonly string[], options?: Omit<RunOptions, 'input'>): Promise<ProcessRun>;
  /** Puts a package into the registry without npm, which takes a second to do it. */
  put(files: Readonly<Record<string, string>>): Promise<void>;
  /** Writes and publishes a package. */
  publish(files: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<void>;
  remove(): void;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/**
 * Somebody whose npm knows only this registry. Processes are started without waiting for them, since the registry
 * lives in the process of the test.
 *
 * @example
 * const user = makeUser(registry);
 * await user.publish({ 'package.json': '{"name": "@acme/jira", "version": "1.0.0"}' });
 * await user.npm(['install', '@acme/jira'], user.write('app', { 'package.json': '{}' }));
 */
export function makeUser(registry: RegistryServer, token = 'anybody'): RegistryUser {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-npm-')));
  const config = {
    registry: registry.url,
    [`//${new URL(registry.url).host}/:_authToken`]: token,
    cache: join(folder, 'npm-cache'),
    prefix: join(folder, 'npm-prefix'),
    audit: 'false',
    fund: 'false',
    progress: 'false',
    'update-notifier': 'false',
    'fetch-retries': '0',
  };
  const lines = Object.entries(config).map(([key, value]) => `${key}=${value}\n`);
  writeFileSync(join(folder, '.npmrc'), lines.join(''));
  writeFileSync(join(folder, 'global.npmrc'), '');
  // What npm told the process of the test about its own run must not decide about this one.
  const inherited = Object.entries(process.env).filter(([key]) => !/^(npm_|NODE_OPTIONS$|VITEST)/i.test(key));
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(inherited),
    PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    npm_config_userconfig: join(folder, '.npmrc'),
    npm_config_globalconfig: join(folder, 'global.npmrc'),
    TOOLWRIGHT_CACHE: join(folder, 'toolwright-cache'),
    NO_COLOR: '1',
  };
  let published = 0;

  const run = (program: string, args: readonly string[], options: RunOptions = {}): Promise<ProcessRun> =>
    new Promise((done, fail) => {
      const child = spawn(program, args, { cwd: options.cwd ?? folder, env: { ...env, ...options.env } });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', text => {
        stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', text => {
        stderr += text;
      });
      child.on('error', fail);
      child.on('close', status => done({ status, stdout, stderr }));
      // A program may end without reading; what it said and its exit code are what counts.
      child.stdin.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') fail(error);
      });
      child.stdin.end(options.input);
    });

  const npm = async (args: readonly string[], cwd: string): Promise<string> => {
    const { status, stdout, stderr } = await run('npm', args, { cwd });
    if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
    return stdout;
  };

  const write = (name: string, files: Readonly<Record<string, string>>): string => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    writeFiles(path, files);
    return path;
  };

  const commands = openCommands();
  return {
    folder,
    env,
    npm,
    run,
    toolwright: (words, options = {}) =>
      commands.run(words, { cwd: options.cwd ?? folder, env: { ...env, ...options.env } }),
    write,
    async put(files) {
      published += 1;
      // Packages are packed with this folder around them.
      const path = dirname(write(`put-${published}/package`, files));
      const { status, stderr } = await run('tar', ['-czf', 'package.tgz', 'package'], { cwd: path });
      if (status !== 0) throw new Error(stderr);
      const manifest = JSON.parse(files['package.json'] ?? '') as { readonly name: string; readonly version: string };
      const { name, version } = manifest;
      const response = await fetch(new URL(encodeURIComponent(name), registry.url), {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({
          versions: { [version]: manifest },
          'dist-tags': { latest: version },
          _attachments: { 'package.tgz': { data: readFileSync(join(path, 'package.tgz'), 'base64') } },
        }),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    async publish(files, ...args) {
      published += 1;
      await npm(['publish', '--access', 'public', ...args], write(`published-${published}`, files));
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
      commands.close();
    },
  };
}

/** This Node at a place that has no npm beside it. */
export function nodeWithoutNpm({ folder }: Pick<RegistryUser, 'folder'>): string {
  const node = join(folder, 'lonely-node');
  copyFileSync(process.execPath, node);
  return node;
}
