// `npm run conformance`: the official suite against examples/conformance, a server written only as manifests and handlers:
// every scenario that 2025-11-25 and 2026-07-28 require, as started from source and with eval switched off.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './run.mjs';
import { copyPack, startHttp } from './served.mjs';

const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const hook = pathToFileURL(join(root, 'scripts/conformance-hook.mjs')).href;
const revisions = ['2025-11-25', '2026-07-28'];
const ways = [
  { name: 'as it is', flags: [] },
  { name: 'without eval', flags: ['--disallow-code-generation-from-strings'] },
];
const isVerbose = process.argv.includes('--verbose');

const { pack, remove } = copyPack('examples/conformance');
let failures = 0;
try {
  for (const { name, flags } of ways) {
    const { child, url, exit } = startHttp(pack, { flags });
    try {
      const address = await url;
      for (const revision of revisions) {
        const args = ['--import', hook, suite, 'server', '--url', address, '--requirements', revision];
        const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
        const output = `${stdout}${stderr}`;
        if (isVerbose || status !== 0) console.log(output);
        const summary = output
          .split('\n')
          .filter(line => /required|unscored|passed|failed/i.test(line))
          .slice(-3);
        console.log(`${revision} ${name}: ${status === 0 ? 'ok' : `FAILED (${status})`}`);
        for (const line of summary) console.log(`  ${line.trim()}`);
        if (status !== 0) failures += 1;
      }
    } finally {
      child.kill();
      await exit;
    }
  }
} finally {
  remove();
}
process.exitCode = failures === 0 ? 0 : 1;
