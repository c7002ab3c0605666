// `npm run check`: everything that must hold before a commit. `--all` runs the slow tests too, `--no-tests` none
// (where they ran already).
import { run } from './run.mjs';

const node = process.execPath;
const isWhole = process.argv.includes('--all');

/** Fuzz, hostile input, crashes, whole processes: `npm test` and CI run them, a check before each commit need not. */
const slow = [
  'hostile',
  'fuzz',
  'apply-crash',
  'validators-fuzz',
  'types/fuzz',
  'generate-hostile',
  'generate-determinism',
  'conformance',
  'interop',
  'traffic-fuzz',
  'parse-hostile',
  'start-cli',
  'call-cli',
  'list',
  'list-hostile',
  'list-remote',
  'publish',
  'registry-server',
  'generate-cli',
  'host-import',
  'serve-clients',
  'serve-stdout-guard',
  'stubs-compile',
  'cli',
  'typecheck',
  'host-pack',
  'generate-watch',
  'attack-start',
  'trust',
  'trust-running',
  'trust-reading',
  'trust-writing',
  'lock',
  'builtin-pack',
  'builtin-replay',
  'test-cli',
  'testing',
  'packs-start',
  'packs-install',
  'packs-inspect',
  'declarations-cost',
  // A step of its own runs these.
  'golden',
  'golden-generate',
].map(name => `test/${name}.test.ts`);

const steps = [
  ['types', node, ['node_modules/typescript/bin/tsc', '--noEmit']],
  ['types of the built-in pack', node, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'builtin']],
  ['lint', 'npx', ['biome', 'check', '--error-on-warnings', '.']],
  ['schemas and diagnostics page are up to date', node, ['node_modules/.cache/toolwright/make.mjs', '--check']],
  ['tests', 'npx', ['vitest', 'run', ...(isWhole ? [] : slow.flatMap(file => ['--exclude', file]))]],
  ['golden files are up to date', node, ['scripts/golden.mjs', '--check']],
  [
    'examples and the built-in pack',
    node,
    ['dist/cli/main.js', 'check', '--strict', 'examples/weather', 'examples/jira', 'examples/conformance', 'builtin'],
  ],
  ...['examples/weather', 'examples/jira', 'examples/conformance', 'examples/desk', 'builtin'].map(pack => [
    `tests of ${pack}`,
    node,
    ['dist/cli/main.js', 'test', '--quiet', '--cwd', pack],
  ]),
  ['package', 'npx', ['publint', '--strict']],
  ['types of the package', 'npx', ['attw', '--pack', '.', '--profile', 'esm-only', '--quiet']],
  ['unused code', 'npx', ['knip']],
].filter(([name]) => !(name === 'tests' && process.argv.includes('--no-tests')));

const failed = [];
for (const [name, command, args] of steps) {
  const start = performance.now();
  console.error(`\n--- ${name}`);
  const status = run(command, args);
  console.error(
    `--- ${name}: ${status === 0 ? 'ok' : 'FAILED'} (${((performance.now() - start) / 1000).toFixed(1)} s)`,
  );
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}`);
  process.exit(1);
}
console.error(`\nall ${steps.length} checks passed`);
