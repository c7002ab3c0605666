// `npm run conformance`: the official suite against examples/conformance, a server written only as manifests and handlers:
// every scenario that 2025-11-25 and 2026-07-28 require, as started from source and with eval switched off. `--built` runs them
// against a build of it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './run.mjs';
import { buildServer, copyPack, startHttp } from './served.mjs';

const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const hook = pathToFileURL(join(root, 'scripts/conformance-hook.mjs')).href;
/** T1: of the extension, which the suite does not score. One is always skipped: it has no check yet. */
const taskScenarios = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-composition',
  'tasks-mrtr-input',
  'tasks-required-task-error',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-status-notifications',
];
/** How many checks of theirs there are. */
const taskChecks = 44;
/** How many scenarios each revision requires: a suite that runs fewer proves less. */
const requirements = { '2025-11-25': 30, '2026-07-28': 37 };
const ways = [
  { name: 'as it is', flags: [] },
  { name: 'without eval', flags: ['--disallow-code-generation-from-strings'] },
];
const isVerbose = process.argv.includes('--verbose');

/** From what the suite prints: one line for each scenario, then those that do not count. */
function countScenarios(output) {
  const [ran = '', rest = ''] = output.split(/^Not scored for/m);
  const results = new Map(
    [...ran.matchAll(/^([✓✗]) ([\w-]+): \d+ passed/gm)].map(([, mark, scenario]) => [scenario, mark === '✓']),
  );
  const unscored = [...rest.matchAll(/^ +([✓✗]) ([\w-]+) /gm)].map(([, mark, scenario]) => ({ mark, scenario }));
  for (const { scenario } of unscored) results.delete(scenario);
  return {
    passed: [...results.values()].filter(Boolean).length,
    required: results.size,
    unscored: unscored.filter(({ mark }) => mark === '✗').map(({ scenario }) => scenario),
  };
}

/** The scenarios of tasks against a server, one at a time. */
function runTasks(address) {
  let checks = 0;
  const failed = taskScenarios.filter(scenario => {
    // Without the force the suite skips them, and says that all is well.
    const words = ['--url', address, '--scenario', scenario, '--force', '--spec-version', '2026-07-28'];
    const args = ['--import', hook, suite, 'server', ...words];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
    const output = `${stdout}${stderr}`;
    const passed = Number(/^Passed: (\d+)\//m.exec(output)?.[1] ?? 0);
    if (isVerbose || status !== 0) console.log(output);
    checks += passed;
    return status !== 0;
  });
  return { checks, failed };
}

const { pack, remove } = copyPack('examples/conformance');
const file = process.argv.includes('--built') ? buildServer(pack) : undefined;
let failures = 0;
try {
  for (const { name, flags } of ways) {
    const { child, url, exit } = startHttp(pack, { flags, file });
    try {
      const address = await url;
      for (const revision of Object.keys(requirements)) {
        const args = ['--import', hook, suite, 'server', '--url', address, '--requirements', revision];
        const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
        const output = `${stdout}${stderr}`;
        if (isVerbose || status !== 0) console.log(output);
        const { passed, required, unscored } = countScenarios(output);
        const isComplete = status === 0 && passed === required && required === requirements[revision];
        console.log(
          `${revision} ${name}: ${passed} of ${required} required scenarios pass${isComplete ? '' : ' - FAILED'}` +
            (unscored.length === 0 ? '' : `; of those not scored these fail: ${unscored.join(', ')}`),
        );
        if (!isComplete) failures += 1;
      }
      const { checks, failed } = runTasks(address);
      const isRight = failed.length === 0 && checks === taskChecks;
      console.log(
        `tasks ${name}: ${taskScenarios.length - failed.length} of ${taskScenarios.length} scenarios pass, with ${checks} checks` +
          (isRight
            ? ''
            : ` - FAILED${failed.length === 0 ? `; there are ${taskChecks} checks` : `: ${failed.join(', ')}`}`),
      );
      if (!isRight) failures += 1;
    } finally {
      child.kill();
      await exit;
    }
  }
} finally {
  remove();
}
process.exitCode = failures === 0 ? 0 : 1;
