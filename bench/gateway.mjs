// `npm run bench:gateway` (B4): what a call costs the process of a gateway, against a forwarder written by hand that parses and passes on. The
// server behind both costs next to nothing, and is not counted, nor is the client. Options: --quick, --assert, --rounds n, --against, see
// options.mjs.
import { cpus } from 'node:os';
import { prepare } from './gateway/contenders.mjs';
import { askedRounds, deliver, makeBenchFolder, options } from './options.mjs';
import { printRequirements, printTable, requirement } from './print.mjs';
import { measureCalls } from './serve/measure-servers.mjs';

const rounds = askedRounds ?? (options.quick ? 5 : 21);
const limit = 1.5;
const ready = prepare(makeBenchFolder(), 10);
const scale = options.quick ? 0.5 : 1;
const tasks = [
  { transport: 'stdio', era: '2025', width: 64, calls: 4000 * scale },
  { transport: 'stdio', era: '2025', width: 1, calls: 1500 * scale },
  // The forwarder passes messages of 2026 on as they are; a gateway speaks 2025 with the server behind it, which is cheaper there.
  { transport: 'stdio', era: '2026', width: 64, calls: 4000 * scale },
];
const rows = [];
for (const task of tasks) rows.push(...(await measureCalls(ready, task, rounds)));

const ids = ready.map(({ contender }) => contender.id);
const show = ({ value, ratio }) => `${value.toFixed(1)} us, ${ratio.toFixed(2)} x`;
console.log(
  printTable(
    [['', ({ id }) => id], ...ids.map(id => [id === 'limit' ? 'by hand' : id, ({ of }) => show(of[id])])],
    rows,
    () => '',
  ),
);
const requirements = rows
  .filter(({ id }) => id.includes('2025') && id.endsWith('CPU'))
  .flatMap(({ id, of }) => ['start', 'build'].map(one => requirement(`${id}: ${one}`, limit, of[one].ratio)));
console.log(`\nMust hold:\n${printRequirements(requirements)}`);
console.log(
  `\n${rounds} rounds, interleaved. Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}`,
);
deliver({ rows, requirements });
