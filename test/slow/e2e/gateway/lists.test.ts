// B4: five public servers, each behind a pack that forwards to it: clients see the same lists.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run, startOf } from '../ports/originals.js';
import { listAll, writeForwardPack } from './forward-pack.js';
import { connect, originalOf, publicServers } from './public-servers.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-gateway-lists-')));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

/** Tasks are an extension of 2025-11-25 that packs do not serve: what a tool says about them is not repeated. All else is equal. */
function withoutTasks({ execution: _, ...listed }: Readonly<Record<string, unknown>>): object {
  return listed;
}

describe.each(publicServers.filter(({ main }) => main !== undefined))('$name', server => {
  it('B4 a pack that forwards to it lists what it lists', { timeout: 120_000 }, async () => {
    const target = originalOf(server, join(folder, server.name, 'home'));
    const original = await connect(target, folder);
    const lists = await listAll(original);
    const { instructions } = original;
    await original.close();
    const pack = writeForwardPack(join(folder, server.name, 'pack'), server.name, target, { lists, instructions });
    run(pack, 'check');
    const proxy = await connect(startOf(pack, {}), folder);
    const ours = await listAll(proxy);
    expect(proxy.instructions).toBe(instructions);
    await proxy.close();
    expect(ours).toEqual({ ...lists, tools: lists.tools.map(withoutTasks) });
    expect(lists.tools.length).toBeGreaterThan(8);
  });
});
