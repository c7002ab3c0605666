// The surface that the tests of serving share: one tool for each thing that can happen during a call.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from '../../../runtime/call/ports.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';
import { type Fixture, type FixtureSurface, makeSurface, type Run, said } from './serve-surface.js';

/** `type` is not first, `10` would be sorted before `a` by nobody but JavaScript: bytes must stay. */
export const addInput = {
  properties: { b: { type: 'number' }, a: { type: 'number' } },
  type: 'object',
  required: ['b', 'a'],
  additionalProperties: false,
  'x-vendor': { z: 1, a: 2 },
};

/** The protocol's words for a question with one field. */
function field(name: string): Readonly<Record<string, unknown>> {
  const requestedSchema = { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
  return { message: `Your ${name}?`, requestedSchema };
}

/** Asks for a name, then for a colour, and carries the first answer in the state. */
const ask: Run = (_, { answers, state }) => {
  const known = {
    ...(state === undefined ? {} : (JSON.parse(state) as Record<string, unknown>)),
    ...answers,
  } as Record<string, { content?: Record<string, string> }>;
  for (const key of ['name', 'colour']) {
    if (known[key] !== undefined) continue;
    return {
      asking: { questions: { [key]: { kind: 'elicit', params: field(key) } }, state: JSON.stringify(known) },
    };
  }
  return said(`${known['name']?.content?.['name']} likes ${known['colour']?.content?.['colour']}`);
};

const sample: Run = (_, { answers }) => {
  const answer = answers['model'] as { content?: { text?: string } } | undefined;
  if (answer !== undefined) return said(`model: ${answer.content?.text}`);
  const messages = [{ role: 'user', content: { type: 'text', text: 'pong?' } }];
  return { asking: { questions: { model: { kind: 'sample', params: { messages, maxTokens: 10 } } }, state: 's' } };
};

const missing: CallToolResult = {
  content: [{ type: 'text', text: 'needs sampling' }],
  isError: true,
  _meta: {
    'toolwright/error': {
      message: 'needs sampling',
      code: 'CAPABILITY_MISSING',
      meta: { requiredCapabilities: { sampling: {} } },
    },
  },
};

export interface Watched {
  readonly started: string[];
  readonly aborted: string[];
  requests: Request[];
}

export function makeTools(watched: Watched, more: Fixture = {}): FixtureSurface {
  const fixture: Fixture = {
    instructions: 'Be kind.',
    cache: { ttlMs: 60_000, scope: 'public' },
    ...more,
    tools: {
      add: {
        inputSchema: addInput,
        outputSchema: { type: 'object', properties: { sum: { type: 'number' } } },
        entry: { description: 'Adds', 'x-extra': true },
        run: ({ a, b }) => ({
          result: { content: [{ type: 'text', text: 'sum' }], structuredContent: { sum: Number(a) + Number(b) } },
        }),
      },
      list: {
        outputSchema: { type: 'array', items: { type: 'integer' } },
        run: () => ({ result: { content: [{ type: 'text', text: '[1,2]' }], structuredContent: [1, 2] } }),
      },
      region: {
        inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
        run: ({ region }) => said(`region ${String(region)}`),
      },
      scoped: { scopes: ['issues:write', 'issues:read'], run: () => said('allowed') },
      ask: { run: ask },
      sample: { run: sample },
      missing: { run: () => ({ result: missing }) },
      fail: {
        run: () => {
          throw new Error('the password is s3cret');
        },
      },
      slow: {
        run: async ({ ms = 100, name = '' }, { signal }) => {
          watched.started.push(String(name));
          try {
            await sleep(Number(ms), undefined, { signal });
          } catch (error) {
            watched.aborted.push(String(name));
            throw error;
          }
          return said(`slept ${String(name)}`);
        },
      },
      stubborn: {
        run: async ({ ms = 100 }) => {
          await sleep(Number(ms));
          return said('at last');
        },
      },
      progress: {
        run: async (_, request) => {
          for (const done of [0, 50, 50, 20, 100]) request.progress(done, 100, `at ${done}`);
          await sleep(20);
          return said('done');
        },
      },
      log: {
        run: async (_, request) => {
          const taken = [
            request.log('debug', 'fine'),
            request.log('info', 'hello', { n: 1 }),
            request.log('error', 'bad'),
          ];
          await sleep(20);
          return said(taken.join(' '));
        },
      },
      late: {
        run: (_, request) => {
          setTimeout(() => {
            request.progress(5);
            request.log('error', 'too late');
          }, 30);
          return said('early');
        },
      },
      who: {
        run: (_, request) => {
          watched.requests.push(request);
          const { client, principal, auth } = request;
          return said(JSON.stringify({ client, principal, scopes: auth?.scopes }));
        },
      },
      big: { run: ({ size = 1 }) => said('x'.repeat(Number(size))) },
      circular: {
        run: () => {
          const knot: Record<string, unknown> = {};
          knot['self'] = knot;
          return { result: { content: [], structuredContent: knot } };
        },
      },
      changes: {
        run: (_, { notify }) => {
          notify.toolsChanged();
          notify.promptsChanged();
          notify.resourcesChanged();
          notify.resourceUpdated('memo://1');
          notify.resourceUpdated('memo://2');
          return said('changed');
        },
      },
      ...more.tools,
    },
    prompts: {
      hello: ({ name = 'you' }) => ({
        result: {
          description: 'Says hello',
          messages: [{ role: 'user', content: { type: 'text', text: `Hi ${name}` } }],
        },
      }),
      ...more.prompts,
    },
    resources: {
      'memo://1': {
        subscribe: true,
        read: () => ({
          result: { contents: [{ uri: 'memo://1', text: 'one' }], cache: { ttlMs: 5000, scope: 'private' } },
        }),
      },
      'memo://2': { read: () => ({ result: { contents: [{ uri: 'memo://2', text: 'two' }] } }) },
      ...more.resources,
    },
  };
  return makeSurface(fixture);
}

export function nobodyWatches(): Watched {
  return { started: [], aborted: [], requests: [] };
}
