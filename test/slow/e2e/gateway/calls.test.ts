// B4: five public servers, each behind a pack that forwards to it: the same calls have the same results, down to the last key.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Target } from '../../../harness/interop-clients.js';
import { run, startOf } from '../ports/originals.js';
import { type Plan, planOf } from './deterministic-calls.js';
import { listAll, writeForwardPack } from './forward-pack.js';
import { chromium, connect, originalOf, publicServers } from './public-servers.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-gateway-calls-')));
const html = `<!doctype html><html lang="en"><title>Shop</title><h1>Fruit</h1><ul><li>apples<li>pears</ul>
<input id="name" aria-label="Name"><select id="size" aria-label="Size"><option>S<option>M</select>
<button id="greet" onclick="out.textContent = 'Hello ' + document.querySelector('#name').value">Greet</button><p id="out"></p>
<script>console.log('loaded', { fruit: 2 })</script></html>`;
const pages = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html));
let page = '';
beforeAll(async () => {
  await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve));
  page = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`;
});
afterAll(() => {
  pages.closeAllConnections();
  pages.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function play(target: Target, home: string, { steps, plain = text => text }: Plan): Promise<readonly unknown[]> {
  const seen = await connect(target, home);
  const outcomes: unknown[] = [];
  for (const step of steps) outcomes.push([step, JSON.parse(plain(JSON.stringify(await seen.outcome(...step))))]);
  await seen.close();
  return outcomes;
}

if (chromium === undefined) console.warn('skipped: browsers need Chromium (apt-get install chromium)');

describe.each(publicServers)('$name', server => {
  const isMissing = server.main === undefined || (server.isBrowser && chromium === undefined);
  it.skipIf(isMissing)('B4 calls through a pack have the results of the server', { timeout: 300_000 }, async () => {
    const home = join(folder, server.name, 'home');
    const target = originalOf(server, home);
    const listing = await connect(target, home);
    const offer = { lists: await listAll(listing), instructions: listing.instructions };
    await listing.close();
    const plan = planOf(server.name, { folder: home, page });
    const expected = await play(target, home, plan);
    // What the first run has written is not there for the second.
    rmSync(home, { recursive: true, force: true });
    const pack = writeForwardPack(join(folder, server.name, 'pack'), server.name, originalOf(server, home), offer);
    run(pack, 'check');
    expect(await play(startOf(pack, {}), home, plan)).toEqual(expected);
    expect(plan.steps.length).toBeGreaterThanOrEqual(20);
    // Most of them do something: a server that refuses everything would be forwarded to perfection, too.
    const failed = expected.filter(one => /"isError":true|"error":\{/.test(JSON.stringify(one)));
    expect(failed.length).toBeLessThan(plan.steps.length / 3);
  });
});
