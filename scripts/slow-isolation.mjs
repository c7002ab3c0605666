// `npm run slow:isolation`: ten thousand calls in threads that end at random; the tests make a thousand.
import { run } from './run.mjs';

process.env.TOOLWRIGHT_ISOLATION ??= '10000';
process.exitCode = run('npx', ['vitest', 'run', 'test/slow/fuzz/isolation.test.ts', ...process.argv.slice(2)]);
