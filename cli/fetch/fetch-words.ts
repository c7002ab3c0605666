// In: a project. Out: how its own package manager fetches packages into a folder of ours: as the lockfile has them, without scripts and
// without peers; or why it is not asked to.

import { isModernYarn, type Project } from '../../runtime/packs/package-manager.js';
import { readMap } from '../../runtime/packs/workspaces.js';
import { isMap } from '../../schema/document.js';

export interface FetchWords {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export type Refused = { readonly reason: string };

/** Every flag that matters is given: an .npmrc or the npm that runs us may say otherwise. */
const npmWords = [
  ...['install', '--ignore-scripts', '--legacy-peer-deps', '--package-lock', '--package-lock-only=false'],
  ...['--dry-run=false', '--global=false', '--location=project', '--workspaces=false', '--install-strategy=hoisted'],
  ...['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'],
];

/** @example fetchWords(project) // { args: ['install', '--ignore-scripts', ...], env: {} } */
export function fetchWords(project: Project): FetchWords | Refused {
  const { manager, lockfile } = project;
  const isLocked = lockfile !== undefined;
  switch (manager) {
    case 'npm':
      return { args: npmWords, env: {} };
    case 'pnpm': {
      const { settings } = isLocked ? readMap(lockfile.folder, lockfile.file) : { settings: undefined };
      const withPeers = isMap(settings) && settings['autoInstallPeers'] === true;
      const lock = isLocked ? '--frozen-lockfile' : '--no-lockfile';
      const linking = ['--config.node-linker=hoisted', `--config.auto-install-peers=${withPeers}`];
      return { args: ['install', '--ignore-scripts', '--ignore-workspace', '--prod', lock, ...linking], env: {} };
    }
    case 'yarn':
      return isModernYarn(project) ? modernYarn(project) : { args: classicYarn(isLocked), env: {} };
    case 'bun':
      return { args: ['install', '--ignore-scripts', '--linker=hoisted', '--omit=peer', '--no-summary'], env: {} };
    default:
      return manager satisfies never;
  }
}

function classicYarn(isLocked: boolean): readonly string[] {
  const lock = isLocked ? '--frozen-lockfile' : '--no-lockfile';
  return ['install', '--ignore-scripts', '--non-interactive', '--no-progress', '--production=false', lock];
}

/** Without node_modules there is no place to move anything to. */
function modernYarn({ folder, lockfile }: Project): FetchWords | Refused {
  const root = lockfile?.folder ?? folder;
  const linker = process.env['YARN_NODE_LINKER'] ?? readMap(root, '.yarnrc.yml')['nodeLinker'];
  if (linker !== 'node-modules') return { reason: "yarn keeps this project's packages outside node_modules" };
  const env = {
    YARN_NODE_LINKER: 'node-modules',
    YARN_NM_MODE: 'classic',
    YARN_NM_HOISTING_LIMITS: 'none',
    YARN_ENABLE_SCRIPTS: 'false',
    YARN_ENABLE_GLOBAL_CACHE: 'true',
    YARN_ENABLE_TELEMETRY: 'false',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  };
  return { args: ['install', '--mode=skip-build'], env };
}
