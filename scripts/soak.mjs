// `npm run soak`: an hour of mixed traffic in a few minutes, against test/slow/soak. `--quick`: a twentieth of it; `--seed n`; `--built`:
// against a build of it.
import { buildServer, copyPack } from './served.mjs';
import { soakHttp } from './soak/http.mjs';
import { soakStdio, vanish } from './soak/stdio.mjs';

const isQuick = process.argv.includes('--quick');
const at = process.argv.indexOf('--seed');
const seed = at < 0 ? 1 : Number(process.argv[at + 1]);
const share = isQuick ? 0.05 : 1;
const { pack, remove } = copyPack('test/slow/soak');
const file = process.argv.includes('--built') ? buildServer(pack) : undefined;
const results = [];
try {
  for (const era of ['2025-11-25', '2026-07-28']) {
    results.push(
      await soakStdio(pack, {
        calls: 200_000 * share * (era === '2025-11-25' ? 1 : 0.25),
        concurrency: 32,
        era,
        seed,
        file,
      }),
    );
    results.push(await soakHttp(pack, { calls: 30_000 * share, concurrency: 32, era, seed, file }));
  }
  results.push(await vanish(pack, isQuick ? 4 : 20, file));
} finally {
  remove();
}
console.log(results.every(Boolean) ? 'soak: ok' : 'soak: FAILED');
process.exitCode = results.every(Boolean) ? 0 : 1;
