// `npm test`: all tests but those in test/slow, and how to run these. With words (a file, `-t W14`), vitest gets them as they are and
// looks everywhere. `--slow` runs test/slow alone, `--all` everything, and `--ci` everything, where a skipped test is a failure. There, a few files
// that failed are run once more, by themselves: among ten thousand tests of watchers, browsers and package managers, one that the machine was too
// busy for must not stand for a mistake. It is named at the end.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root, run } from './run.mjs';

const words = process.argv.slice(2);
const [first, ...others] = words;
const modes = ['--slow', '--all', '--ci'];
const mode = modes.includes(first) ? first : undefined;
const wanted = mode === undefined ? words : others;
const isShort = words.length === 0;

const places = isShort ? ['--exclude', 'test/slow/**'] : mode === '--slow' ? ['test/slow/'] : [];
const folder = mkdtempSync(join(tmpdir(), 'toolwright-tests-'));
const report = join(folder, 'report.json');
try {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const first = run('npx', ['vitest', 'run', ...(mode === '--ci' ? reporters : []), ...places, ...wanted]);
  const skipped = mode === '--ci' ? readSkipped() : [];
  const status = mode === '--ci' && first !== 0 ? runAgain(first) : first;
  if (skipped.length > 0)
    console.error(`\nSkipped, which CI does not allow:\n${skipped.map(one => `  ${one}`).join('\n')}`);
  if (isShort)
    console.error('\nWithout the slow tests (fuzz, whole processes, conformance): npm test -- --slow runs them.');
  process.exitCode = skipped.length > 0 ? 1 : status;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Tests that did not run, whatever the reason. */
function readSkipped() {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => `${relative(root, name)}: ${fullName}`),
  );
}

/** More than these do not fail by chance. */
function runAgain(status) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const files = testResults.filter(one => one.status === 'failed').map(({ name }) => relative(root, name));
  if (files.length === 0 || files.length > 3) return status;
  const list = files.map(file => `  ${file}`).join('\n');
  console.error(`\nFailed, and run once more by themselves:\n${list}`);
  const again = run('npx', ['vitest', 'run', '--maxWorkers=1', ...files]);
  if (again === 0) console.error(`\nFailed at first, and passed by themselves:\n${list}`);
  return again;
}
