// In: contenders, ready to run. Out: rows `{id, unit, of: {contender: {value, ratio}}}`; the ratio is the median of the ratios to
// the limit within each round, so that what slows down the machine for a while cancels out.
import { median } from '../measure.mjs';
import { load } from './clients.mjs';
import { cpuOf, memoryOf, startServer } from './server-process.mjs';

/** spawn -> initialize -> tools/list, memory then, and the first call after it. */
export async function measureStarts(ready, { tools, rounds }) {
  const runs = new Map(ready.map(({ contender }) => [contender.id, []]));
  console.error(`cold start with ${tools} tools ...`);
  // The first round warms up the file cache.
  for (let round = -1; round < rounds; round += 1) {
    for (const one of turned(ready, round)) {
      const server = await startServer(one, { transport: 'stdio', era: '2025' });
      // A server may still be loading what it needs later, which is part of what it takes.
      await new Promise(resolve => setTimeout(resolve, 60));
      const rss = memoryOf(server.child);
      const began = performance.now();
      await server.client.call(1);
      const first = performance.now() - began;
      await server.stop();
      if (round >= 0) runs.get(one.contender.id).push({ ms: server.ms, rss, first });
    }
  }
  const name = `${tools} tools`;
  return [
    toRow(`cold start, ${name}`, 'ms', runs, 'ms'),
    toRow(`memory after it, ${name}`, 'MB', runs, 'rss'),
    toRow(`first call, ${name}`, 'ms', runs, 'first'),
  ];
}

/** All servers run and take turns in short batches. */
export async function measureCalls(ready, { transport, era, width, calls }, rounds) {
  const able = ready.filter(({ contender }) => contender.transports[transport]?.includes(era));
  const what = `${transport} ${era}, ${width === 1 ? 'one by one' : `${width} at a time`}`;
  console.error(`${what} ...`);
  const running = [];
  for (const one of able) {
    try {
      const server = await startServer(one, { transport, era, tells: true });
      await load(server.client, calls * 2, width);
      running.push({ id: one.contender.id, server });
    } catch (error) {
      console.error(`${one.contender.id} is left out: ${error.message.slice(0, 500)}`);
    }
  }
  const runs = new Map(running.map(({ id }) => [id, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { id, server } of turned(running, round)) {
      const before = await cpuOf(server.child);
      const began = performance.now();
      await load(server.client, calls, width);
      const wall = ((performance.now() - began) * 1000) / calls;
      runs.get(id).push({ wall, cpu: (((await cpuOf(server.child)) - before) * 1000) / calls });
    }
  }
  for (const { server } of running) await server.stop();
  return [toRow(`${what}, server CPU`, 'us', runs, 'cpu'), toRow(`${what}, wall`, 'us', runs, 'wall')];
}

/** Nobody is always first. */
function turned(list, round) {
  return round % 2 === 0 ? list : list.toReversed();
}

function toRow(id, unit, runs, key) {
  const base = runs.get('limit') ?? [];
  const of = {};
  for (const [name, list] of runs) {
    const values = list.map(run => run[key]);
    if (values.length === 0 || values.some(value => value === undefined)) continue;
    const ratios = values.map((value, round) => value / base[round][key]);
    const above = values.map((value, round) => value - base[round][key]);
    of[name] = { value: median(values), ratio: median(ratios), above: median(above) };
  }
  return { id, unit, of };
}
