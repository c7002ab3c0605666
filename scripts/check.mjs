// `npm run check`: everything that must hold before a commit. `--all` runs test/slow too, `--no-tests` no test
// (where they ran already).
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must, root, run } from './run.mjs';

const node = process.execPath;
const isWhole = process.argv.includes('--all');

/** The package as it would be published, of what was just built. */
const packed = mkdtempSync(join(tmpdir(), 'toolwright-packed-'));
process.on('exit', () => rmSync(packed, { recursive: true, force: true }));
must('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', packed], { stdio: 'ignore' });
const tarball = join(packed, readdirSync(packed)[0] ?? '');

/** The database that the tests of examples/library begin with. */
const library = 'examples/library';
must(node, [`--env-file=${library}/.env.test`, `${library}/setup.mjs`, '--reset'], { stdio: 'ignore' });

/** None of them needs another: they run side by side, and none beside the tests, which use every core. */
const others = [
  ['types', node, ['node_modules/typescript/bin/tsc', '--noEmit']],
  ['types of the package', 'npx', ['attw', tarball, '--profile', 'esm-only', '--quiet']],
  ['types of the built-in pack', node, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'builtin']],
  ['unused code', 'npx', ['knip']],
  ['golden files are up to date', node, ['scripts/golden.mjs', '--check']],
  ['the table of walks is up to date', node, ['scripts/walk.mjs', '--check']],
  ['lint', 'npx', ['biome', 'check', '--error-on-warnings', '.']],
  ['package', 'npx', ['publint', '--strict', tarball]],
  ['schemas are up to date', node, ['node_modules/.cache/toolwright/make.mjs', '--check']],
  ['every link of the site leads somewhere', node, ['scripts/docs-site.mjs', '--check']],
  ['docs/reference is up to date', node, ['scripts/reference.mjs', '--check']],
  [
    'page of the built-in tools is up to date',
    node,
    ['dist/cli/main.js', 'docs', 'builtin', '--readme', '../docs/reference/builtin.md', '--check'],
  ],
  [
    'examples and the built-in pack',
    node,
    [
      'dist/cli/main.js',
      'check',
      '--strict',
      'examples/weather',
      'examples/jira',
      'examples/conformance',
      'examples/filesystem',
      'examples/memory',
      'examples/git',
      'examples/library',
      'examples/gateway',
      'examples/github',
      'examples/report',
      'builtin',
    ],
  ],
  ...['weather', 'jira', 'conformance', 'desk', 'filesystem', 'memory', 'git', 'library', 'gateway', 'report']
    .map(name => `examples/${name}`)
    .concat('builtin')
    .map(pack => [`tests of ${pack}`, node, ['dist/cli/main.js', 'test', '--quiet', '--cwd', pack]]),
  [
    'tests of examples/github',
    node,
    ['examples/github/stand-in.mjs', node, 'dist/cli/main.js', 'test', '--quiet', '--cwd', 'examples/github'],
  ],
];

const failed = [];
const waiting = [...others];
await Promise.all([runOthers(), runOthers()]);
if (!process.argv.includes('--no-tests')) {
  console.error('\n--- tests');
  const start = performance.now();
  report('tests', run(node, ['scripts/test.mjs', ...(isWhole ? ['--all'] : [])]), start);
}
if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}`);
  process.exit(1);
}
console.error('\nall checks passed');

async function runOthers() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const [name, command, args] = step;
    const start = performance.now();
    const { status, output } = await runAside(command, args);
    process.stderr.write(status === 0 ? '' : `\n${output}`);
    report(name, status, start);
  }
}

function report(name, status, start) {
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.error(`--- ${name}: ${status === 0 ? 'ok' : 'FAILED'} (${seconds} s)`);
  if (status !== 0) failed.push(name);
}

/** What it prints is kept together. */
function runAside(command, args) {
  return new Promise((resolve, reject) => {
    const shell = process.platform === 'win32';
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell });
    const chunks = [];
    child.stdout.on('data', chunk => chunks.push(chunk));
    child.stderr.on('data', chunk => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', status => resolve({ status: status ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}
