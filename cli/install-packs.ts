// W64. In: packs that a server needs and that are not there. Out: those that the project lists are installed by its own
// package manager, without scripts and without touching the lockfile; stdout belongs to the server.
import { spawn } from 'node:child_process';
import { fetchCommand, findProject } from '../runtime/packs/package-manager.js';
import { printReport } from '../runtime/serve/print-report.js';
import { packageOfPack } from '../schema/names.js';

export interface InstallFlags {
  /** False for `--no-install`. */
  readonly install?: boolean;
}

/** Whether missing packs may be installed at all. */
export function mayInstall({ install }: InstallFlags): boolean {
  const forbidden = process.env['TOOLWRIGHT_NO_INSTALL'] ?? '';
  return install !== false && (forbidden === '' || forbidden === '0' || forbidden === 'false');
}

/** Does nothing where package.json lists none of the packs: what was never asked for is never installed. */
export async function installPacks(packs: readonly string[], start: string): Promise<void> {
  const project = findProject(start);
  const wanted = packs.map(packageOfPack).filter(name => project?.listed.has(name));
  if (project === undefined || wanted.length === 0) return;
  const { command, args } = fetchCommand(project);
  printReport(`installing ${wanted.join(', ')}: ${command} ${args.join(' ')} (in ${project.folder})`);
  const problem = await run(command, args, project.folder);
  if (problem !== undefined) printReport(`${command} ${problem}`);
}

/** Undefined where all went well. What the command prints goes to stderr. */
function run(command: string, args: readonly string[], cwd: string): Promise<string | undefined> {
  return new Promise(resolve => {
    // On Windows these commands are scripts, which only a shell runs; every word is ours.
    const isScript = process.platform === 'win32';
    const child = spawn(command, args, { cwd, stdio: ['ignore', 2, 2], shell: isScript });
    child.once('error', error => resolve(`cannot be run: ${error.message}`));
    child.once('exit', (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}`),
    );
  });
}
