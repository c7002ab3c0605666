// The first page of the docs, done as it says: from an empty folder and the packed package to a tool that answers in a real client.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/getting-started.md'), 'utf8');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright start ü-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What npm told the process of the test about its own run must not decide about these. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([key]) => !/^(npm_(?!config_)|NODE_OPTIONS$|VITEST|TOOLWRIGHT)/i.test(key),
  );
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  return {
    ...Object.fromEntries(kept),
    // The npm of whoever runs the test: its registry and what it has downloaded.
    npm_config_userconfig: npmConfig('userconfig'),
    npm_config_cache: npmConfig('cache'),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: '',
    XDG_STATE_HOME: '',
    NO_COLOR: '1',
  };
}

function npmConfig(key: string): string {
  return execFileSync('npm', ['config', 'get', key], { cwd: root, encoding: 'utf8' }).trim();
}

it('P22 the six commands of docs/getting-started.md lead to a tool in a real client', {
  timeout: 300_000,
}, async () => {
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(page) ?? [];
  const commands = block.trim().split('\n');
  expect(commands.length).toBeLessThanOrEqual(6);
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(block);
  const env = cleanEnvironment();
  const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  expect(packed).toMatchObject({ status: 0 });
  const tarball = join(folder, packed.stdout.trim());
  const pack = join(folder, 'my first pack');
  mkdirSync(pack);
  const outputs = commands.map(line => {
    // The only word that is not as it stands: the package that is to be published.
    const typed = line.replace(/^npm install toolwright$/, `npm install "${tarball}"`);
    const { status, stdout, stderr } = spawnSync(typed, { cwd: pack, env, shell: true, encoding: 'utf8', input: '' });
    expect({ line, status, stderr, stdout }).toMatchObject({ line, status: 0 });
    return stdout;
  });
  expect(outputs.join('')).toContain('"greeting": "Hello, Ada!"');
  const { mcpServers } = JSON.parse(readFileSync(join(folder, 'home/.claude.json'), 'utf8'));
  const [entry] = Object.values(mcpServers) as { command: string; args: string[] }[];
  if (entry === undefined) throw new Error('no server was installed');
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: entry.command, args: entry.args, stderr: 'ignore' }));
  const result = await client.callTool({ name: 'greet', arguments: { name: 'Ada', language: 'fr' } });
  await client.close();
  expect(result.structuredContent).toEqual({ greeting: 'Bonjour, Ada!' });
});
