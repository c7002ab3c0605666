// examples/memory against the server that it ports: the same calls, the same data and texts, the same file.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Way, ways } from '../../../harness/interop-clients.js';
import { builtOf, copyExample, installOriginal, run, startOf } from './originals.js';
import { type Call, play } from './play.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright memory ü ')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const original = installOriginal('@modelcontextprotocol/server-memory', '2026.8.31');

const entity = (name: string, entityType: string, ...observations: string[]) => ({ name, entityType, observations });
const relation = (from: string, relationType: string, to: string) => ({ from, to, relationType });

const calls: readonly Call[] = [
  { tool: 'read_graph' },
  { tool: 'search_nodes', args: { query: 'nobody' } },
  { tool: 'open_nodes', args: { names: ['nobody'] } },
  { tool: 'create_entities', args: { entities: [entity('Ann', 'person', 'likes tea', 'lives in Graz')] } },
  { tool: 'create_entities', args: { entities: [entity('Ann', 'person', 'other'), entity('Bob', 'person')] } },
  { tool: 'create_entities', args: { entities: [] } },
  { tool: 'create_entities', args: { entities: [{ ...entity('Acme', 'company', 'sells anvils'), founded: 1950 }] } },
  { tool: 'create_entities', args: { entities: [entity('Größe "x"\n', 'Ünïcode 🎉', '"quoted"', 'a\\b', '')] } },
  { tool: 'create_entities', args: { entities: [{ name: 'no type', observations: [] }] } },
  { tool: 'create_entities', args: { entities: 'text' } },
  { tool: 'create_entities', args: {} },
  { tool: 'create_entities', args: { entities: [], extra: true } },
  { tool: 'read_graph', args: { extra: 1 } },
  {
    tool: 'create_relations',
    args: { relations: [relation('Ann', 'works at', 'Acme'), relation('Bob', 'knows', 'Ann')] },
  },
  {
    tool: 'create_relations',
    args: { relations: [relation('Ann', 'works at', 'Acme'), relation('Ann', 'owns', 'Acme')] },
  },
  { tool: 'create_relations', args: { relations: [{ ...relation('Bob', 'visits', 'Nowhere'), since: 2020 }] } },
  { tool: 'create_relations', args: { relations: [{ from: 'Ann', to: 'Bob' }] } },
  { tool: 'create_relations', args: {} },
  { tool: 'add_observations', args: { observations: [{ entityName: 'Ann', contents: ['likes tea', 'plays chess'] }] } },
  { tool: 'add_observations', args: { observations: [{ entityName: 'Bob', contents: ['runs', 'runs'] }] } },
  { tool: 'add_observations', args: { observations: [{ entityName: 'Zoe', contents: ['x'] }] } },
  {
    tool: 'add_observations',
    args: {
      observations: [
        { entityName: 'Bob', contents: ['kept?'] },
        { entityName: 'Zoe', contents: [] },
      ],
    },
  },
  { tool: 'add_observations', args: { observations: [{ entityName: 'Bob' }] } },
  { tool: 'read_graph' },
  { tool: 'search_nodes', args: { query: 'ANN' } },
  { tool: 'search_nodes', args: { query: 'person' } },
  { tool: 'search_nodes', args: { query: 'anvils' } },
  { tool: 'search_nodes', args: { query: '' } },
  { tool: 'search_nodes', args: { query: 5 } },
  { tool: 'search_nodes', args: {} },
  { tool: 'open_nodes', args: { names: ['Ann', 'Acme'] } },
  { tool: 'open_nodes', args: { names: ['Nowhere'] } },
  { tool: 'open_nodes', args: { names: [] } },
  { tool: 'open_nodes', args: { names: 'Ann' } },
  { tool: 'delete_observations', args: { deletions: [{ entityName: 'Ann', observations: ['likes tea', 'unknown'] }] } },
  { tool: 'delete_observations', args: { deletions: [{ entityName: 'Zoe', observations: ['x'] }] } },
  { tool: 'delete_observations', args: { deletions: [{ entityName: 'Ann' }] } },
  { tool: 'delete_relations', args: { relations: [relation('Ann', 'owns', 'Acme'), relation('No', 'such', 'one')] } },
  { tool: 'delete_relations', args: { relations: [{ from: 'Ann' }] } },
  { tool: 'delete_entities', args: { entityNames: ['Acme', 'nobody'] } },
  { tool: 'delete_entities', args: { entityNames: [] } },
  { tool: 'delete_entities', args: {} },
  { tool: 'no_such_tool' },
  { tool: 'read_graph' },
];

describe.runIf(original !== undefined)('examples/memory', () => {
  const pack = copyExample('memory', folder);

  it('fix-P2 examples/memory passes `check`, `generate --check` and `typecheck` without workarounds', () => {
    run(pack, 'check', '--strict');
    run(pack, 'generate', '--check');
    run(pack, 'typecheck');
  });

  const oldWay = ways.find(({ transport, era }) => transport === 'stdio' && era === 'legacy');

  async function compared(way: Way, name: string, serve: typeof startOf): Promise<void> {
    if (oldWay === undefined) throw new Error('there is no old client');
    const [theirs, ours] = ['theirs', 'ours'].map(one => join(folder, `${name} ${one}.jsonl`)) as [string, string];
    const target = {
      command: process.execPath,
      args: [original ?? ''],
      cwd: folder,
      env: { MEMORY_FILE_PATH: theirs },
    };
    const expected = await play(oldWay, target, calls);
    expect(await play(way, serve(pack, { MEMORY_FILE_PATH: ours }), calls)).toEqual(expected);
    expect(readFileSync(ours, 'utf8')).toBe(readFileSync(theirs, 'utf8'));
    expect(expected.filter(({ answer }) => answer === 'refused').length).toBeGreaterThan(8);
  }

  it.each(ways.filter(({ transport }) => transport === 'stdio'))(
    'fix-P3 fix-P4 X4 X5 examples/memory answers as the original does, to a $name',
    async way => {
      expect(calls.length).toBeGreaterThanOrEqual(30);
      await compared(way, way.name, startOf);
    },
  );

  it('X4 a build of examples/memory answers as the original does', async () => {
    if (oldWay === undefined) throw new Error('there is no old client');
    await compared(oldWay, 'built', builtOf);
  });
});
