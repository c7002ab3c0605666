// toolwright dev --inspect: the official inspector, which starts the server itself and stays on it while you edit; where it cannot
// run, the command to run it.
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../runtime/load/own-package.js';
import { shellLine } from '../../schema/print/shell-words.js';
import { workingFolder } from '../pack/pack-command.js';
import { findProgram } from '../programs/find-program.js';
import { spawnProgram } from '../programs/spawn-program.js';
import type { DevFlags } from './dev.js';

/** As far as this one was tried with it. */
const inspector = '@modelcontextprotocol/inspector@2';
const oldestNode = [22, 19] as const;

export async function inspectServer(name: string | undefined, flags: DevFlags): Promise<number> {
  const command = fileURLToPath(packageFile('dist/cli/main.js'));
  const server = [process.execPath, command, 'dev', ...wordsOf(name, flags)];
  const line = ['npx', '-y', inspector, '--', ...server];
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    process.stderr.write(`toolwright: the inspector needs Node ${oldestNode.join('.')} or newer. With one, run:\n`);
    process.stderr.write(`  ${shellLine(line)}\n`);
    return 1;
  }
  const refuse = (): number => {
    process.stderr.write(`toolwright: npx could not be run. The inspector is started by:\n  ${shellLine(line)}\n`);
    return 1;
  };
  const cwd = process.cwd();
  const npx = findProgram('npx', cwd);
  if (npx === undefined) return refuse();
  const child = spawnProgram(npx, line.slice(1), { cwd, stdio: 'inherit' });
  return await new Promise(resolve => {
    child.on('error', () => resolve(refuse()));
    child.on('exit', code => resolve(code ?? 0));
  });
}

/** The flags that the server needs, too; it is started over stdio, whatever its definition says of HTTP. */
function wordsOf(name: string | undefined, flags: DevFlags): readonly string[] {
  return [
    ...(name === undefined ? [] : [name]),
    '--stdio',
    '--cwd',
    workingFolder(flags),
    ...flags.overlay.flatMap(folder => ['--overlay', folder]),
    ...(flags.mock ? ['--mock'] : []),
    ...(flags.generate === false ? ['--no-generate'] : []),
    ...(flags.install === false ? ['--no-install'] : []),
    ...(flags.frozen ? ['--frozen'] : []),
    ...(flags.mode === undefined ? [] : ['--mode', flags.mode]),
    ...(flags.words === undefined ? [] : ['--', ...flags.words]),
  ];
}
