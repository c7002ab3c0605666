#!/usr/bin/env node
// The command's first file. It loads nothing that `--version` does not need: hosts and scripts ask for it often.
import { readFileSync } from 'node:fs';

const asked = process.argv.slice(2);
if (asked.length === 1 && (asked[0] === '--version' || asked[0] === '-V')) {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${(manifest as { version: string }).version}\n`);
} else {
  const { runCommandLine } = await import('./run.js');
  process.exitCode = await runCommandLine(asked);
}
