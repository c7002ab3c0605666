// In: the command line of a benchmark. Out: its options, the same for all of them:
// --quick (100 and 1,000 tools, fewer rounds), --sizes 10,100, --rounds 5, --against <another checkout, built>, --json file,
// --assert (exit code 1).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    rounds: { type: 'string' },
    against: { type: 'string' },
    json: { type: 'string' },
    assert: { type: 'boolean', default: false },
  },
});

/** How many tools to measure with; `whole` where nothing else is asked for. */
export function sizesOf(whole) {
  return options.sizes === undefined ? (options.quick ? [100, 1000] : whole) : numbersOf(options.sizes);
}

/** The rounds that are asked for; undefined where none are. */
export const askedRounds = options.rounds === undefined ? undefined : numbersOf(options.rounds)[0];

/** The commands to measure: ours, and that of another checkout; each with what to put behind the name of a row. */
export const commands = [
  { cli: fileURLToPath(new URL('../dist/cli/main.js', import.meta.url)), mark: '' },
  ...(options.against === undefined ? [] : [{ cli: resolve(options.against, 'dist/cli/main.js'), mark: ', before' }]),
];

/** What must hold between ours and the other: `{text, limit, measured, met, note}` for each row that has a counterpart. */
export function asBefore(rows, limitOf) {
  return rows.flatMap(row => {
    const before = rows.find(other => other.id === `${row.id}, before` && other.group === row.group);
    if (before === undefined) return [];
    const limit = limitOf(row.id);
    const measured = row.ms / before.ms;
    const note = `CPU ${(row.cpuMs / before.cpuMs).toFixed(2)}`;
    return [{ text: `${row.group}: ${row.id}, x before`, limit, measured, met: measured <= limit, note }];
  });
}

/** How often something of this size is measured; `whole` where nothing else is asked for. */
export function roundsOf(whole) {
  return askedRounds ?? (options.quick ? 2 : whole);
}

/** A folder for this run, gone when it ends. */
export function makeBenchFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
  return folder;
}

/** What --json and --assert ask for. */
export function deliver(report) {
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  if (options.assert && report.requirements.some(({ met }) => met === false)) process.exitCode = 1;
}

function numbersOf(text) {
  const numbers = text.split(',').map(Number);
  if (numbers.some(number => !Number.isInteger(number) || number < 1))
    throw new Error(`not a list of numbers: ${text}`);
  return numbers;
}
