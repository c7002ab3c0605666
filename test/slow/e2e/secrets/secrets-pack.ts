// A pack with a secret in every place where one may stand, and settings in every place where these may. Its tools have one parameter: the way
// in which what they reach gives everything away.
import { fileURLToPath } from 'node:url';
import { audience, proxyPassword, secrets, settings } from './canaries.js';
import { answers } from './hostile-service.js';

const program = fileURLToPath(new URL('hostile-program.mjs', import.meta.url));
const yaml = (value: unknown): string => JSON.stringify(value);

export interface World {
  readonly service: string;
  readonly postgresPort: number;
  /** Where programs say what they have got. */
  readonly received: string;
}

const httpWays = Object.keys(answers);
const mcpWays = ['text', 'structured', 'lines', 'embedded', 'meta', 'failed', 'refused', 'log', 'progress', 'changed'];
const printed = [
  'text',
  'json',
  'lines',
  'bytes',
  'base64',
  'binary',
  'broken',
  'coloured',
  'stderr',
  'failed',
  'printed',
  'long',
];

const everyWay = [...new Set(['x', ...httpWays, ...printed])];

/** What each tool is called with. */
export const waysOf: Readonly<Record<string, readonly string[]>> = {
  'ask-bearer': httpWays,
  'ask-basic': httpWays,
  'ask-header': httpWays,
  'ask-query': httpWays,
  'ask-client': httpWays,
  'ask-refused': ['json'],
  'ask-headers': httpWays,
  'ask-caller': httpWays,
  'ask-proxy': httpWays,
  'ask-tunnel': ['json'],
  'ask-unsafe': ['json'],
  'select-rows': ['x'],
  'select-error': ['x'],
  'select-refused': ['x'],
  'select-whole': ['x'],
  'select-file': ['x'],
  'run-text': printed,
  'run-lines': ['lines'],
  'run-json': ['json', 'broken'],
  'run-bytes': ['bytes', 'binary'],
  ...Object.fromEntries([...mcpWays, 'ask', 'stderr', 'die'].map(way => [`child-${way}`, ['x']])),
  ...Object.fromEntries(
    [...mcpWays, 'http-error', 'http-page'].flatMap(way => [
      [`remote-${way}`, ['x']],
      [`acting-${way}`, ['x']],
    ]),
  ),
  handle: ['throw', 'cause', 'log', 'result', 'reject', 'progress', 'backend'],
};

const handler = `export default async ({ way }: any, ctx: any) => {
  const told = ctx.config.HANDLER_TOKEN;
  const { bearer } = ctx.backends;
  switch (way) {
    case 'throw': throw new Error(told);
    case 'cause': throw new Error('failed', { cause: new Error(JSON.stringify({ told })) });
    case 'log': ctx.log.warning(told, { told }); return { told };
    case 'reject': void Promise.reject(new Error(told)); await new Promise(resolve => setTimeout(resolve, 20)); return {};
    case 'progress': ctx.progress(1, 2, told); return {};
    case 'crash': setTimeout(() => { throw new Error(told); }); await new Promise(resolve => setTimeout(resolve, 500)); return {};
    case 'backend': {
      const answer = await bearer.request({ path: '/json' });
      ctx.log.info('answered', answer);
      throw new Error(JSON.stringify(answer));
    }
    default: return { told, list: [told], [told]: told };
  }
};
`;

const places = (name: string): string => `{config.${name}}`;

export function packFiles({ service, postgresPort, received }: World): Readonly<Record<string, string>> {
  const isSecret = new Set(Object.keys(secrets));
  const keys = [...Object.keys(secrets), ...Object.keys(settings), 'DATABASE_URL', 'DATABASE_FILE'];
  const config = keys.map(key => {
    const secret = isSecret.has(key) || key.startsWith('DATABASE_') ? ', secret: true' : '';
    return `  ${key}: { type: ${key === 'PIN' ? 'integer' : 'string'}${secret} }\n`;
  });
  const command = (way: string): readonly string[] => [process.execPath, program, way, received, places('ARGUMENT')];
  const own = { OWN: places('CHILD_TOKEN'), KEY: places('CHILD_KEY') };
  const credentials = { id: 'CLIENT_ID', secret: 'CLIENT_SECRET', scope: places('SCOPE') };
  const database = (name: string): string =>
    `postgres://app:${places('DATABASE_PASSWORD')}@127.0.0.1:${postgresPort}/${name}`;
  const headers = { 'x-own': places('BACKEND_HEADER'), 'x-tenant': places('TENANT') };
  const backends: Readonly<Record<string, object>> = {
    bearer: { type: 'http', retries: 0, url: service, auth: { bearer: 'BEARER' } },
    basic: { type: 'http', retries: 0, url: service, auth: { basic: ['USER_NAME', 'PASSWORD'] } },
    header: { type: 'http', retries: 0, url: service, auth: { header: 'X-Key', value: 'HEADER_KEY' } },
    query: { type: 'http', retries: 0, url: service, auth: { query: 'key', value: 'QUERY_KEY' } },
    client: {
      type: 'http',
      retries: 0,
      url: service,
      auth: { clientCredentials: { tokenUrl: `${service}/token`, ...credentials } },
    },
    refused: {
      type: 'http',
      retries: 0,
      url: service,
      auth: { clientCredentials: { tokenUrl: `${service}/no-token`, ...credentials } },
    },
    headers: { type: 'http', retries: 0, url: service, headers },
    caller: { type: 'http', retries: 0, url: service, auth: { caller: { audience } } },
    proxy: { type: 'http', retries: 0, url: 'http://proxied.invalid' },
    tunnel: { type: 'http', retries: 0, url: 'https://proxied.invalid' },
    unsafe: { type: 'http', retries: 0, url: `${places('TENANT')}://nowhere`, auth: { bearer: 'BEARER' } },
    rows: { type: 'postgres', url: database('rows') },
    error: { type: 'postgres', url: database('error') },
    refusing: { type: 'postgres', url: database('refuse') },
    whole: { type: 'sql', url: places('DATABASE_URL') },
    file: { type: 'sqlite', url: `sqlite:${places('DATABASE_FILE')}` },
    child: { type: 'mcp', command: command('mcp'), env: own },
    remote: {
      type: 'mcp',
      url: `${service}/mcp`,
      auth: { bearer: 'REMOTE_TOKEN' },
      headers: { 'x-own': places('REMOTE_HEADER') },
    },
    acting: { type: 'mcp', url: `${service}/mcp`, auth: { caller: { audience } } },
  };
  const tool = (definition: object): string =>
    `description: Asks\neffect: read\nlimits: { timeoutMs: 10000 }\nparameters: { way: { type: string, enum: ${yaml(everyWay)} } }\n${yaml(
      definition,
    )
      .slice(1, -1)
      .replace(/^"(\w+)":/, '$1: ')}\n`;
  const http = (backend: string, more: object = {}): string => tool({ http: { backend, path: '/{way}', ...more } });
  const run = (result: string): string =>
    tool({
      exec: {
        command: process.execPath,
        args: [program, '{way}', received],
        env: { OWN: places('PROGRAM_TOKEN'), KEY: places('PROGRAM_KEY'), SHOWN: places('TENANT') },
        result,
      },
    });
  const sql = (backend: string): string => tool({ sql: { backend, text: 'SELECT :way AS told' } });
  const forwarded = (backend: string): readonly (readonly [string, string])[] =>
    Object.keys(waysOf).flatMap(name => {
      const way = name.startsWith(`${backend}-`) ? name.slice(backend.length + 1) : undefined;
      return way === undefined ? [] : [[`mcp/tools/${name}.yaml`, tool({ mcp: { backend, name: way } })] as const];
    });
  return {
    'package.json': '{ "name": "secrets", "version": "1.0.0", "type": "module" }\n',
    'README.md': '# Secrets\n\n<!-- toolwright:tools -->\n<!-- /toolwright -->\n',
    'toolwright.yaml': `name: secrets\nconfig:\n${config.join('')}backends: ${yaml(backends)}\n`,
    'mcp/servers/main.yaml': 'description: Secrets\n',
    'mcp/tools/ask-bearer.yaml': http('bearer'),
    'mcp/tools/ask-basic.yaml': http('basic'),
    'mcp/tools/ask-header.yaml': http('header'),
    'mcp/tools/ask-query.yaml': http('query'),
    'mcp/tools/ask-client.yaml': http('client'),
    'mcp/tools/ask-refused.yaml': http('refused'),
    'mcp/tools/ask-headers.yaml': http('headers', {
      headers: { 'x-key': places('TOOL_HEADER'), 'x-pin': places('PIN'), 'x-shown': places('TENANT') },
    }),
    'mcp/tools/ask-caller.yaml': http('caller'),
    'mcp/tools/ask-proxy.yaml': http('proxy'),
    'mcp/tools/ask-tunnel.yaml': http('tunnel'),
    'mcp/tools/ask-unsafe.yaml': http('unsafe'),
    'mcp/tools/select-rows.yaml': sql('rows'),
    'mcp/tools/select-error.yaml': sql('error'),
    'mcp/tools/select-refused.yaml': sql('refusing'),
    'mcp/tools/select-whole.yaml': sql('whole'),
    'mcp/tools/select-file.yaml': sql('file'),
    'mcp/tools/run-text.yaml': run('text'),
    'mcp/tools/run-lines.yaml': run('lines'),
    'mcp/tools/run-json.yaml': run('json'),
    'mcp/tools/run-bytes.yaml': run('bytes'),
    ...Object.fromEntries([...forwarded('child'), ...forwarded('remote'), ...forwarded('acting')]),
    'mcp/tools/handle.yaml': 'description: Handles\nparameters: { way: { type: string } }\n',
    'src/tools/handle.ts': handler,
    'mcp/tools/tested.yaml': `${run('text')}examples:\n${['text', 'failed', 'json']
      .map(way => `  - { name: ${way}, input: { way: ${way} }, output: nothing of the kind }\n`)
      .join('')}`,
    'mcp/prompts/child.yaml': 'description: Forwarded\nmcp: { backend: child }\n',
    'mcp/prompts/remote.yaml': 'description: Forwarded\nmcp: { backend: remote }\n',
    'mcp/resources/child.yaml': 'uri: told://child\nmcp: { backend: child }\n',
    'mcp/resources/remote.yaml': 'uri: told://remote\nmcp: { backend: remote }\n',
    'mcp/resources/page.yaml': 'uriTemplate: told://page/{way}\nhttp: { backend: bearer, path: "/{way}" }\n',
  };
}

/** What the operator sets. */
export function operatorEnv({ service, postgresPort }: World): Readonly<Record<string, string>> {
  const password = encodeURIComponent(secrets['DATABASE_PASSWORD'] ?? '');
  const proxy = `http://${settings['USER_NAME']}:${encodeURIComponent(proxyPassword)}@${new URL(service).host}`;
  return {
    ...secrets,
    ...settings,
    DATABASE_URL: `postgres://app:${password}@127.0.0.1:${postgresPort}/rows`,
    DATABASE_FILE: `${secrets['BEARER']?.slice(0, 12)}.db`,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: '127.0.0.1',
  };
}
