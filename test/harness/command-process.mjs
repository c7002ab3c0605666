// Runs commands of the built command line one after the other, as their parent sends them. Most of what a command costs is the
// start of its process; tests that run hundreds share this one. What it prints goes through real pipes; `end`
// closes the part of each command, with its exit code and the memory of this process.
import { join } from 'node:path';
import { runCommandLine } from '../../dist/cli/run.js';

const main = join(import.meta.dirname, '../../dist/cli/main.js');
const [, , end] = process.argv;

// Each command listens to these for as long as its process lives.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

process.on('message', async ({ words, cwd, env }) => {
  if (words === undefined) return process.disconnect();
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, main, ...words];
  process.exitCode = undefined;
  const code = await runCommandLine(words);
  process.exitCode = undefined;
  const { maxRSS } = process.resourceUsage();
  for (const stream of [process.stdout, process.stderr]) stream.write(`${end}${code} ${maxRSS}\n`);
});
