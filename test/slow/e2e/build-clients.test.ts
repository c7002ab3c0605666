// Built servers and the world: real clients of both SDK lines over both transports, and a pack that is published with a built server as
// its bin, installed by npm into an empty folder.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, root, toolwright, writePack } from '../../harness/build-pack.js';
import { readTree } from '../../harness/files.js';
import { httpAddressOf } from '../../harness/http-address.js';
import { type AnyClient, type Target, ways } from '../../harness/interop-clients.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-build-clients-'));
const empty = join(folder, 'empty');
const jira = join(folder, 'jira');
const entry = join(jira, 'dist/project-management.cjs');
let http: ChildProcess | undefined;
let url: URL;

beforeAll(async () => {
  mkdirSync(empty);
  cpSync(join(root, 'examples/jira'), jira, { recursive: true });
  writePack(jira, {});
  for (const args of [
    ['generate', '--quiet'],
    ['build', 'project-management'],
  ]) {
    const done = toolwright(jira, ...args);
    if (done.status !== 0) throw new Error(done.stdout + done.stderr);
  }
  const child = spawn(process.execPath, [entry, '--http', '0'], {
    cwd: empty,
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  http = child;
  url = await httpAddressOf(child);
});

afterAll(() => {
  http?.kill();
  rmSync(folder, { recursive: true, force: true });
});

it('P20 code of a newer build is never mixed into a server that runs', async () => {
  const where = join(folder, 'again');
  const tool = (name: string) => `export default () => '${name}';\n`;
  writePack(where, {
    'toolwright.yaml': 'name: again\n',
    'mcp/servers/s.yaml': 'description: S\n',
    'mcp/tools.yaml': 'one: { description: One }\ntwo: { description: Two }\n',
    'src/tools/one.js': tool('old one'),
    'src/tools/two.js': tool('old two'),
  });
  const build = () => toolwright(where, 'build', '--quiet');
  expect(build()).toMatchObject({ status: 0 });
  const target: Target = { command: process.execPath, args: [join(where, 'dist/s.cjs')], cwd: empty, url };
  const [way] = ways;
  if (way === undefined) throw new Error('no client');
  const connect = () => way.connect(target);
  const client = await connect();
  const say = async (of: AnyClient, name: string) => JSON.stringify(await of.callTool({ name, arguments: {} }));
  try {
    expect(await say(client, 'one')).toContain('old one');
    for (const name of ['one', 'two']) writeFileSync(join(where, `src/tools/${name}.js`), tool(`new ${name}`));
    expect(build()).toMatchObject({ status: 0 });
    expect(await say(client, 'one')).toContain('old one');
    const refused = await say(client, 'two');
    expect(refused).toContain('"isError":true');
    expect(refused).not.toContain('new two');
  } finally {
    await client.close();
  }
  const restarted = await connect();
  expect(await say(restarted, 'two')).toContain('new two');
  await restarted.close();
});

describe.each(ways)('a built server with a $name', way => {
  it('P20 a real client lists, calls, gets prompts, reads and completes with a build of examples/jira', async () => {
    const target: Target = { command: process.execPath, args: [entry], cwd: empty, url };
    const client: AnyClient = await way.connect(target);
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('get-issue');
      expect(client.getInstructions()).toContain('search-issues');
      const called = await client.callTool({ name: 'get-issue', arguments: { issueKey: 'SHOP-1' } });
      expect(called).toMatchObject({ structuredContent: { key: 'SHOP-1' } });
      const { messages } = await client.getPrompt({ name: 'triage', arguments: { issueKey: 'SHOP-1' } });
      expect(JSON.stringify(messages)).toContain('# Workflow');
      const read = await client.readResource({ uri: 'jira://workflow' });
      expect(JSON.stringify(read.contents)).toContain('# Workflow');
      const { completion } = await client.complete({
        ref: { type: 'ref/prompt', name: 'triage' },
        argument: { name: 'issueKey', value: 'SHOP' },
      });
      expect(completion.values).toContain('SHOP-1');
    } finally {
      await client.close();
    }
  });
});

it('P21 npx runs a packed pack whose bin is a built server, with nothing else installed', async () => {
  const pack = join(folder, 'published');
  cpSync(join(root, 'examples/weather'), pack, { recursive: true });
  writePack(pack, {});
  const manifest = JSON.parse(readFileSync(join(pack, 'package.json'), 'utf8'));
  const published = {
    ...manifest,
    name: '@acme/weather',
    private: undefined,
    dependencies: undefined,
    devDependencies: undefined,
    files: ['dist', 'mcp', 'generated', 'toolwright.yaml'],
    bin: { weather: 'dist/weather.cjs' },
  };
  writeFileSync(join(pack, 'package.json'), JSON.stringify(published));
  const yaml = readFileSync(join(pack, 'toolwright.yaml'), 'utf8').replace(/^name:.*$/m, '');
  writeFileSync(join(pack, 'toolwright.yaml'), yaml);
  for (const args of [['generate', '--quiet'], ['build'], ['build', '--pack']]) {
    expect(toolwright(pack, ...args)).toMatchObject({ status: 0 });
  }
  const env = {
    ...process.env,
    npm_config_cache: join(folder, 'cache'),
    npm_config_offline: 'true',
    npm_config_audit: 'false',
  };
  const npm = (cwd: string, ...args: readonly string[]) =>
    spawnSync('npm', args, { cwd, env, encoding: 'utf8', shell: process.platform === 'win32' });
  const packed = npm(pack, 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder);
  expect(packed.status).toBe(0);
  const user = join(folder, 'user');
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), '{ "name": "user", "private": true }');
  const installed = npm(user, 'install', '--no-fund', join(folder, packed.stdout.trim()));
  expect([installed.status, installed.stderr]).toEqual([0, expect.not.stringContaining('ERR')]);
  const [way] = ways;
  const client = await way?.connect({
    command: 'npx',
    args: ['-y', '@acme/weather'],
    cwd: user,
    env: env as Record<string, string>,
  });
  try {
    const result = await client?.callTool({ name: 'list-cities', arguments: {} });
    expect(result?.isError).not.toBe(true);
  } finally {
    await client?.close();
  }
});

it('W55 `build --pack` compiles handlers for Node, corrects paths and leaves other imports alone', async () => {
  const pack = writePack(join(folder, 'compiled'), {
    'package.json': '{ "name": "compiled", "version": "1.0.0", "type": "module" }',
    'toolwright.yaml': '',
    'mcp/servers/main.yaml': 'description: Main\n',
    'mcp/tools/a.yaml': 'description: A\n',
    'src/tools/a.ts': `import { sep } from 'node:path';
import { tools } from '../../generated/index.js';
import { help } from '../lib/help.ts';
import data from '../data.json' with { type: 'json' };
export default tools.a(async (): Promise<string> => help(data.word as string) + sep);
`,
    'src/lib/help.ts': 'export const help = (text: string): string => `${text}!`;\n',
    'src/lib/old.cts': "const path = require('node:path');\nmodule.exports = { sep: path.sep };\n",
    'src/lib/help.test.ts': 'throw new Error();\n',
    'src/data.json': '{ "word": "hi" }',
  });
  expect(toolwright(pack, 'generate', '--quiet').status).toBe(0);
  const built = toolwright(pack, 'build', '--pack', '--format', 'json');
  expect(JSON.parse(built.stdout).diagnostics).toEqual([]);
  expect(JSON.parse(built.stdout)).toMatchObject({
    ok: true,
    files: ['dist/lib/help.js', 'dist/lib/old.cjs', 'dist/tools/a.js'],
  });
  // Reader report 6: what an earlier run wrote goes with its source; edited and foreign files stay.
  for (const name of ['old', 'edited']) writeFileSync(join(pack, `src/lib/${name}-one.ts`), 'export const a = 1;\n');
  expect(toolwright(pack, 'build', '--pack').status).toBe(0);
  expect(existsSync(join(pack, 'dist/lib/old-one.js'))).toBe(true);
  for (const name of ['old', 'edited']) rmSync(join(pack, `src/lib/${name}-one.ts`));
  for (const name of ['edited-one', 'foreign']) writeFileSync(join(pack, `dist/lib/${name}.js`), '// mine\n');
  expect(toolwright(pack, 'build', '--pack').status).toBe(0);
  expect(existsSync(join(pack, 'dist/lib/old-one.js'))).toBe(false);
  for (const name of ['edited-one', 'foreign', 'help'])
    expect(existsSync(join(pack, `dist/lib/${name}.js`))).toBe(true);
  const texts = readTree(join(pack, 'dist'), 'latin1');
  expect(texts['tools/a.js']).toContain('from "../../generated/index.js"');
  expect(texts['tools/a.js']).toContain('from "../lib/help.js"');
  rmSync(join(pack, 'src'), { recursive: true });
  const { replies } = await ask(join(root, 'dist/cli/main.js'), [['tools/call', { name: 'a' }]], {
    args: ['start'],
    cwd: pack,
  });
  expect(replies[1]?.result).toMatchObject({ content: [{ text: 'hi!/' }] });
  expect(toolwright(pack, 'build', '--pack', 'main').status).toBe(2);
});
