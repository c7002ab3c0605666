// Runs the commands of the other scripts: output passes through, a failure ends the script.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program from the repository's root; on Windows npm and npx are .cmd files and need a shell. */
export function run(command, args, options = {}) {
  const shell = process.platform === 'win32';
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell, ...options });
  if (result.error) throw result.error;
  return result.status ?? 1;
}

export function must(command, args, options) {
  const status = run(command, args, options);
  if (status !== 0) {
    console.error(`\n${command} ${args.join(' ')} failed with exit code ${status}`);
    process.exit(status);
  }
}
