// `npm run slow:documents`: every ninth document of a public directory, the ten largest and GitHub's become packs; the tests try every ninetieth.
import { run } from './run.mjs';

process.env.TOOLWRIGHT_DOCUMENTS ??= 'all';
// The largest document has 47 MB, and its pack 25,000 files.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --max-old-space-size=8192`.trim();
process.exitCode = run('npx', ['vitest', 'run', 'test/slow/import/documents.test.ts', ...process.argv.slice(2)]);
