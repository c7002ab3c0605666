// `npm run slow:injection`: five times as many hostile values for requests, statements, programs and other servers as the tests try.
import { run } from './run.mjs';

process.env.TOOLWRIGHT_FUZZ ??= '5';
process.exitCode = run('npx', ['vitest', 'run', 'test/slow/fuzz/injection', ...process.argv.slice(2)]);
