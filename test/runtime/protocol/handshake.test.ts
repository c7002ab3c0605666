// The prebuilt answers of our own protocol code are those of the SDK, and pieces can be left out or replaced.
import { afterEach, describe, expect, it } from 'vitest';
import {
  answerStatic,
  type Era,
  type Handshake,
  replacePieces,
  selectPieces,
} from '../../../runtime/protocol/handshake.js';
import { makeHandshake, wrapOutputSchema } from '../../../runtime/protocol/make-handshake.js';
import { printHandshake, readHandshake } from '../../../runtime/server/stored/stored-handshake.js';
import type { Surface } from '../../../runtime/surface/surface.js';
import { connectRaw, modern, type RawClient, request } from '../serve/serve-pipes.js';
import { type Fixture, makeSurface } from '../serve/serve-surface.js';
import { makeTools, nobodyWatches } from '../serve/serve-tools.js';
import { serve } from '../surface/surface-pack.js';
import { taskFixture } from './fake-tasks.js';

const open: RawClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ connection }) => connection.close(0)));
});

const methods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
const schemas: readonly Readonly<Record<string, unknown>>[] = [
  { type: 'array', items: { $ref: '#/$defs/item' }, $defs: { item: { properties: { default: { $ref: '#' } } } } },
  { anyOf: [{ type: 'string' }, { $dynamicRef: '#/anyOf/0' }], default: { $ref: '#' }, examples: [{ $ref: '#' }] },
  { $id: 'https://example.com/x', type: 'array', items: { $ref: '#' } },
  { $id: '#here', type: 'array', items: { $ref: '#/items' } },
  { type: 'array', items: { $id: 'inner', $ref: '#' }, $defs: { $id: { $ref: '#' } } },
  { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'array', items: { $recursiveRef: '#' } },
  {
    $schema: 'https://json-schema.org/draft/2019-09/schema#',
    anyOf: [{ $recursiveRef: '#', $ref: '#/anyOf', allOf: [{}] }],
  },
  {
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    $recursiveAnchor: true,
    anyOf: [{ $recursiveRef: '#' }],
  },
  { type: ['object', 'null'], properties: { a: { $ref: 'other.json#/a' } } },
  {},
];

function odd(): Surface {
  const run = () => ({ result: { content: [] } });
  const tools: NonNullable<Fixture['tools']> = Object.fromEntries(
    schemas.map((outputSchema, index) => [`wrap${index}`, { outputSchema, run }]),
  );
  const task = { run, entry: { title: 'T\u2028', execution: { taskSupport: 'optional' } } };
  return makeSurface({ tools: { ...tools, task }, instructions: 'Say "hi"\n\u2028' });
}

function paged(): Surface {
  const names = Array.from({ length: 7 }, (_, index) => `tool-${index}`);
  const files = Object.fromEntries(names.map(name => [`mcp/tools/${name}.yaml`, 'description: A tool\n']));
  return serve({
    ...files,
    'toolwright.yaml': 'name: paged\n',
    'mcp/servers/main.yaml': 'description: Pages\npageSize: 3\ncache: { ttlMs: 5, scope: public }\n',
  }).surface;
}

/** Tools that ask, some of whose outputs are another thing in each era. */
function asking(): Surface {
  return serve({
    'toolwright.yaml': 'name: asking\n',
    'mcp/servers/main.yaml': 'description: Asks\npageSize: 2\ncache: { ttlMs: 5, scope: public }\n',
    'mcp/tools/a.yaml': 'description: A\nconfirm: true\noutputSchema: { type: array }\n',
    'mcp/tools/b.yaml': 'description: B\n',
    'mcp/tools/c.yaml': 'description: C\nconfirm: true\nrequires: { elicitation: suggested }\n',
  }).surface;
}

/** What the SDK answers in one era, from the first page to the last. */
async function answersOf(surface: Surface, era: Era): Promise<Map<string, unknown>> {
  const client = connectRaw(surface, { protocol: 'sdk' });
  open.push(client);
  const answers = new Map<string, unknown>();
  let next = 0;
  const ask = async (method: string, params: object): Promise<unknown> => {
    next += 1;
    client.send(era === 'modern' ? modern(next, method, params) : request(next, method, params));
    return (await client.answer(next)).result;
  };
  if (era === 'modern') answers.set('server/discover {}', await ask('server/discover', {}));
  else answers.set('initialize', (await client.initialize()).result);
  for (const method of methods) {
    let params: object | undefined = {};
    while (params !== undefined) {
      const result = await ask(method, params);
      answers.set(`${method} ${JSON.stringify(params)}`, result);
      const cursor = (result as { nextCursor?: string } | undefined)?.nextCursor;
      params = cursor === undefined ? undefined : { cursor };
    }
  }
  return answers;
}

function parsed(handshake: Handshake, key: string, era: Era): unknown {
  const [method = '', params = ''] = key.split(/ (.*)/s);
  const text =
    method === 'initialize'
      ? answerStatic(handshake, method, { protocolVersion: '2025-11-25' }, era)
      : // The client of these tests cannot ask its user.
        answerStatic(handshake, method, JSON.parse(params), era, true);
  return text === undefined ? undefined : JSON.parse(text);
}

describe('prebuilt answers', () => {
  it.each([
    ['tools of every sort', () => makeTools(nobodyWatches())],
    ['outputs that are not an objects', odd],
    ['pages', paged],
    ['fix-F7 tools that ask', asking],
    ['a server without anything', () => makeSurface({})],
  ])('P21 prebuilt answers equal those of the SDK in both eras: %s', async (_, make) => {
    const surface = make();
    // Through JSON: a built server has it in a file.
    const handshake = JSON.parse(JSON.stringify(makeHandshake(surface))) as Handshake;
    for (const era of ['legacy', 'modern'] as const) {
      const answers = await answersOf(surface, era);
      expect(answers.size).toBeGreaterThan(4);
      for (const [key, result] of answers) expect([key, parsed(handshake, key, era)]).toEqual([key, result]);
    }
  });

  it('fix-F7 C6 what depends on the client is private to it, and survives in a built server', () => {
    const made = makeHandshake(asking());
    const handshake = readHandshake(printHandshake({ ...made, switches: { items: {}, fixed: [] } }));
    expect(handshake).toMatchObject(made);
    const list = (relays: boolean): string => answerStatic(handshake, 'tools/list', {}, 'modern', relays) ?? '';
    expect(list(true)).toContain('"cacheScope":"private"');
    expect(list(true)).toContain('"confirmed"');
    expect(list(false)).toContain('"cacheScope":"public"');
    expect(list(false)).not.toContain('"confirmed"');
    expect(answerStatic(makeHandshake(paged()), 'tools/list', {}, 'modern', true)).toContain('"cacheScope":"public"');
  });

  it('P21 `initialize` accepts each version that it knows and offers its newest for any other', () => {
    const handshake = makeHandshake(makeSurface({}));
    const version = (protocolVersion: unknown): unknown => {
      const text = answerStatic(handshake, 'initialize', { protocolVersion }, 'legacy');
      return text === undefined ? undefined : (JSON.parse(text) as { protocolVersion: string }).protocolVersion;
    };
    const asked = ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', 'x', 5];
    expect(asked.map(version)).toEqual([...asked.slice(0, 5), '2025-11-25', '2025-11-25', undefined]);
  });

  it('P21 `answerStatic` leaves alone methods of the other era, odd cursors and cursors of a list that changed', () => {
    const handshake = makeHandshake(paged());
    const cursor = (JSON.parse(answerStatic(handshake, 'tools/list', {}, 'legacy') ?? '') as { nextCursor: string })
      .nextCursor;
    for (const [method, params, era] of [
      ['server/discover', {}, 'legacy'],
      ['initialize', { protocolVersion: '2025-11-25' }, 'modern'],
      ['ping', {}, 'modern'],
      ['tools/call', { name: 'x' }, 'legacy'],
      ['prompts/list', {}, 'legacy'],
      ['tools/list', { cursor: 5 }, 'legacy'],
      ['tools/list', { cursor: 'mine' }, 'legacy'],
      ['tools/list', { cursor: `${cursor}AAAA` }, 'legacy'],
    ] as const) {
      expect([method, answerStatic(handshake, method, params, era)]).toEqual([method, undefined]);
    }
    const fewer = selectPieces(handshake, 'tools', ({ name }) => name !== 'tool-3');
    expect(answerStatic(fewer, 'tools/list', { cursor }, 'legacy')).toBeUndefined();
  });

  it('T1 P21 a handshake keeps how tools run as tasks when it is stored, without the tools that are left out', () => {
    const handshake = makeHandshake(makeSurface(taskFixture));
    const stored = readHandshake(printHandshake({ ...handshake, switches: { items: {}, fixed: [] } }));
    expect(stored.tasks).toEqual(handshake.tasks);
    expect(stored.tasks?.modes).toMatchObject({ work: 'optional', only: 'required' });
    const one = selectPieces(stored, 'tools', ({ name }) => name === 'only' || name === 'plain');
    expect(one.tasks).toEqual({ modes: { only: 'required' } });
    const none = selectPieces(stored, 'tools', ({ name }) => name === 'plain');
    expect(none.tasks).toBeUndefined();
    const params = { protocolVersion: '2025-11-25' };
    expect(answerStatic(one, 'initialize', params, 'legacy')).toContain('"tasks":{"list":{}');
    expect(answerStatic(none, 'initialize', params, 'legacy')).not.toContain('"tasks"');
  });

  it('P21 pieces of a list are left out and replaced in list order, and the original stays', () => {
    const handshake = makeHandshake(makeTools(nobodyWatches()));
    const some = selectPieces(handshake, 'tools', ({ name }) => ['add', 'list', 'slow'].includes(name));
    const changed = replacePieces(some, 'tools', new Map([['list', { name: 'list', text: '{"name":"list","x":1}' }]]));
    const { tools } = JSON.parse(answerStatic(changed, 'tools/list', undefined, 'modern') ?? '') as {
      tools: { name: string }[];
    };
    expect(tools.map(({ name }) => name)).toEqual(['add', 'list', 'slow']);
    expect(tools[1]).toEqual({ name: 'list', x: 1 });
    expect(answerStatic(handshake, 'tools/list', {}, 'legacy')).toContain('"name":"ask"');
  });

  it('P21 a wrapped output schema keeps what it does not touch', () => {
    const schema = { type: 'array', items: { const: { $ref: '#' } } };
    expect(wrapOutputSchema(schema)).toEqual({ type: 'object', properties: { result: schema }, required: ['result'] });
  });
});
