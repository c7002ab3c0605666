// In: a pack that was just written. Out: what it needs is installed by its package manager, or why not.
import type { ManagerChoice } from '../../generator/author/manager-words.js';
import { copiesOf } from '../../runtime/packs/installed-package.js';
import { findProgram } from '../programs/find-program.js';
import { managerEnvironment, runManager } from '../programs/run-manager.js';

/** Of `names`, those that no node_modules on the way up has. With Plug'n'Play there are none to look at. */
export function missingPackages(pack: string, names: readonly string[]): readonly string[] {
  return names.filter(name => copiesOf(name, pack).length === 0);
}

/** Undefined where all went well. What the manager prints goes to stderr. */
export async function installNow(pack: string, manager: ManagerChoice): Promise<string | undefined> {
  const { name } = manager;
  const program = findProgram(name, pack);
  if (program === undefined) return `there is no ${name} on PATH (those in node_modules are not used)`;
  const problem = await runManager(program, installWords(manager), pack, managerEnvironment());
  return problem === undefined ? undefined : `${name} ${problem}`;
}

/** Some change no lockfile on machines of CI, where there is one to write for the first time. */
function installWords({ name, isModernYarn }: ManagerChoice): readonly string[] {
  if (name === 'pnpm') return ['install', '--no-frozen-lockfile'];
  if (name === 'yarn') return isModernYarn ? ['install', '--no-immutable'] : ['install', '--non-interactive'];
  return ['install'];
}
