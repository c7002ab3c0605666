// X2: one pack under several configurations, started, developed and built: what real clients see, and what commands say of it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../harness/build-pack.js';
import { writeFiles } from '../../harness/files.js';
import { ways } from '../../harness/interop-clients.js';

const command = join(root, 'dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-conditions-'));
const pack = join(folder, 'pack');
const files = {
  'package.json': '{ "name": "conditions", "version": "1.0.0", "type": "module" }\n',
  'toolwright.yaml': `name: conditions
config:
  READ_ONLY: { type: boolean, description: Changes nothing }
  CAPS: { type: string, enum: [none, pdf, vision], default: none }
  FORMATS: { type: array, enum: [csv, json, xml], default: [json], flag: formats }
`,
  'mcp/servers/s.yaml': `description: Depends on its configuration
instructions: Call {{tool:put}} last.
tools:
  - get
  - put
  - { tag: vision, when: { CAPS: vision } }
  - { item: pdf-*, when: { CAPS: [pdf, vision] } }
  - { tag: tables, when: { FORMATS: [csv, xml] } }
  - find
  - find.quick
`,
  'mcp/tools/get.yaml': 'description: Get\neffect: read\nexamples: [{ name: one, input: {} }]\n',
  'mcp/tools/put.yaml':
    'description: Put\neffect: write\nwhen: { READ_ONLY: false }\nexamples: [{ name: one, input: {} }]\n',
  'mcp/tools/see.yaml': 'description: See\neffect: read\ntags: [vision]\n',
  'mcp/tools/pdf-print.yaml': 'description: Print\neffect: read\n',
  'mcp/tools/table.yaml': 'description: Table\neffect: read\ntags: [tables]\nmodes: [office]\n',
  'mcp/tools/find.yaml':
    'description: Find\neffect: read\nwhen: { READ_ONLY: false }\nexamples: [{ name: one, input: {} }]\n',
  'mcp/tools/find.quick.yaml':
    'name: find\ndescription: Find quickly\neffect: read\nwhen: { READ_ONLY: true }\nparameters: { fast: boolean }\nexamples: [{ name: one, input: { fast: true } }]\n',
  'mcp/prompts/ask.yaml': 'description: Ask\nwhen: { CAPS: vision }\ntext: Hello\n',
  'mcp/resources/rules.yaml': 'uri: doc://rules\ndescription: Rules\ntext: Be kind.\nwhen: { READ_ONLY: true }\n',
  ...Object.fromEntries(
    ['get', 'put', 'see', 'pdf-print', 'table', 'find', 'find.quick'].map(one => [
      `src/tools/${one}.ts`,
      `export default () => '${one}';\n`,
    ]),
  ),
  'src/tools/see.ts': `export default async (_: unknown, ctx: any) => {
  const { content } = await ctx.call('find.quick', { fast: true }).catch(({ message }: Error) => ({ content: [{ text: message }] }));
  return content[0].text;
};
`,
};

function run(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [command, ...words], {
    cwd: pack,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { stdout, stderr, status };
}

beforeAll(() => {
  writeFiles(pack, files);
  const built = run(['build', '--out', join(folder, 'built')]);
  if (built.status !== 0) throw new Error(built.stderr);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cases = [
  [{}, ['get', 'put', 'find'], [], []],
  [{ READ_ONLY: 'true' }, ['get', 'find'], [], ['doc://rules']],
  [{ CAPS: 'pdf' }, ['get', 'put', 'pdf-print', 'find'], [], []],
  [{ FORMATS: 'json,csv' }, ['get', 'put', 'table', 'find'], [], []],
  [{ FORMATS: '["xml"]', READ_ONLY: '1' }, ['get', 'table', 'find'], [], ['doc://rules']],
  [{ FORMATS: 'json', CAPS: 'pdf' }, ['get', 'put', 'pdf-print', 'find'], [], []],
  [{ CAPS: 'vision', READ_ONLY: 'yes' }, ['get', 'see', 'pdf-print', 'find'], ['ask'], ['doc://rules']],
] as const;
const forms = {
  start: [command, 'start', 's'],
  dev: [command, 'dev', 's'],
  built: [join(folder, 'built', 's.cjs')],
};

describe.each(Object.entries(forms))('a server by %s', (_, args) => {
  it.each(cases)('X2 a server with %j offers what its conditions say', async (env, tools, prompts, resources) => {
    for (const way of ways.filter(({ transport }) => transport === 'stdio').slice(1, 3)) {
      const client = await way.connect({ command: process.execPath, args: [...args], cwd: pack, env });
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools);
      if (prompts.length > 0) expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(prompts);
      if (resources.length > 0)
        expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(resources);
      const result = await client.callTool({ name: 'get', arguments: {} });
      expect(result.content).toEqual([{ type: 'text', text: 'get' }]);
      const found = await client.callTool({ name: 'find', arguments: 'READ_ONLY' in env ? { fast: true } : {} });
      expect(found.content).toEqual([{ type: 'text', text: 'READ_ONLY' in env ? 'find.quick' : 'find' }]);
      const refused = client.callTool({ name: 'put', arguments: {} });
      if ('READ_ONLY' in env) await expect(refused).rejects.toThrow(/put/);
      else await refused;
      await client.close();
    }
  });
});

const listed = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const [way] = ways.filter(({ transport }) => transport === 'stdio');
  if (way === undefined) throw new Error('no client');
  const client = await way.connect({ command: process.execPath, args: [...args], cwd: pack, env });
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
};

describe('flags and modes beside conditions', () => {
  it.each(Object.keys(forms) as (keyof typeof forms)[])('X2 flags decide in a server by %s', async form => {
    const words = (...flags: readonly string[]) => [...forms[form], ...(form === 'built' ? [] : ['--']), ...flags];
    expect(await listed(words('--formats', 'csv'))).toEqual(['get', 'put', 'table', 'find']);
    expect(await listed(words('--formats=json', '--formats=xml'))).toEqual(['get', 'put', 'table', 'find']);
    expect(await listed(words('--formats=json'), { FORMATS: 'csv' })).toEqual(['get', 'put', 'find']);
  });

  it.each(['start', 'built'] as const)('X2 a mode is one more condition in a server by %s', async form => {
    const words = (mode: string) => [...forms[form], '--mode', mode];
    expect(await listed(words('office'), { FORMATS: 'csv' })).toEqual(['get', 'put', 'table', 'find']);
    expect(await listed(words('office'))).toEqual(['get', 'put', 'find']);
    expect(await listed(words('garden'), { FORMATS: 'csv' })).toEqual(['get', 'put', 'find']);
  });
});

describe('commands and conditions', () => {
  it('X2 `inspect` shows conditions, and with --config what is offered', () => {
    const all = run(['inspect']).stdout;
    expect(all).toContain('only if READ_ONLY is false');
    expect(all).toContain('only if CAPS is pdf or vision');
    const { stdout } = run(['inspect', '--config', 'READ_ONLY=true', '--config', 'CAPS=pdf', '--format', 'json']);
    expect(JSON.parse(stdout).tools.map(({ name }: { name: string }) => name)).toEqual(['get', 'pdf-print', 'find']);
    expect(run(['inspect', '--config', 'CAPS=word'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('CAPS must be'),
    });
    expect(run(['inspect', '--config', 'CAP=pdf'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('there is no config key "CAP": did you mean "CAPS"?'),
    });
    expect(run(['inspect', '--config', 'CAPS'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('KEY=value'),
    });
  });

  it('X2 `docs` says under which conditions an item is offered', () => {
    const { stdout } = run(['docs', '--stdout']);
    expect(stdout).toContain('Only if READ_ONLY is false.');
    expect(stdout).toContain('In the server s only if CAPS is vision.');
  });

  it('X2 `test` skips what its configuration does not offer', () => {
    const { stdout, status } = run(['test'], { READ_ONLY: 'true' });
    expect(status).toBe(0);
    expect(stdout).toContain('its condition (`when`) does not hold');
    expect(stdout).toMatch(/✓.*find\.quick/);
  });

  it('X2 `call` says on which condition a tool would be offered', () => {
    const { stderr, status } = run(['call', 'see']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('CAPS is vision')]);
    const form = run(['call', 'find.quick']);
    expect([form.status, form.stderr]).toEqual([2, expect.stringContaining('only if READ_ONLY is true')]);
    expect(run(['call', 'find.quick'], { READ_ONLY: 'true' }).stderr).toContain('BAD_ARGUMENTS');
  });

  it('X2 `ctx.call` of a form that is not offered is refused, and never reaches the other one', () => {
    expect(run(['call', 'see'], { CAPS: 'vision', READ_ONLY: 'true' }).stdout).toBe('find.quick\n');
    expect(run(['call', 'see'], { CAPS: 'vision' }).stdout).toContain('ctx.call("find.quick") is not possible');
  });

  it('X2 `install --disable` switches off every form of a tool, also in a built server', async () => {
    for (const name of ['find', 'find.quick']) {
      const { stdout } = run(['install', 'cursor', '--dry-run', '--file', 'x.json', '--disable', name]);
      const settings = JSON.parse(/"TOOLWRIGHT_SETTINGS": (".*")/.exec(stdout)?.[1] ?? '""');
      expect(JSON.parse(settings)).toEqual({ tools: { find: { enabled: false }, 'find.quick': { enabled: false } } });
    }
    const only = (tool: string) => ({ TOOLWRIGHT_SETTINGS: JSON.stringify({ tools: { [tool]: { enabled: false } } }) });
    expect(await listed(forms.built, only('find'))).toEqual(['get', 'put']);
    expect(await listed(forms.built, only('find.quick'))).toEqual(['get', 'put', 'find']);
    expect(await listed(forms.built, { ...only('find'), READ_ONLY: 'true' })).toEqual(['get', 'find']);
  });

  it('X2 `list` counts the entries that have conditions', () => {
    const [one] = JSON.parse(run(['list', '--format', 'json']).stdout).servers;
    expect(one).toMatchObject({ tools: 7 });
  });
});
