// W2, W3: what toolwright.yaml declares about items beside their names: shown by lists, held to the definitions.
import { describe, expect, it } from 'vitest';
import { outlineOfSummary, readSummary } from '../../../runtime/packs/pack-summary.js';
import { check, checkPlaces } from '../../harness/pack.js';
import { writeFolder } from '../packs/code-packs.js';
import { toolwright } from '../packs/packs-kit.js';

const files = {
  'mcp/tools/a.yaml': 'description: d\nparameters: { city: string }\n',
  'mcp/tools/c.yaml': 'description: d\ninputSchema: { type: object, properties: { zip: { type: string } } }\n',
  'mcp/prompts/p.yaml': 'description: d\narguments: { topic: {} }\ntext: "{{topic}}"\n',
  'mcp/resources/r.yaml': 'uri: a://b\ntext: x\n',
  'mcp/servers/main.yaml': 'tools: [a, other/pack/x, third/pre-*]\nprompts: [p]\nresources: [r]\n',
};

const manifest = `servers:
  - name: main
    description: What it is for
    tools: [a, nope, x, third/pre-a, pack/x]
    prompts: [zz]
    resources: [r]
tools:
  - { name: a, parameters: [ciyt] }
  - { name: c, parameters: [zip, zzz] }
prompts:
  - { name: p, arguments: [topic, nonexist] }
resources:
  - { name: r, uri: "a://c" }
`;

describe('declarations in `check`', () => {
  it('fix-F9 W3 `check` compares declared names and addresses with the definitions, each at its position', async () => {
    const found = await check({ ...files, 'toolwright.yaml': manifest });
    const mine = found.filter(({ code }) => code.startsWith('link/declared'));
    expect(
      mine.map(({ code, severity, file, line, column }) => `${code} ${severity} ${file}:${line}:${column}`),
    ).toEqual([
      'link/declared-name warning toolwright.yaml:4:16',
      'link/declared-name warning toolwright.yaml:4:38',
      'link/declared-name warning toolwright.yaml:5:15',
      'link/declared-name warning toolwright.yaml:8:29',
      'link/declared-name warning toolwright.yaml:9:34',
      'link/declared-name warning toolwright.yaml:11:35',
      'link/declared-uri warning toolwright.yaml:13:21',
    ]);
    expect(mine[3]?.hint).toBe('did you mean "city"?');
  });

  it('fix-F9 W3 `check` says nothing about correct names or about items that are broken anyway', async () => {
    const right = manifest
      .replace('a, nope, x, third/pre-a, pack/x', 'a, x, other/pack/x, third/pre-a')
      .replace('zz]', 'p]')
      .replace('ciyt', 'city')
      .replace('zip, zzz', 'zip')
      .replace(', nonexist', '')
      .replace('a://c', 'a://b');
    const codes = async (more: object) =>
      (await checkPlaces({ ...files, 'toolwright.yaml': right, ...more })).filter(one => one.includes('declared'));
    expect(await codes({})).toEqual([]);
    expect(await codes({ 'mcp/tools/a.yaml': 'description: d\nparameters: 7\n' })).toEqual([]);
  });
});

describe('declarations in `list`', () => {
  const desk = {
    'package.json': '{"name": "desk", "version": "1.0.0"}',
    'toolwright.yaml':
      'servers:\n  - [one, Declared of one]\n  - { name: two, description: Declared of two }\n  - three\n  - four\n',
    'mcp/servers/one.yaml': 'description: Of the definition\n',
    'mcp/servers/two.yaml': 'title: t\n',
    'mcp/servers/three.yaml': `description: |\n  First ${'long '.repeat(30)}\n  line.\n\n  Second paragraph.\n`,
    'mcp/servers/four.yaml': 'description: { file: four.md }\n',
    'four.md': 'Four',
  };

  it('fix-F9 W2 `list` shows the declared description, else the beginning of the definition', async () => {
    const cwd = writeFolder(desk);
    const { servers } = JSON.parse((await toolwright(['list', '--format', 'json'], { cwd })).stdout);
    const told = servers.map(({ name, description }: Record<string, string>) => `${name}: ${description}`);
    expect(told).toEqual([
      'desk/four: ',
      'desk/one: Declared of one',
      expect.stringMatching(/^desk\/three: First long .* line\.$/),
      'desk/two: Declared of two',
    ]);
    const lines = (await toolwright(['list'], { cwd })).stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/source +description$/);
    expect(lines[2]).toMatch(/project +Declared of one$/);
    expect(lines[3]).toMatch(/First long .*\.\.\.$/);
    expect(lines.every(line => line === line.trimEnd())).toBe(true);
  });

  it('fix-F9 W52 a summary written by hand may name the items of a server', () => {
    const servers = [{ name: 'main', description: 'Main.', tools: ['rt', 'st', 7], prompts: 2, resources: 'many' }];
    const pack = readSummary({ name: '@acme/jira', version: '1.0.0', toolwright: { servers } });
    expect(pack.summary?.servers[0]).toMatchObject({ tools: ['rt', 'st'], prompts: 2, resources: 0 });
    expect(outlineOfSummary(pack).servers[0]).toMatchObject({
      description: 'Main.',
      lists: { tool: { own: 2 }, prompt: { own: 2 }, resource: { own: 0 } },
    });
  });
});
