// `npm run slow:conditions`: the packs of test/slow/e2e/surfaces beside the servers that they copy, under many combinations of flags; the tests
// try a part of them. `--renew` writes their tools anew.
import { run } from './run.mjs';

const words = process.argv.slice(2);
const isRenewed = words.includes('--renew');
process.env.TOOLWRIGHT_SURFACES = isRenewed ? 'renew' : 'all';
const others = words.filter(word => word !== '--renew');
process.exitCode = run('npx', ['vitest', 'run', 'test/slow/e2e/surfaces/surfaces.test.ts', ...others]);
