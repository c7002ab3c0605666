// `npm run slow:requests`: every operation of GitHub and Stripe is called with arguments by chance, and each request judged; the tests try one of
// eight. FUZZ_SEED=7 tries other arguments.
import { run } from './run.mjs';

process.env.TOOLWRIGHT_REQUESTS ??= 'all';
process.exitCode = run('npx', ['vitest', 'run', 'test/slow/e2e/import-requests.test.ts', ...process.argv.slice(2)]);
