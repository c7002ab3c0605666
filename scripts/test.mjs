// `npm test`: all tests but those in test/slow, and how to run these. With words (a file, `-t W14`), vitest gets them as they are and
// looks everywhere. `--slow` runs test/slow alone, `--all` everything, and `--ci` everything, where a skipped test is a failure.
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
  const status = run('npx', ['vitest', 'run', ...(mode === '--ci' ? reporters : []), ...places, ...wanted]);
  const skipped = mode === '--ci' ? readSkipped() : [];
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
