// What packs reach is shown before anything runs: `list`, `inspect` and `explain` of packs with items without code.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openCommands } from '../harness/commands.js';
import { below, writeFolder } from '../runtime/packs/code-packs.js';

const commands = openCommands();
afterAll(() => commands.close());

const own = {
  'package.json': '{"name":"@acme/desk","version":"1.0.0","type":"module","dependencies":{"@acme/wiki":"*"}}',
  'toolwright.yaml': `name: acme/desk
config: { API: string, TOKEN: { type: string, secret: true } }
backends:
  api: { type: http, url: "{config.API}/v1", auth: { bearer: TOKEN } }
  main: { type: sqlite, url: "sqlite:data/x.db" }
  theirs: { type: mcp, command: [node, started.mjs] }
`,
  'started.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('started', '');\n",
  'mcp/tools.yaml': `
get: { description: G, parameters: { key: string }, http: "GET /issue/{key}" }
find: { description: F, sql: { text: SELECT 1 } }
log: { description: L, parameters: { n: { type: integer, minimum: 0 } }, exec: { command: node, args: [started.mjs, "--n={n}"] } }
mine: { description: M, mcp: { name: other } }
open: { description: O, parameters: { url: string }, http: { url: "{url}" } }
`,
  'mcp/servers/desk.yaml':
    'description: Desk\ntools: [get, find, log, mine, open, { name: inline, description: I, exec: { command: uptime } }]\n',
};
const wiki = {
  'package.json': '{"name":"@acme/wiki","version":"2.0.0"}',
  'toolwright.yaml':
    'name: acme/wiki\ntools: [search]\nbackends: { w: { type: http, url: "https://wiki.example.com" } }\n',
  'mcp/tools/search.yaml': 'description: S\nexec: { command: grep, args: [-r, x] }\n',
  'mcp/servers/wiki.yaml': 'description: Wiki\n',
};
const folder = writeFolder({ ...own, ...below('node_modules/@acme/wiki', wiki) });
const env = {
  PATH: process.env['PATH'],
  TOOLWRIGHT_CACHE: 'off',
  TOKEN: 'canary-4711',
  API: 'https://api.example.com',
};
const run = (...args: readonly string[]) => commands.runSync(args, { cwd: folder, env });
afterAll(() => expect(existsSync(join(folder, 'started'))).toBe(false));

describe('what items without code reach', () => {
  it('B1 B2 B3 B4 `list` shows hosts, databases, servers and programs of own and installed packs', () => {
    const ofDesk = [
      'api: http {config.API}/v1',
      'main: sqlite sqlite:data/x.db',
      'theirs: mcp node started.mjs',
      'runs uptime',
      'runs node',
    ];
    const { stdout, status } = run('list');
    expect(status).toBe(0);
    for (const line of [...ofDesk, 'w: http https://wiki.example.com', 'runs grep'])
      expect(stdout).toContain(`  ${line}\n`);
    const { servers } = JSON.parse(run('list', '--format', 'json').stdout) as { servers: { reaches: string[] }[] };
    expect(servers.map(({ reaches }) => [...reaches].sort())).toEqual([
      [...ofDesk].sort(),
      ['runs grep', 'w: http https://wiki.example.com'],
    ]);
  });

  it('B1 B2 B3 B4 `inspect` shows what each item reaches, with settings as they are written', () => {
    const { stdout } = run('inspect', 'desk');
    for (const line of [
      'requests GET {config.API}/v1/issue/{key}',
      'queries sqlite:data/x.db',
      'runs node started.mjs --n={n}',
      'forwards to node started.mjs',
      'requests GET {url}',
      'runs uptime',
    ])
      expect(stdout).toContain(`    ${line}\n`);
    expect(stdout).not.toContain('canary-4711');
    const { tools } = JSON.parse(run('inspect', 'desk', '--format', 'json').stdout) as { tools: { reaches: string }[] };
    expect(tools.map(({ reaches }) => reaches).filter(one => one !== undefined).length).toBe(6);
  });

  it('B1 B3 `explain` shows what a call reaches and where its backend is declared', () => {
    expect(run('explain', 'get').stdout).toContain(
      '  requests GET {config.API}/v1/issue/{key}  toolwright.yaml:4  backend api\n',
    );
    expect(run('explain', 'log').stdout).toContain('  runs node started.mjs --n={n}\n');
  });
});
