// B1: values of requests against a server that keeps the bytes. Seeded, so that a failure can be repeated.
import { strict as assert } from 'node:assert';
import { afterAll, describe, expect, it } from 'vitest';
import { createRegistry } from '../../../runtime/index.js';
import { amount, seedOr } from '../../harness/amount.js';
import { writeFolder } from '../../runtime/packs/code-packs.js';
import { httpPlaces } from './injection/http-places.js';
import { least } from './injection/least.js';
import type { HttpPlace, Parsed } from './injection/place.js';
import { isBroken, makeValues, shown } from './injection/values.js';
import { readTarget, startWireServer, type WireRequest } from './injection/wire.js';

const seed = seedOr(17);
const perPlace = amount(Math.ceil(least.http / Object.keys(httpPlaces).length));

const server = await startWireServer();
const registry = await createRegistry(
  writeFolder({
    'toolwright.yaml': JSON.stringify({
      name: 'acme/demo',
      config: { API: 'string' },
      backends: { api: { type: 'http', url: '{config.API}/v1', allowAddresses: ['loopback'] } },
    }),
    'mcp/tools/anywhere.json': JSON.stringify({
      description: 'Any',
      parameters: { v: 'string' },
      http: { url: '{v}' },
    }),
    'mcp/tools/own.json': JSON.stringify({
      description: 'Own',
      parameters: { v: 'string' },
      http: { backend: 'api', url: '{v}', query: { own: 1 } },
    }),
    ...Object.fromEntries(
      Object.entries(httpPlaces).map(([name, { tool }]) => [
        `mcp/tools/${name.replace('_', '-')}.json`,
        JSON.stringify({ description: 'The tool', ...tool }),
      ]),
    ),
  }),
  { env: { API: server.origin }, report: () => undefined },
);
afterAll(async () => {
  await registry.close();
  await server.close();
});

function parse(request: WireRequest): Parsed {
  const target = readTarget(request.target);
  return {
    method: request.method,
    target,
    segments: [...target.segments],
    query: [...target.query],
    headers: request.headers.filter(([name]) => name !== 'content-length'),
    body: request.body,
    request,
  };
}

/** What is left of it after the place has taken its own. */
function restOf({ method, segments, query, headers, body }: Parsed): unknown {
  return { method, segments, query, headers, body: body.toString('latin1') };
}

let tried = 0;
describe.each(Object.entries(httpPlaces))('B1 values in %s', (name, place: HttpPlace) => {
  it('B1 every value arrives as it was given and changes nothing else, or the call is refused', async () => {
    const tool = name.replace('_', '-');
    const call = async (args: Record<string, unknown>) => {
      const result = await registry.invoke(tool, args);
      return { result, received: server.take() };
    };
    const harmless = await call({ ...place.plain });
    expect(harmless.result).toMatchObject({ ok: true });
    const [first] = harmless.received;
    assert(first !== undefined);
    const before = parse(first);
    expect(place.take(before, place.plain)).toBe(true);
    const values = makeValues(seed + name.length * 1000);
    let refused = 0;
    for (let nth = 0; nth < perPlace; nth += 1) {
      const args = place.make(values);
      const where = `FUZZ_SEED=${seed}, ${name}, value ${nth}: ${shown(args)}`;
      const { result, received } = await call(args);
      tried += 1;
      if (!result.ok) {
        assert(place.mayRefuse(args), `refused without need: ${JSON.stringify(result.error)}\n${where}`);
        assert.match(result.error.code, /^BAD_(?:VALUE|ARGUMENTS)$/, where);
        assert.match(result.error.message, /\w{3}/, where);
        assert.equal(received.length, 0, `refused, and sent nevertheless\n${where}`);
        refused += 1;
        continue;
      }
      assert.equal(received.length, 1, `${received.length} requests\n${where}`);
      try {
        const parsed = parse(received[0] as WireRequest);
        assert(place.take(parsed, args), 'something else arrived');
        assert.deepEqual(restOf(parsed), restOf(before));
      } catch (error) {
        const { target, headers, body } = received[0] as WireRequest;
        throw new Error(
          `${(error as Error).message}\n${where}\narrived: ${shown({ target, headers, body: body.toString('latin1') })}`,
        );
      }
    }
    // Most values arrive: a place that refuses all would pass otherwise.
    expect(refused).toBeLessThan(perPlace * 0.8);
  });
});

/** Ways to write an address of this machine. */
const loopback = [
  ...[
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    '0x7f000001',
    '127.0.0.1.',
    'localhost',
    'LOCALHOST',
    'localhost.',
  ],
  ...[
    '\uff11\uff12\uff17.0.0.1',
    '127\u30020\u30020\u30021',
    '\u2460\u2461\u2466.0.0.1',
    'loc\u24d0lhost',
    '%31%32%37.0.0.1',
  ],
  ...[
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:0:0:1]',
    '[64:ff9b::7f00:1]',
    '[::127.0.0.1]',
    '0.0.0.0',
    '0',
    '[::]',
  ],
];

it('B7 no way of writing it leads an address of an argument to this machine', async () => {
  const values = makeValues(seed);
  const { random } = values;
  for (let nth = 0; nth < amount(least.addresses / 2); nth += 1) {
    const host = loopback[nth] ?? random.pick(loopback);
    const start = random.pick([
      'http://',
      'http://',
      'http:',
      'http:/',
      'http:\\\\',
      'HTTP://',
      'http://x@',
      'http://example.com@',
      'ht\ttp://',
    ] as const);
    const port = server.host.replace(/^.*:/, '');
    const url = `${start}${host}:${port}/${random.chance(0.5) ? values.text() : ''}`;
    const where = `FUZZ_SEED=${seed}, ${shown(url)}`;
    const result = await registry.invoke('anywhere', { v: url });
    tried += 1;
    assert(!result.ok, where);
    // Not every system knows a name with a dot at its end.
    assert.match(
      result.error.code,
      /^(?:ADDRESS_REFUSED|BAD_VALUE|UPSTREAM_DNS)$/,
      `${JSON.stringify(result.error)} ${where}`,
    );
    assert.equal(server.take().length, 0, where);
  }
});

it('B7 an address of an argument stays at the origin of the backend, and is what any reader of addresses sees in it', async () => {
  const values = makeValues(seed);
  let arrived = 0;
  for (let nth = 0; nth < amount(least.addresses / 2); nth += 1) {
    const between = values.random.pick(['/', '/', '/v1/', '?', '', '@', ':', '.', '/..'] as const);
    const url = `${server.origin}${between}${values.text()}`;
    const where = `FUZZ_SEED=${seed}, ${shown(url)}`;
    const result = await registry.invoke('own', { v: url });
    tried += 1;
    const received = server.take();
    const seen = URL.canParse(url) ? new URL(url) : undefined;
    const isMeant = seen?.origin === server.origin && seen.username + seen.password === '';
    // Readers of addresses leave these out.
    const isOdd = /[\0-\x1f\x7f]|^ | $/.test(url) || isBroken(url);
    assert.equal(result.ok, isMeant && !isOdd, `${JSON.stringify(result)} ${where}`);
    assert.equal(received.length, result.ok ? 1 : 0, where);
    if (!result.ok) assert.match(result.error.code, /^(?:ADDRESS_REFUSED|BAD_VALUE)$/, where);
    else {
      const target = received[0]?.target ?? '';
      // A question mark with nothing behind it means nothing.
      const search = seen?.search ?? '';
      const ends = search === '' ? ['?own=1', '?&own=1'] : [`${search}&own=1`];
      assert(
        ends.some(end => target === `${seen?.pathname}${end}`),
        `${target} ${where}`,
      );
    }
    arrived += received.length;
  }
  expect(arrived).toBeGreaterThan(least.addresses / 10);
});

it('B1 the number of values tried is what was meant', () => {
  expect(tried).toBe(perPlace * Object.keys(httpPlaces).length + 2 * amount(least.addresses / 2));
  expect(Object.values(least).reduce<number>((sum, one) => sum + one, 0)).toBeGreaterThan(20_000);
});
