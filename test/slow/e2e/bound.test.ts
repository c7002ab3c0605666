// X14: one pack with bound parameters, started, developed and built: what real clients see and can send, and what commands say of it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../harness/build-pack.js';
import { writeFiles } from '../../harness/files.js';
import { ways } from '../../harness/interop-clients.js';

const command = join(root, 'dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-bound-'));
const pack = join(folder, 'pack');
const files = {
  'package.json': '{ "name": "bound", "version": "1.0.0", "type": "module" }\n',
  'toolwright.yaml': `name: bound
config:
  ORG: { type: string, description: The organisation, flag: org }
  TAGS: { type: array }
`,
  'mcp/servers/s.yaml': 'description: Has bound parameters\n',
  'mcp/tools/repos.yaml': `description: Lists repositories
effect: read
parameters:
  org: { type: string, pattern: '^[a-z]+$', from: config.ORG }
  tags: { type: array, items: string, required: false, from: config.TAGS }
  limit: { type: integer, default: 5 }
examples:
  - { name: one, input: { org: acme } }
`,
  'mcp/tools/mine.yaml': `description: Lists what is mine
effect: read
parameters:
  user: { type: string, from: auth.sub }
examples:
  - { name: one, input: { user: ann } }
`,
  'src/tools/repos.ts': 'export default (args: object) => JSON.stringify(args);\n',
  'src/tools/mine.ts': 'export default (args: object) => JSON.stringify(args);\n',
};

function run(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [command, ...words], {
    cwd: pack,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  return { stdout, stderr, status };
}

beforeAll(() => {
  writeFiles(pack, files);
  writeFileSync(join(folder, 'org.txt'), 'fromfile\n');
  const built = run(['build', '--out', join(folder, 'built')]);
  if (built.status !== 0) throw new Error(built.stderr);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const forms = {
  start: [command, 'start', 's'],
  'start --protocol sdk': [command, 'start', 's', '--protocol', 'sdk'],
  dev: [command, 'dev', 's'],
  built: [join(folder, 'built', 's.cjs')],
};
const all = ['org', 'tags', 'limit'];
const cases = [
  [{}, all, { org: 'any' }, { org: 'any', limit: 5 }],
  [{ ORG: 'acme' }, ['tags', 'limit'], {}, { limit: 5, org: 'acme' }],
  [{ ORG_FILE: join(folder, 'org.txt') }, ['tags', 'limit'], {}, { limit: 5, org: 'fromfile' }],
  [{ TAGS: 'a,b' }, ['org', 'limit'], { org: 'any' }, { org: 'any', limit: 5, tags: ['a', 'b'] }],
] as const;

describe.each(Object.entries(forms))('a server by %s', (form, args) => {
  it.each(cases)('X14 a server with %j binds what is set', async (env, listed, sent, got) => {
    for (const way of ways.filter(({ transport }) => transport === 'stdio').slice(1, 3)) {
      const client = await way.connect({ command: process.execPath, args: [...args], cwd: pack, env });
      const { tools } = await client.listTools();
      const [mine, repos] = ['mine', 'repos'].map(name => tools.find(tool => tool.name === name)?.inputSchema);
      expect(Object.keys(repos?.properties ?? {})).toEqual(listed);
      expect(repos?.required ?? []).toEqual(listed.filter(name => name === 'org'));
      expect([mine?.properties, mine?.required]).toEqual([{}, undefined]);
      const { content } = await client.callTool({ name: 'repos', arguments: { ...sent } });
      expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toEqual(got);
      if ('ORG' in env) {
        const refused = await client.callTool({ name: 'repos', arguments: { org: 'evil' } });
        expect(refused).toMatchObject({ isError: true });
        expect(JSON.stringify(refused)).not.toContain('acme');
      }
      const nobody = await client.callTool({ name: 'mine', arguments: {} });
      expect(JSON.stringify(nobody)).toContain('IDENTITY_MISSING');
      await client.close();
    }
  });

  it('X14 a flag binds, too', async () => {
    const [way] = ways.filter(({ transport }) => transport === 'stdio');
    const words = [...args, ...(form === 'built' ? [] : ['--']), '--org', 'flagged'];
    const client = await way?.connect({ command: process.execPath, args: words, cwd: pack, env: { ORG: 'acme' } });
    const result = await client?.callTool({ name: 'repos', arguments: {} });
    expect(JSON.stringify(result)).toContain('flagged');
    await client?.close();
  });

  it('X14 a value that the parameter refuses stops the start, and names both', () => {
    const words = form === 'dev' ? [command, 'start', 's'] : [...args];
    const { stderr, status } = spawnSync(process.execPath, words, {
      cwd: pack,
      encoding: 'utf8',
      input: '',
      env: { ...process.env, ORG: 'Acme 1' },
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('ORG cannot be the parameter "org" of the tool "repos"'),
    ]);
  });
});

describe('commands and bound parameters', () => {
  it('X14 `inspect --config` shows what callers still send', () => {
    const schemaOf = (...words: readonly string[]): object => {
      const { tools } = JSON.parse(run(['inspect', 's', '--format', 'json', ...words]).stdout);
      return tools.find(({ name }: { name: string }) => name === 'repos');
    };
    expect(schemaOf()).toMatchObject({ bound: { org: 'config.ORG', tags: 'config.TAGS' } });
    expect(Object.keys((schemaOf() as { inputSchema: { properties: object } }).inputSchema.properties)).toEqual(all);
    const set = schemaOf('--config', 'ORG=acme') as { inputSchema: { properties: object } };
    expect(Object.keys(set.inputSchema.properties)).toEqual(['tags', 'limit']);
  });

  it('X14 `call` asks only for what is not bound', () => {
    expect(run(['call', 'repos'], { ORG: 'acme' })).toMatchObject({ status: 0, stdout: '{"limit":5,"org":"acme"}\n' });
    expect(run(['call', 'repos', '--arg', 'org=evil'], { ORG: 'acme' }).stdout).not.toContain('evil');
    expect(run(['call', 'repos']).status).not.toBe(0);
    expect(run(['call', 'mine']).stderr).toContain('IDENTITY_MISSING');
  });

  it('X14 `test` sends of examples what is not bound, and skips what needs a caller', () => {
    for (const env of [{}, { ORG: 'other' }]) {
      const { stdout, status } = run(['test'], env);
      expect([status, stdout]).toEqual([0, expect.stringContaining('needs to know who calls')]);
      expect(stdout).toContain('3 passed, 1 skipped');
    }
  });

  it('X14 `docs` and types say who sends what', () => {
    const { stdout } = run(['docs', '--stdout']);
    expect(stdout).toContain('Not taken from callers where ORG is set.');
    expect(stdout).not.toContain('user');
    expect(run(['generate']).status).toBe(0);
    const types = readFileSync(join(pack, 'generated/tools.d.ts'), 'utf8');
    expect(types).toMatch(/interface MineArgs \{\s*readonly user: string;/);
    expect(types).toMatch(/(?:interface|type) MineInput/);
    expect(types).not.toMatch(/MineInput[^;]*user/);
    expect(types).toMatch(/interface ReposInput \{[^}]*readonly org\?: string/);
    const schema = readFileSync(join(pack, 'generated/schema/tool.schema.json'), 'utf8');
    expect(schema).toContain('"config.ORG"');
  });

  it('X14 `dev --mock` answers without anybody who calls', async () => {
    const [way] = ways.filter(({ transport }) => transport === 'stdio');
    const client = await way?.connect({
      command: process.execPath,
      args: [command, 'dev', 's', '--mock'],
      cwd: pack,
      env: { ORG: 'acme' },
    });
    for (const name of ['mine', 'repos'])
      expect((await client?.callTool({ name, arguments: {} }))?.isError ?? false).toBe(false);
    await client?.close();
  });
});
