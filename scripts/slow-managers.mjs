// `npm run slow:managers`: every package manager in every kind of folder; the tests try each once.
import { run } from './run.mjs';

process.env.TOOLWRIGHT_ALL_MANAGERS = '1';
process.exitCode = run('npx', ['vitest', 'run', 'test/slow/e2e/managers.test.ts', ...process.argv.slice(2)]);
