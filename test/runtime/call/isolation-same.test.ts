// X10: a handler cannot tell whether it runs in a thread: every one of these is run in both ways, and must come to the same.
import { describe, expect, it } from 'vitest';
import type { TestClientOptions } from '../../../runtime/server/testing/index.js';
import { type IsolatedTool, openIsolated } from './isolation-kit.js';

const errors = `errors:
  NOT_FOUND: { message: 'No {{key}}: see {{tool:text}}', status: 404, suggestedFix: 'Call {{tool:text}}', match: [ENOENT, 410] }
`;
const key = 'parameters: { key: { type: string, default: k } }\n';
const output =
  'outputSchema: { type: object, properties: { n: { type: integer } }, required: [n], additionalProperties: false }\n';
const size = `{ message: 'Which?', schema: { size: { type: 'string' } } }`;

/** By what they show. `handler` is an expression; `toolwright` is what handlers import. */
const tools: Readonly<Record<string, IsolatedTool>> = {
  text: ['', `() => 'plain text'`],
  nothing: ['', `() => undefined`],
  none: ['', `() => null`],
  number: ['', `() => 5n`],
  date: ['', `() => new Date(0)`],
  map: ['', `() => new Map([['a', new Set([1n])]])`],
  bytes: ['', `() => new Uint8Array([1, 2, 3])`],
  parts: ['', `() => ['see', Buffer.from('x'), { type: 'text', text: 'y' }]`],
  whole: ['', `() => ({ content: [{ type: 'text', text: 'own' }], structuredContent: { n: 1 }, _meta: { a: 1 } })`],
  failed: ['', `() => ({ content: [{ type: 'text', text: 'no' }], isError: true })`],
  data: [output, `() => ({ n: 1 })`],
  more: [output, `() => ({ n: 1, extra: true })`],
  wrong: [output, `() => ({ n: 'one' })`],
  json: ['', `() => new (class Money { toJSON() { return { cents: 5 }; } })()`],
  method: ['', `() => ({ a: 1, run() {} })`],
  function: ['', `() => () => 1`],
  symbol: ['', `() => Symbol('s')`],
  circle: ['', `() => { const a = {}; a.a = a; return a; }`],
  promise: ['', `() => ({ a: Promise.resolve(1) })`],
  opaque: ['', `() => new (class Connection { #x = 1; x() { return this.#x; } })()`],
  returned: ['', `() => new Error('returned')`],
  later: ['', `async () => { await new Promise(done => setTimeout(done, 5)); return 'later'; }`],
  resultText: [`${output}resultText: 'It is {{n}}'\n`, `() => ({ n: 7 })`],
  large: ['limits: { resultChars: 50 }\n', `() => 'x'.repeat(1000)`],
  declared: [errors + key, `({ key }, ctx) => { throw ctx.errors.NOT_FOUND({ meta: { key } }); }`],
  worded: [
    errors + key,
    `(_, ctx) => { throw ctx.errors.NOT_FOUND('Own words', { suggestedFix: 'Try {{tool:data}}' }); }`,
  ],
  read: [
    errors,
    `(_, ctx) => { const { code, status, message } = ctx.errors.NOT_FOUND(); return { code, status, message }; }`,
  ],
  matched: [errors, `() => { throw Object.assign(new Error('gone'), { code: 'ENOENT' }); }`],
  matchedCause: [
    errors,
    `() => { throw new Error('outer', { cause: Object.assign(new Error('in'), { status: 410 }) }); }`,
  ],
  matchedObject: [errors, `() => { throw { code: 410, message: 'not an error' }; }`],
  unexpected: ['', `() => { throw new TypeError('boom'); }`],
  thrownText: ['', `() => { throw 'just text'; }`],
  thrownNothing: ['', `() => { throw undefined; }`],
  thrownProxy: ['', `() => { throw new Proxy({}, { get() { throw new Error('trap'); } }); }`],
  aggregate: ['', `() => Promise.any([Promise.reject(new Error('a')), Promise.reject(new Error('b'))])`],
  unwritten: ['', `(_, ctx) => { throw ctx.notImplemented(); }`],
  config: ['', `(_, { config }) => config`],
  has: [
    'requires: { elicitation: optional, LIMIT: optional, TOKEN: optional }\n',
    `(_, { has }) => ['elicitation', 'sampling', 'roots', 'LIMIT', 'TOKEN', 'EMPTY', 'odd'].map(name => has(name)).join()`,
  ],
  about: [
    'tags: [a, b]\noptions: { size: { type: integer, default: 3 } }\n',
    `(_, { tool, options, client, auth, requestId, sessionId, request }) =>
      ({ tool, options, client, auth, requestId, sessionId: sessionId ?? 'none', request })`,
  ],
  secret: [
    '',
    `(_, ctx) => { ctx.log.info('the token is ' + ctx.config.TOKEN); return 'the token is ' + ctx.config.TOKEN; }`,
  ],
  talk: [
    '',
    `(_, ctx) => {
      ctx.log.debug('one', { at: new Date(0), map: new Map([['a', 1n]]), run() {} });
      ctx.log.emergency('two');
      ctx.progress(1, 3, 'first'); ctx.progress(1); ctx.progress(NaN); ctx.progress(2);
      return 'talked';
    }`,
  ],
  notify: ['', `(_, { notify }) => { notify.toolsChanged(); notify.resourceUpdated('a://b'); return 'told'; }`],
  elicit: ['', `async (_, ctx) => JSON.stringify(await ctx.elicit('size', ${size}))`],
  both: [
    '',
    `async (_, ctx) => {
      const [size, colour] = await Promise.all([
        ctx.elicit('size', ${size}), ctx.elicit('colour', { message: 'And?', schema: { colour: 'string' } })]);
      return JSON.stringify([size, colour]);
    }`,
  ],
  badQuestion: ['', `(_, ctx) => ctx.elicit('size', { message: 5 })`],
  caught: [
    '',
    `async (_, ctx) => { try { await ctx.elicit('size', { message: 5 }); } catch (error) { return [error.code, error.name, error instanceof Error].join(); } }`,
  ],
  once: [
    '',
    `async (_, ctx) => {
      const first = await ctx.once('a', () => ({ n: 1 }));
      const answer = await ctx.elicit('size', ${size});
      const nothing = await ctx.once('b', () => undefined);
      return JSON.stringify([first, answer, nothing === undefined]);
    }`,
  ],
  onceBad: ['', `(_, ctx) => ctx.once('a', () => new Date(0))`],
  onceFails: [
    '',
    `async (_, ctx) => { const own = new Error('x'); try { await ctx.once('a', () => { throw own; }); } catch (error) { return String(error === own); } }`,
  ],
  onceAsks: ['', `(_, ctx) => ctx.once('a', () => ctx.elicit('size', ${size}))`],
  sample: [
    '',
    `async (_, ctx) => (await ctx.sample('s', { prompt: 'Say', maxTokens: 5, fallback: 'fell back' })).text`,
  ],
  roots: ['', `async (_, ctx) => JSON.stringify(await ctx.roots())`],
  call: ['', `async (_, ctx) => (await ctx.call('data')).structuredContent`],
  callFailing: ['', `async (_, ctx) => ctx.call('declared', { key: 'z' })`],
  callNobody: ['', `(_, ctx) => ctx.call('nobody')`],
  callCircle: ['', `async (_, ctx) => { const { content } = await ctx.call('callCircle'); return content; }`],
  callAsks: ['', `async (_, ctx) => ctx.call('elicit')`],
  callHas: ['', `async (_, ctx) => (await ctx.call('has')).content`],
  app: ['', `(_, ctx) => ctx.app.name`],
  initialized: ['initialize: src/app.js#prepare\n', `(_, ctx) => ctx.app.prepared`],
  confirm: ['confirm: true\n', `() => 'agreed'`],
};

const files = {
  'src/app.js': `export const create = ({ config }) => ({ name: 'app of ' + config.LIMIT, prepared: 0 });
export const prepare = ({ app }) => { app.prepared += 1; };`,
};
const manifest = `context: src/app.js#create
config:
  LIMIT: { type: integer, default: 3 }
  TOKEN: { type: string, secret: true }
  EMPTY: string
`;
const auth = { token: 't', clientId: 'c', scopes: ['a'], claims: { sub: 'x' } };

/** Ids of causes, and sealed states. */
const variable = /(?<=\()[0-9a-f]{8}(?=\))|(?<="id":")[0-9a-f]{8}|(?<=_state\W{1,9})[\w-]{50,}/g;

/** Everything that a call comes to. */
async function outcomes(
  isolate: 'thread' | 'none',
  options: TestClientOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const reports: string[] = [];
  const client = await openIsolated(tools, {
    ...{ isolate, manifest, files, auth, ...options },
    env: { TOKEN: 'secret-token-1' },
    report: text => void reports.push(text),
  });
  const all: Record<string, unknown> = {};
  for (const name of Object.keys(tools)) {
    reports.length = 0;
    const before = client.changes.length;
    const called = await client.call(name, {}, { requestId: name });
    // Frames of our own in stacks are others in a thread.
    const told = reports.map(text => text.split('\n')[0]);
    const text = JSON.stringify({ called, told, changes: client.changes.slice(before) });
    all[name] = JSON.parse(text.replaceAll(variable, 'x'));
  }
  return all;
}

describe('handlers in threads and in the main thread', () => {
  it.each([
    [
      'a client that can do everything',
      {
        elicit: () => ({ action: 'accept', content: { size: 'L', colour: 'red' } }),
        sample: () => 'sampled',
        roots: [{ uri: 'file:///a', name: 'a' }],
      },
    ],
    ['a client that can do nothing', {}],
    ['a client whose user declines', { elicit: () => ({ action: 'decline' }) }],
  ] as const satisfies readonly (readonly [string, TestClientOptions])[])(
    'X10 come to the same for %s',
    async (_, options) => {
      const here = await outcomes('none', options);
      const there = await outcomes('thread', options);
      for (const name of Object.keys(tools)) expect({ [name]: there[name] }).toEqual({ [name]: here[name] });
    },
  );
});
