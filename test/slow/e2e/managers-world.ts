// A developer's machine with one of the package managers and a registry that has this package, beside all that the world's has.
// In: a manager. Out: run what people type, in folders of their own.
import { type ExecFileSyncOptionsWithStringEncoding, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFiles } from '../../harness/files.js';
import { installManagers, type RealManager } from './real-managers.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export type Manager = 'npm' | RealManager;

export interface ManagersWorld {
  write(name: string, files: Readonly<Record<string, string>>): string;
  /** Runs a line in a shell, as somebody who has this manager; throws with all that it printed where it fails. */
  run(manager: Manager, line: string, cwd: string): Promise<string>;
  /** What git would have of a folder, elsewhere. */
  clone(folder: string): string;
  /** The paths in a package. */
  listPackage(file: string): readonly string[];
  close(): Promise<void>;
}

export async function openManagersWorld(): Promise<ManagersWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-managers-')));
  const managers = installManagers();
  const registry = await startProxy(folder);
  const env = (manager: Manager): NodeJS.ProcessEnv => {
    const inherited = Object.entries(process.env).filter(
      ([key]) => !/^(npm_|yarn_|pnpm_|bun_|NODE_OPTIONS$|VITEST|TOOLWRIGHT|CI$|XDG_)/i.test(key),
    );
    const own = manager === 'npm' ? [] : [managers[manager]];
    return {
      ...Object.fromEntries(inherited),
      PATH: [...own, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      HOME: join(folder, 'home'),
      npm_config_registry: registry.url,
      npm_config_cache: join(folder, 'npm-cache'),
      npm_config_update_notifier: 'false',
      // Packages of a minute ago are what this is about.
      npm_config_minimum_release_age: '0',
      pnpm_config_minimum_release_age: '0',
      YARN_NPM_REGISTRY_SERVER: registry.url.replace(/\/$/, ''),
      YARN_NPM_MINIMAL_AGE_GATE: '0',
      YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
      YARN_ENABLE_TELEMETRY: '0',
      ...(manager === 'yarn1' ? { YARN_REGISTRY: registry.url } : { YARN_GLOBAL_FOLDER: join(folder, 'yarn-4') }),
      BUN_CONFIG_REGISTRY: registry.url,
      BUN_INSTALL_CACHE_DIR: join(folder, 'bun-cache'),
      NO_COLOR: '1',
    };
  };
  // Not every manager reads the variable.
  writeFiles(join(folder, 'home'), { '.npmrc': `registry=${registry.url}\n` });
  let count = 0;
  return {
    write(name, files) {
      count += 1;
      const path = join(folder, String(count), name);
      mkdirSync(path, { recursive: true });
      writeFiles(path, files);
      return path;
    },
    run: (manager, line, cwd) =>
      new Promise((done, fail) => {
        const child = spawn('sh', ['-c', line], { cwd, env: env(manager), stdio: ['ignore', 'pipe', 'pipe'] });
        let printed = '';
        const note = (text: Buffer): void => {
          printed += text.toString();
        };
        child.stdout.on('data', note);
        child.stderr.on('data', note);
        child.on('error', fail);
        child.on('close', status => {
          if (status === 0) done(printed);
          else fail(new Error(`${line} (${manager}) ended with ${status}:\n${printed}`));
        });
      }),
    clone(source) {
      count += 1;
      const target = join(folder, String(count), basename(source));
      const ignored = /(?:^|\/)(?:node_modules|dist|\.git|\.yarn|\.pnp\.[\w.]+|[^/]+\.tgz)$/;
      cpSync(source, target, { recursive: true, filter: path => !ignored.test(relative(source, path)) });
      return target;
    },
    listPackage: file =>
      execFileSync('tar', ['-tzf', file], { encoding: 'utf8' })
        .split('\n')
        .map(path => path.replace(/^package\//, '')),
    async close() {
      await registry.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A registry on loopback that has this package as npm would publish it; for all others it asks the registry that npm uses here. */
async function startProxy(folder: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const options: ExecFileSyncOptionsWithStringEncoding = {
    ...{ cwd: root, encoding: 'utf8' },
    stdio: ['ignore', 'pipe', 'ignore'],
  };
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], options);
  const [{ filename }] = JSON.parse(packed) as [{ readonly filename: string }];
  const tarball = readFileSync(join(folder, filename));
  const above = execFileSync('npm', ['config', 'get', 'registry'], options).trim();
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  const { version } = manifest;
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    try {
      if (path.endsWith(`/${filename}`)) response.end(tarball);
      else if (/^\/toolwright(?:\?|$)/.test(path)) response.end(JSON.stringify(describePackage()));
      else if (/^\/toolwright\/[\w.]+$/.test(path)) response.end(JSON.stringify(describeVersion()));
      else {
        const accept = request.headers.accept ?? '*/*';
        const answer = await fetch(new URL(path.slice(1), above), { headers: { accept } });
        response.statusCode = answer.status;
        response.setHeader('content-type', answer.headers.get('content-type') ?? 'application/json');
        response.end(Buffer.from(await answer.arrayBuffer()));
      }
    } catch (error) {
      response.statusCode = 502;
      response.end(String(error));
    }
  });
  await new Promise<void>(done => {
    server.listen(0, '127.0.0.1', done);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    close: () =>
      new Promise(done => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };

  function describeVersion(): object {
    const dist = {
      tarball: `${url}toolwright/-/${filename}`,
      integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
      shasum: createHash('sha1').update(tarball).digest('hex'),
    };
    return { ...manifest, dist };
  }

  function describePackage(): object {
    const time = { [version]: '2020-01-01T00:00:00.000Z' };
    return {
      name: 'toolwright',
      'dist-tags': { latest: version },
      versions: { [version]: describeVersion() },
      time,
    };
  }
}
