// In: a package manager of the user, and words for it. Out: why it failed, where it did.
import type { Program } from './find-program.js';
import { spawnProgram } from './spawn-program.js';

/** That of the user; but inside a script of npm, what that npm was given about its own run is not meant for this one. */
export function managerEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^npm_config_(?:workspaces?|include_workspace_root|prefix|local_prefix|omit|include|only|save.*)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => !foreign.test(key)));
}

/** Undefined where all went well. What the command prints goes to stderr. */
export function runManager(
  program: Program,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return new Promise(resolve => {
    const child = spawnProgram(program, args, { cwd, stdio: ['ignore', 2, 2], env });
    child.once('error', error => resolve(`cannot be run: ${error.message}`));
    child.once('exit', (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}`),
    );
  });
}
