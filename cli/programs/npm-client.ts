// The user's own npm client, so that registries, tokens and proxies of the user apply. In: words for npm. Out: what it printed;
// as a port: the registry of packages. It is only ever asked to look: nothing is installed, no script runs.

import { type ChildOutput, collectOutput } from '../../runtime/packs/child-output.js';
import { type FoundPackage, type PackageRegistry, searchLimit } from '../../runtime/packs/remote-packs.js';
import { isMap } from '../../schema/document.js';
import { parseJson } from '../../schema/json-text.js';
import { findProgram } from './find-program.js';
import { spawnProgram } from './spawn-program.js';

/** npm itself waits for minutes for a registry that does not answer, and tries again where one refuses: somebody is waiting. */
const patienceMs = 20_000;

/** Words on a command line; with nothing in them that npm or a shell (on Windows) would take for something else. */
const packageName = /^(?:@[a-z0-9~_][\w.~-]*\/)?[a-z0-9~_][\w.~-]*$/i;
const versionName = /^[0-9a-z][\w.+-]*$/i;

/** Rejects with a reason in words where npm cannot be run or does not come to an end. */
async function runNpm(args: readonly string[], cwd: string): Promise<ChildOutput> {
  const npm = findProgram('npm', cwd);
  if (npm === undefined) throw new Error('npm was not found (copies in node_modules are not used)');
  const child = spawnProgram(npm, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: npmEnvironment() });
  // A timer of our own: that of spawn goes on where there is no npm at all, and keeps the process waiting.
  const timer = setTimeout(() => child.kill(), patienceMs);
  let ran: ChildOutput;
  try {
    ran = await collectOutput(child);
  } catch (error) {
    throw new Error(`npm cannot be run (${error instanceof Error ? error.message : String(error)})`);
  } finally {
    clearTimeout(timer);
  }
  if (ran.signal !== null) throw new Error(`npm did not answer within ${patienceMs / 1000} seconds`);
  return ran;
}

/** That of the user; but inside a script of npm, what that npm was given about workspaces is not meant for ours. */
function npmEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^npm_config_(?:workspaces?|include_workspace_root|pack_destination)$/i;
  const mine = Object.entries(process.env).filter(([key]) => !foreign.test(key));
  return {
    ...Object.fromEntries(mine),
    npm_config_update_notifier: 'false',
    npm_config_fund: 'false',
    NO_COLOR: '1',
  };
}

/** The paths that npm would put into the package of a folder. Scripts are off: they could run this again. */
export async function packedFiles(folder: string): Promise<readonly string[]> {
  const found = await askNpm(['pack', '--dry-run', '--json', '--ignore-scripts'], folder);
  const [pack] = Array.isArray(found) ? found : Object.values(isMap(found) ? found : {});
  const files: unknown = isMap(pack) ? pack['files'] : undefined;
  if (!Array.isArray(files)) throw new Error("npm pack does not list the package's files");
  return files.flatMap(file => (isMap(file) && typeof file['path'] === 'string' ? [file['path']] : []));
}

/** Somebody waits for these: a registry that refuses or is silent should be reported, not asked again for a minute. */
const impatient = ['--fetch-retries=0', '--fetch-timeout=15000'];

/** The registry that npm would use in a folder. `asking` is called before the first question. */
export function npmRegistry(cwd: string, { asking }: { readonly asking?: () => void } = {}): PackageRegistry {
  let isAsked = false;
  const ask = (...words: readonly string[]): Promise<unknown> => {
    if (!isAsked) asking?.();
    isAsked = true;
    return askNpm([...words, ...impatient], cwd);
  };
  return {
    async search(keyword) {
      const found = await ask('search', `keywords:${keyword}`, '--json', `--searchlimit=${searchLimit}`);
      return Array.isArray(found) ? found.flatMap(toPackage) : [];
    },
    async view(name, version) {
      if (!packageName.test(name) || !versionName.test(version)) throw new Error('this is not a valid package name');
      const found = await ask('view', `${name}@${version}`, 'name', 'version', 'toolwright', '--json');
      return isMap(found) ? found : undefined;
    },
  };
}

/** Before something that may take seconds. */
export function sayAsking(): void {
  process.stderr.write('toolwright: asking the registry through npm ...\n');
}

function toPackage(found: unknown): FoundPackage[] {
  if (!isMap(found)) return [];
  const { name, version } = found;
  return typeof name === 'string' && typeof version === 'string' ? [{ name, version }] : [];
}

/** What npm printed as JSON; undefined where it says that there is no such thing. */
async function askNpm(args: readonly string[], cwd: string): Promise<unknown> {
  const { status, stdout, stderr } = await runNpm(args, cwd);
  const data = parseJson(stdout);
  const problem = isMap(data) && isMap(data['error']) ? data['error'] : undefined;
  if (status === 0 && problem === undefined) return data;
  if (problem?.['code'] === 'E404') return undefined;
  throw new Error(reasonOf(problem, stderr));
}

/** `npm error code ECONNREFUSED` is followed by lines that say more. */
function reasonOf(problem: Readonly<Record<string, unknown>> | undefined, stderr: string): string {
  const { code, summary } = problem ?? {};
  const told = [code, summary].filter(one => typeof one === 'string' && one !== '');
  if (told.length > 0) return `npm says ${told.join(': ')}`;
  const lines = stderr.split('\n').flatMap(line => /^npm (?:error|ERR!) (.+)$/.exec(line)?.[1] ?? []);
  return lines.length === 0 ? 'npm failed without giving a reason' : `npm says ${lines.slice(0, 2).join(': ')}`;
}
