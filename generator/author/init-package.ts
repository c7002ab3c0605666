// In: what a new pack is to be. Out: the keys of its package.json, its tsconfig.json, and the steps of its workflow.
import { manifestFile } from '../../runtime/load/manifest.js';
import type { PackageManager } from '../../runtime/packs/package-manager.js';
import { packKeyword } from '../../runtime/packs/remote-packs.js';
import { Code } from '../render/code.js';
import type { Wanted } from './extend-files.js';
import type { Found, InitSettings } from './init-settings.js';

/** What `npm init` writes where nobody wrote anything. */
const placeholder = 'echo "Error: no test specified" && exit 1';

/** Folders of the pack, as its manifest names them. */
export interface Places {
  readonly root: string;
  readonly generated: string;
  readonly handlers: string;
  readonly dist: string;
}

export function wantedKeys(settings: InitSettings, { packageJson, isBare }: Found, places: Places): readonly Wanted[] {
  const { name, description, language, toolwright } = settings;
  const isNew = packageJson === undefined || isBare;
  const root = (key: string, value: unknown): Wanted => ({ path: [], key, value });
  return [
    ...(isNew || packageJson['name'] === undefined ? [root('name', name)] : []),
    ...(isNew || packageJson['version'] === undefined ? [root('version', '0.1.0')] : []),
    ...(isNew ? [root('description', description), root('keywords', [packKeyword]), root('type', 'module')] : []),
    // What a package holds, and what runs before it is published, is settled where there is one.
    ...(isNew ? [root('files', publishedFiles(language, places))] : []),
    ...Object.entries({ ...scripts(language), ...(isNew ? { prepack: prepack(language) } : {}) }).map(
      ([key, value]) => ({ path: ['scripts'], key, value }),
    ),
    ...dependencies({ toolwright }, 'dependencies', packageJson),
    ...(language === 'ts' ? dependencies(compilers, 'devDependencies', packageJson) : []),
  ];
}

/** TypeScript is published as what it is compiled to. */
function publishedFiles(language: InitSettings['language'], places: Places): readonly string[] {
  const code = language === 'ts' ? places.dist : places.handlers;
  return [code, places.generated, places.root, manifestFile].filter(path => path !== '');
}

function prepack(language: InitSettings['language']): string {
  const compile = language === 'ts' ? 'toolwright build --pack && ' : '';
  return `toolwright generate && ${compile}toolwright check --publish --fix`;
}

/** What is there is kept, but for what npm wrote for want of anything. */
export function isPlaceholder({ path, key }: Wanted, value: unknown): boolean {
  return path[0] === 'scripts' && key === 'test' && value === placeholder;
}

const compilers = { typescript: '^5.9.0', '@types/node': '^20.19.0' };

/** By the names of npm's life cycle: `pretest` runs before every `test`, so that `npm test -- greet` is about one tool. */
export function scripts(language: InitSettings['language']): Readonly<Record<string, string>> {
  const types = language === 'ts' ? ' && toolwright typecheck' : '';
  return {
    generate: 'toolwright generate',
    check: `toolwright check --strict${types}`,
    dev: 'toolwright dev',
    pretest: 'toolwright check --strict && toolwright generate --check',
    test: 'toolwright test',
    prebuild: `toolwright generate${types}`,
    build: 'toolwright build',
    docs: 'toolwright docs',
  };
}

/** Anyone who has a package already, in whatever kind of dependencies, has chosen a version. */
function dependencies(
  versions: Readonly<Record<string, string>>,
  kind: string,
  packageJson: Found['packageJson'],
): readonly Wanted[] {
  const listed = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap(one =>
    Object.keys((packageJson?.[one] as object | undefined) ?? {}),
  );
  return Object.entries(versions)
    .filter(([name]) => !listed.includes(name))
    .map(([key, value]) => ({ path: [kind], key, value }));
}

/** `rootDir` and the generated folder beside it make `../../generated` right from sources and from the build. */
export function printTsconfig({ handlers, dist }: { handlers: string; dist: string }): string {
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    rootDir: handlers === '' ? '.' : handlers,
    outDir: dist,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  };
  return `${JSON.stringify({ compilerOptions, include: [handlers === '' ? '.' : handlers] }, undefined, 2)}\n`;
}

interface Words {
  readonly install: string;
  readonly run: string;
  readonly test: string;
  readonly exec: string;
  readonly frozen: string;
  readonly setup: readonly string[];
}

const node = (cache: string): readonly string[] => [
  '- uses: actions/setup-node@v4',
  '  with:',
  '    node-version: 22',
  ...(cache === '' ? [] : [`    cache: ${cache}`]),
];

/** How to ask each package manager for a thing. */
const words: Readonly<Record<PackageManager, Words>> = {
  npm: { install: 'npm install', run: 'npm run', test: 'npm test', exec: 'npx', frozen: 'npm ci', setup: node('npm') },
  pnpm: {
    install: 'pnpm install',
    run: 'pnpm run',
    test: 'pnpm test',
    exec: 'pnpm exec',
    frozen: 'pnpm install --frozen-lockfile',
    setup: ['- uses: pnpm/action-setup@v4', ...node('pnpm')],
  },
  yarn: {
    install: 'yarn install',
    run: 'yarn run',
    test: 'yarn test',
    exec: 'yarn',
    frozen: 'yarn install --frozen-lockfile',
    setup: node('yarn'),
  },
  bun: {
    install: 'bun install',
    run: 'bun run',
    test: 'bun run test',
    exec: 'bunx',
    frozen: 'bun install --frozen-lockfile',
    setup: ['- uses: oven-sh/setup-bun@v2', ...node('')],
  },
};

export function wordsOf(manager: PackageManager): Readonly<Record<'install' | 'run' | 'test' | 'exec', Code>> {
  const { install, run, test, exec } = words[manager];
  return { install: new Code(install), run: new Code(run), test: new Code(test), exec: new Code(exec) };
}

export function workflowView({ manager }: InitSettings): object {
  const { frozen, run, test, setup } = words[manager];
  const commands = [frozen, test, `${run} build`];
  return { setup: setup.map(line => new Code(line)), commands: commands.map(line => new Code(line)) };
}
