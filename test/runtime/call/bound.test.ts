// X14: parameters that the operator or the caller's token decides. What is listed, what handlers get, and that nothing a client sends
// reaches or shows the values.
import { describe, expect, it } from 'vitest';
import { createServer, type ServerOptions, type ToolServer } from '../../../runtime/index.js';
import type { Auth } from '../../../schema/support/mcp/client.js';
import { loadFiles } from '../../harness/pack.js';
import { envelope } from '../serve/serve-pipes.js';
import { jsonHeaders } from '../serve/serve-web.js';

const repos = {
  name: 'repos',
  description: 'Lists repositories.',
  parameters: {
    org: { type: 'string', pattern: '^[a-z]+$', from: 'config.ORG' },
    tags: { type: 'array', items: 'string', required: false, from: 'config.TAGS' },
    limit: { type: 'integer', default: 5 },
  },
  handler: (args: object) => {
    const text = JSON.stringify(args);
    // What a handler does to its arguments must not stay.
    if ('tags' in args) (args.tags as string[]).push('changed');
    return text;
  },
} as const;
const mine = {
  name: 'mine',
  description: 'Lists what is mine.',
  parameters: { user: { type: 'string', maxLength: 5, from: 'auth.sub' }, q: { type: 'string', required: false } },
  handler: (args: object) => JSON.stringify(args),
} as const;
const config = { ORG: { type: 'string' }, TAGS: { type: 'array' } } as const;

async function withServer(
  env: Readonly<Record<string, string>>,
  use: (ask: Ask) => Promise<void>,
  more: Partial<ServerOptions> = {},
): Promise<void> {
  const server = await createServer({ name: 'desk', config, env, tools: [repos, mine], report: () => {}, ...more });
  try {
    await use(askOf(server));
  } finally {
    await server.close();
  }
}

type Ask = (method: string, params?: object, auth?: Auth) => Promise<string>;

/** What is answered, as text. */
function askOf(server: ToolServer): Ask {
  return async (method, params = {}, auth) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } });
    const named = 'name' in params ? { 'mcp-name': String(params.name) } : {};
    const headers = { ...jsonHeaders, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...named };
    const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body });
    return await (await server.fetch(request, auth && { auth })).text();
  };
}

const identity = (claims: Readonly<Record<string, unknown>>): Auth => ({
  token: 't',
  clientId: 'app',
  scopes: [],
  claims,
});

describe('parameters bound to the configuration', () => {
  it('X14 a parameter whose key is not set is an ordinary one', async () => {
    await withServer({}, async ask => {
      expect(await ask('tools/list')).toContain('"org"');
      expect(await ask('tools/call', { name: 'repos', arguments: { org: 'any' } })).toContain('\\"org\\":\\"any\\"');
      expect(await ask('tools/call', { name: 'repos', arguments: {} })).toContain('BAD_ARGUMENTS');
    });
  });

  it('X14 a parameter whose key is set is not listed, and its handler gets the value', async () => {
    await withServer({ ORG: 'acme', TAGS: 'a,b' }, async ask => {
      const list = await ask('tools/list');
      expect(list).not.toMatch(/org|tags|acme/);
      const wanted = { limit: 5, org: 'acme', tags: ['a', 'b'] };
      const called = async (): Promise<unknown> =>
        JSON.parse(JSON.parse(await ask('tools/call', { name: 'repos', arguments: {} })).result.content[0].text);
      expect(await called()).toEqual(wanted);
      expect(await called()).toEqual(wanted);
    });
  });

  it.each([
    { org: 'evil' },
    { org: 'acme' },
    { org: null },
    JSON.parse('{"__proto__": {"org": "evil"}}'),
    '{"org":"evil"}',
    { limit: 1, tags: ['x'], org: 'evil' },
    { confirmed: true, org: 'evil' },
  ])('X14 arguments %j never replace or show a value that is set', async args => {
    await withServer({ ORG: 'acme', TAGS: 'a' }, async ask => {
      const answer = await ask('tools/call', { name: 'repos', arguments: args });
      expect(answer).not.toMatch(/acme/);
      expect(answer).not.toMatch(/\\"org\\":\\"evil/);
    });
  });

  it('X14 an argument for a parameter that is set is refused as one that the tool does not have', async () => {
    await withServer({ ORG: 'acme' }, async ask => {
      const answer = await ask('tools/call', { name: 'repos', arguments: { org: 'evil' } });
      expect(answer).toContain('org is not a known argument (known: tags, limit)');
    });
  });

  it('X14 strings in place of JSON are repaired beside bound values', async () => {
    await withServer({ ORG: 'acme' }, async ask => {
      const answer = await ask('tools/call', { name: 'repos', arguments: { limit: '7' } });
      expect(answer).toContain('{\\"limit\\":7,\\"org\\":\\"acme\\"}');
    });
  });

  it('X14 a server does not start with a value that the parameter refuses', async () => {
    const starting = withServer({ ORG: 'Acme 1' }, async () => {});
    await expect(starting).rejects.toThrow(/ORG cannot be the parameter "org" of the tool "repos"/);
  });

  it('X14 a tool that is added later is bound, or refused for the value', async () => {
    const server = await createServer({ name: 'desk', config, env: { ORG: 'acme' }, report: () => {} });
    server.add(repos);
    expect(await askOf(server)('tools/call', { name: 'repos', arguments: {} })).toContain('acme');
    const strict = { ...repos, name: 'strict', parameters: { org: { ...repos.parameters.org, maxLength: 2 } } };
    expect(() => server.add(strict)).toThrow(/ORG cannot be the parameter/);
    await server.close();
  });
});

describe('parameters bound to the caller', () => {
  it('X14 a claim is never listed, comes from the token, and cannot be sent', async () => {
    await withServer({}, async ask => {
      expect(await ask('tools/list')).not.toContain('user');
      const call = { name: 'mine', arguments: { q: 'x' } };
      expect(await ask('tools/call', call, identity({ sub: 'ann' }))).toContain(
        '{\\"q\\":\\"x\\",\\"user\\":\\"ann\\"}',
      );
      const sent = { name: 'mine', arguments: { user: 'bob' } };
      expect(await ask('tools/call', sent, identity({ sub: 'ann' }))).toContain('user is not a known argument');
      expect(await ask('tools/call', { ...call, _meta: { auth: { sub: 'bob' } } })).toContain('IDENTITY_MISSING');
    });
  });

  it.each([
    ['who calls', undefined],
    ['lacks', identity({})],
    ['lacks', identity({ sub: null })],
    ['another form', identity({ sub: 5 })],
    ['another form', identity({ sub: 'far-too-long' })],
    ['lacks', identity(Object.create({ sub: 'ann' }))],
  ])('X14 a call is refused without a usable claim: %s', async (why, auth) => {
    await withServer({}, async ask => {
      const answer = await ask('tools/call', { name: 'mine', arguments: {} }, auth);
      expect(answer).toContain('IDENTITY_MISSING');
      expect(answer).toContain(why);
      expect(answer).not.toContain('far-too-long');
    });
  });

  it('X14 the subject and the client are known by name', async () => {
    const who = {
      name: 'who',
      description: 'Who.',
      parameters: { sub: { type: 'string', from: 'auth.sub' }, app: { type: 'string', from: 'auth.clientId' } },
      handler: (args: object) => JSON.stringify(args),
    } as const;
    const asked = async (ask: Ask): Promise<void> => {
      const auth = { ...identity({ sub: 'claimed', clientId: 'claimed' }), subject: 'ann' };
      const answer = await ask('tools/call', { name: 'who', arguments: {} }, auth);
      expect(answer).toContain('{\\"sub\\":\\"ann\\",\\"app\\":\\"app\\"}');
    };
    await withServer({}, asked, { tools: [who] });
  });
});

describe('mistakes in `from`', () => {
  const codes = (
    tool: string,
    pack = 'config: { ORG: { type: string }, KEY: { type: string, secret: true }, N: { type: integer } }',
  ) =>
    loadFiles({
      'toolwright.yaml': `name: demo\n${pack}\n`,
      'mcp/tools/t.yaml': `description: d\n${tool}\n`,
      'src/tools/t.ts': 'export default () => 1;\n',
    })
      .diagnostics.filter(({ code }) => !code.startsWith('generate/'))
      .map(({ code, line, column }) => [code, line, column]);

  it.each([
    ['parameters: { a: { type: string, from: config.ORG } }', []],
    ['parameters: { a: { type: number, from: config.N } }', []],
    ['parameters: { a: { type: string, from: config.OGR } }', [['link/unknown-binding', 2, 40]]],
    ['parameters: { a: { type: string, from: config.KEY } }', [['link/bound-secret', 2, 40]]],
    ['parameters: { a: { type: integer, from: config.ORG } }', [['link/bound-type', 2, 41]]],
    ['parameters: { a: { type: string, from: env.ORG } }', [['validate/pattern', 2, 40]]],
    ['parameters: { a: { type: string, const: x, from: config.ORG } }', [['link/bound-conflict', 2, 34]]],
    ['parameters: { a: { type: string, default: x, from: auth.sub } }', [['link/bound-conflict', 2, 34]]],
    ['parameters: { a: { type: string, required: false, from: auth.sub } }', [['link/bound-conflict', 2, 34]]],
    [
      'additionalParameters: true\nparameters: { a: { type: string, from: auth.sub } }',
      [['link/bound-conflict', 3, 40]],
    ],
    [
      'parameters: { a: { type: object, properties: { b: { type: string, from: auth.sub } } } }',
      [['link/bound-place', 2, 67]],
    ],
    ['parameters: { a: { type: array, items: { type: string, from: auth.sub } } }', [['link/bound-place', 2, 56]]],
    ['output: { a: { type: string, from: auth.sub } }', [['link/bound-place', 2, 30]]],
    [
      'parameters: { a: { type: string, from: auth.sub }, b: { type: object, unevaluatedProperties: false } }',
      [['link/bound-keyword', 2, 40]],
    ],
  ])('X14 %s gives %j', (tool, expected) => {
    expect(codes(tool)).toEqual(expected);
  });

  it('X14 a default that the parameter refuses is an error of the pack', () => {
    const pack = 'config: { ORG: { type: string, default: A } }';
    expect(codes('parameters: { a: { type: string, pattern: x, from: config.ORG } }', pack)).toEqual([
      ['config/unfit', 2, 52],
    ]);
  });

  it('X14 a claim that a server never has is a warning', () => {
    const found = (auth: string, from = 'auth.sub') =>
      loadFiles({
        'toolwright.yaml': 'name: demo\n',
        'mcp/servers/s.yaml': `transport: http\n${auth}\n`,
        'mcp/tools/t.yaml': `description: d\nparameters: { a: { type: string, from: ${from} } }\n`,
        'src/tools/t.ts': 'export default () => 1;\n',
      }).diagnostics.flatMap(({ code }) => (code === 'link/unbound-identity' ? [code] : []));
    const bearer = 'auth: { type: bearer, env: T }';
    expect(found('')).toHaveLength(1);
    expect(found(bearer)).toHaveLength(1);
    expect(found(bearer, 'auth.clientId')).toEqual([]);
    expect(found('auth: { type: oauth, issuer: https://a.example, audience: https://b.example }')).toEqual([]);
  });
});
