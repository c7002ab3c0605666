// Rewrites the golden files of test/golden and test/golden-generate from the current code; `--check` fails where they
// differ instead.
import { must, run } from './run.mjs';

const check = process.argv.includes('--check');
const tests = ['test/project/golden.test.ts', 'test/project/golden-generate.test.ts'];
must('npx', ['vitest', 'run', ...tests, '--reporter=dot'], {
  env: { ...process.env, ...(check ? {} : { UPDATE_GOLDEN: '1' }) },
});
if (!check) run('git', ['status', '--short', 'test/golden', 'test/golden-generate']);
