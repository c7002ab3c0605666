// In: a package manager. Out: how to ask it for a thing, for people, for a README and for a workflow.
import type { PackageManager } from '../../runtime/packs/package-manager.js';
import { Code } from '../render/code.js';

/** The manager of a project, as much of it as decides about words. */
export interface ManagerChoice {
  readonly name: PackageManager;
  /** Where it is known. */
  readonly major: number | undefined;
  readonly isModernYarn: boolean;
  /** package.json says which version it is, so that nobody else has to. */
  readonly isPinned: boolean;
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

export function wordsFor({ name, major, isModernYarn, isPinned }: ManagerChoice): Words {
  switch (name) {
    case 'npm':
      return {
        install: 'npm install',
        run: 'npm run',
        test: 'npm test',
        exec: 'npx',
        frozen: 'npm ci',
        setup: node('npm'),
      };
    case 'pnpm':
      return {
        install: 'pnpm install',
        run: 'pnpm run',
        test: 'pnpm test',
        exec: 'pnpm exec',
        frozen: 'pnpm install --frozen-lockfile',
        // It refuses to run where nobody says which version, and where two do.
        setup: [
          '- uses: pnpm/action-setup@v4',
          ...(isPinned ? [] : ['  with:', `    version: ${major ?? 'latest'}`]),
          ...node('pnpm'),
        ],
      };
    case 'yarn':
      return {
        install: 'yarn install',
        run: 'yarn run',
        test: 'yarn test',
        exec: 'yarn',
        frozen: isModernYarn ? 'yarn install --immutable' : 'yarn install --frozen-lockfile',
        // The machines have yarn 1; corepack brings the one that package.json names.
        setup: isModernYarn ? ['- run: corepack enable', ...node('yarn')] : node('yarn'),
      };
    case 'bun':
      return {
        install: 'bun install',
        run: 'bun run',
        test: 'bun run test',
        exec: 'bunx',
        frozen: 'bun install --frozen-lockfile',
        setup: ['- uses: oven-sh/setup-bun@v2', ...node('')],
      };
    default:
      return name satisfies never;
  }
}

/** @example runScript(manager, 'mcp:test') // 'pnpm run mcp:test' */
export function runScript(manager: ManagerChoice, name: string): string {
  const { run, test } = wordsFor(manager);
  return name === 'test' ? test : `${run} ${name}`;
}

/** The same for a template. */
export function codeWords(manager: ManagerChoice): Readonly<Record<'install' | 'exec', Code>> {
  const { install, exec } = wordsFor(manager);
  return { install: new Code(install), exec: new Code(exec) };
}

/**
 * `scripts`: what the tests and the build are called in this package. `isAlone`: there is no other workflow, so that this one also runs
 * a `test` of the author's.
 */
export function workflowView(
  manager: ManagerChoice,
  scripts: { readonly test: string; readonly build: string },
  isAlone: boolean,
): object {
  const { frozen, setup } = wordsFor(manager);
  const isOwn = scripts.test !== 'test' || scripts.build !== 'build';
  const names = [...(scripts.test !== 'test' && isAlone ? ['test'] : []), scripts.test, scripts.build];
  const commands = [frozen, ...names.map(name => runScript(manager, name))];
  return {
    setup: setup.map(line => new Code(line)),
    commands: commands.map(line => new Code(line)),
    isBeside: isOwn && !isAlone,
  };
}
