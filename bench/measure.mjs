// In: contenders, each a fresh Node process. Out: their wall time, CPU time and largest memory, interleaved over rounds.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const usage = fileURLToPath(new URL('report-usage.cjs', import.meta.url));

/**
 * Runs every contender once per round, so that a busy moment of the machine hits all of them alike.
 * A contender is `{id, args, env?, before?, expect?}`; `expect` must occur in what it prints.
 */
export function measure(contenders, rounds) {
  const runs = new Map(contenders.map(({ id }) => [id, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of contenders) runs.get(contender.id).push(runOnce(contender));
  }
  return runs;
}

function runOnce({ id, args, env = {}, before, expect }) {
  before?.();
  const start = performance.now();
  const result = spawnSync(process.execPath, ['--require', usage, ...args], {
    env: { ...process.env, TOOLWRIGHT_OVERLAY: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  const ms = performance.now() - start;
  if (result.status !== 0 || (expect !== undefined && !result.stdout.includes(expect))) {
    throw new Error(`${id}: exit code ${result.status}, signal ${result.signal}, and it printed:\n${result.stdout}`);
  }
  return { ms, ...JSON.parse(result.output[3]) };
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of the ratios within each round: what slows down a whole round cancels out. */
export function ratio(runs, base, key, less = 0) {
  return median(runs.map((run, round) => (run[key] - less) / (base[round][key] - less)));
}
