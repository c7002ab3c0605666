// `npm run slow:tasks`: two thousand tasks over four processes that crash; the tests have 150.
import { run } from './run.mjs';

process.env.TOOLWRIGHT_TASKS ??= '2000';
process.exitCode = run('npx', ['vitest', 'run', 'test/slow/tasks/crash.test.ts', ...process.argv.slice(2)]);
