// Where pages of the docs are tried: the packed package, installed once, and for each page a home folder with a copy of it. Packages
// of the publisher @acme live in a registry on loopback, so that pages can publish and install them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRegistry } from '../registry-server.js';
import type { Page } from './read-page.js';
import { installFrom, type PageWorld } from './run-page.js';

const root = join(import.meta.dirname, '../../..');

export interface PageWorlds {
  /** A new home folder for one page. */
  make(page: Pick<Page, 'startsIn'>): PageWorld;
  remove(): Promise<void>;
}

export async function openPageWorlds(): Promise<PageWorlds> {
  const registry = await startRegistry();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-docs-')));
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const tarball = join(folder, packed.trim());
  const base = join(folder, 'base/my-pack');
  let made = 0;

  /** What a reader has after docs/start/first-server.md, made with the first page that begins there. */
  const makeBase = (): void => {
    if (existsSync(base)) return;
    mkdirSync(base, { recursive: true });
    const env = environmentOf(join(folder, 'base'), registry.url);
    const run = (command: string): void => {
      execFileSync('bash', ['-c', command], { cwd: base, env, stdio: ['ignore', 'ignore', 'pipe'] });
    };
    run(installFrom(tarball));
    run('npx toolwright init --yes');
  };

  return {
    make({ startsIn }) {
      made += 1;
      const home = join(folder, `page-${made}`);
      const cwd = startsIn === 'pack' ? join(home, 'my-pack') : home;
      mkdirSync(cwd, { recursive: true });
      if (startsIn === 'pack') {
        makeBase();
        for (const name of readdirSync(base)) {
          // Packages are many files that nobody changes in place: links will do.
          const how = name === 'node_modules' ? '-al' : '-a';
          execFileSync('cp', [how, join(base, name), cwd]);
        }
      }
      return { home, cwd, env: environmentOf(home, registry.url), tarball };
    },
    async remove() {
      await registry.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What npm told the process of the test about its own run must not decide about these. */
function environmentOf(home: string, registry: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([key]) => !/^(npm_|NODE_OPTIONS$|NODE_ENV$|VITEST|TOOLWRIGHT|XDG_|CI$)/i.test(key),
  );
  const config = {
    // As for the person who runs the test: where packages come from, and what was downloaded already.
    ...Object.fromEntries(['registry', 'cache', 'proxy', 'https-proxy', 'cafile'].map(key => [key, npmConfig(key)])),
    'prefer-offline': 'true',
    audit: 'false',
    fund: 'false',
    'update-notifier': 'false',
    '@acme:registry': registry,
    [`//${new URL(registry).host}/:_authToken`]: 'anybody',
  };
  const lines = Object.entries(config).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}\n`]));
  writeFileSync(join(home, '.npmrc'), lines.join(''));
  return { ...Object.fromEntries(kept), HOME: home, USERPROFILE: home, NO_COLOR: '1', TERM: 'dumb' };
}

let npmValues: Readonly<Record<string, unknown>> | undefined;

function npmConfig(key: string): string | undefined {
  npmValues ??= JSON.parse(
    execFileSync('npm', ['config', 'list', '--json'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as Readonly<Record<string, unknown>>;
  const value = npmValues[key];
  return typeof value === 'string' ? value : undefined;
}
