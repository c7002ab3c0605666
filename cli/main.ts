#!/usr/bin/env node
// The command's first file. It loads nothing that `--version` does not need: hosts and scripts ask for it often. Versions of Node that
// cannot run the rest still parse and link this one, so that it can say so.
import { readFileSync } from 'node:fs';

const asked = process.argv.slice(2);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Toolwright needs Node >= 20.19; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else if (asked.length === 1 && (asked[0] === '--version' || asked[0] === '-V')) {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${(manifest as { version: string }).version}\n`);
} else {
  const { runCommandLine } = await import('./run.js');
  process.exitCode = await runCommandLine(asked);
}
