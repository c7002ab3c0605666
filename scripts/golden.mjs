// Rewrites the golden files of test/golden from the current code; `--check` fails where git sees a difference instead.
import { must, run } from './run.mjs';

const check = process.argv.includes('--check');
must('npx', ['vitest', 'run', 'test/golden.test.ts', '--reporter=dot'], {
  env: { ...process.env, ...(check ? {} : { UPDATE_GOLDEN: '1' }) },
});
if (!check) run('git', ['status', '--short', 'test/golden']);
