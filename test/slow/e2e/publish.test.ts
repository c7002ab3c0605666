// `toolwright check --publish` with a real npm: what it finds, what --fix writes, and what arrives in a registry.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckReport } from '../../../runtime/packs/check.js';
import { type RegistryServer, startRegistry } from '../../harness/registry-server.js';
import { makeUser, nodeWithoutNpm, type ProcessRun, type RegistryUser } from '../../harness/registry-user.js';
import type { PackFiles } from '../../runtime/packs/code-packs.js';
import { brief, command } from '../../runtime/packs/list-packs.js';

let registry: RegistryServer;
let user: RegistryUser;
let count = 0;

beforeAll(async () => {
  registry = await startRegistry();
  user = makeUser(registry);
});
afterAll(async () => {
  await registry.close();
  user.remove();
});

const summary = {
  servers: [{ name: 'desk', description: 'The desk', transport: 'stdio', tools: 2, prompts: 1, resources: 1 }],
  tools: [
    { name: 'get', description: 'Get it', parameters: ['key', 'limit'] },
    { name: 'put', description: 'Put it, then get', parameters: [] },
  ],
  prompts: [{ name: 'ask', description: 'Ask', arguments: ['what'] }],
  resources: [{ name: 'page', description: '', uri: 'desk://{page}' }],
};

const manifest = {
  name: '@acme/desk',
  version: '1.0.0',
  type: 'module',
  files: ['toolwright.yaml', 'mcp', 'generated', 'dist'],
  keywords: ['toolwright-pack'],
  dependencies: { toolwright: '*' },
  toolwright: summary,
};

/** A pack that is ready to be published, but for its generated code. */
const ready: PackFiles = {
  'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
  'toolwright.yaml': 'tools: [get, put]\n',
  'mcp/servers/desk.yaml': 'description: The desk\n',
  'mcp/tools/get.yaml':
    'description: { file: mcp/texts/get.md }\nparameters: { key: string, limit: { type: integer, default: 1 } }\n',
  'mcp/tools/put.yaml': 'description: Put it, then {{tool:get}}\ninputSchema: { file: mcp/schemas/put.json }\n',
  'mcp/texts/get.md': 'Get it\n\nIn detail.\n',
  'mcp/schemas/put.json': '{"type": "object"}\n',
  'mcp/prompts/ask.yaml': 'description: Ask\narguments: { what: {} }\ntext: "Ask {{what}}"\n',
  'mcp/resources/page.yaml': 'uriTemplate: desk://{page}\n',
  ...Object.fromEntries(
    ['tools/get', 'tools/put', 'resources/page'].flatMap(path => [
      [`src/${path}.ts`, 'export default () => "";\n'],
      [`dist/${path}.js`, 'export default () => "";\n'],
    ]),
  ),
};

function withManifest(change: object): PackFiles {
  return { ...ready, 'package.json': `${JSON.stringify({ ...manifest, ...change }, null, 2)}\n` };
}

async function pack(files: PackFiles): Promise<string> {
  count += 1;
  const folder = user.write(`pack-${count}`, files);
  const { status, stderr } = await toolwright(folder, 'generate', '--quiet');
  if (status !== 0) throw new Error(stderr);
  return folder;
}

function toolwright(cwd: string, ...args: readonly string[]): Promise<ProcessRun> {
  return user.toolwright(args, { cwd });
}

async function check(folder: string, ...args: readonly string[]): Promise<CheckReport & { fixed?: readonly string[] }> {
  const { stdout, stderr } = await toolwright(folder, 'check', '--publish', '--format', 'json', ...args);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

/** `code file:line:column message`. */
async function found(folder: string, ...args: readonly string[]): Promise<readonly string[]> {
  const { diagnostics } = await check(folder, ...args);
  return diagnostics.map(({ code, file, line, column, message }) => `${code} ${file}:${line}:${column} ${message}`);
}

describe('`toolwright check --publish`', () => {
  it('`check --publish` finds nothing wrong with a pack that is ready, and leaves it as it is', async () => {
    const folder = await pack(ready);
    expect(await found(folder)).toEqual([]);
    const before = statSync(join(folder, 'package.json')).mtimeMs;
    expect(await check(folder, '--fix')).toMatchObject({ ok: true, fixed: [], diagnostics: [] });
    expect(statSync(join(folder, 'package.json')).mtimeMs).toBe(before);
    const { status } = await toolwright(folder, 'check', '--publish');
    expect(status).toBe(0);
  });

  it('fix-A8 fix-A38 `check --publish` refuses stubs and placeholders, and warns of the descriptions that `init` wrote', async () => {
    const folder = await pack({
      ...withManifest({ description: 'My first tools' }),
      'mcp/servers/desk.yaml': 'description: My first tools\n',
      'mcp/tools/put.yaml': 'description: What it does and returns\n',
      'src/tools/put.ts': 'export default async (_: unknown, ctx: any) => {\n  throw ctx.notImplemented();\n};\n',
    });
    const lines = (await found(folder)).filter(line => !line.includes('summary'));
    expect(lines).toEqual([
      'publish/first-description mcp/servers/desk.yaml:1:14 "My first tools" is what toolwright init wrote, for you to replace',
      'publish/placeholder mcp/tools/put.yaml:1:14 "What it does and returns" is what toolwright add wrote, and would be published',
      expect.stringMatching(/^publish\/first-description package\.json:\d+:18 "My first tools"/),
      'publish/unwritten src/tools/put.ts:2:3 The handler for the tool "put" would be published, but is not written yet: "src/tools/put.ts"',
    ]);
    expect((await toolwright(folder, 'check', '--publish')).status).toBe(1);
  });

  it('`check --publish` reports what npm would refuse and what nobody could find', async () => {
    const folder = await pack(
      withManifest({
        private: true,
        version: undefined,
        keywords: ['x'],
        dependencies: {},
        devDependencies: { toolwright: '*' },
      }),
    );
    writeFileSync(join(folder, 'toolwright.yaml'), 'name: other/name\ntools: [get, put]\ncontext: /etc/x.js\n');
    expect((await found(folder)).map(line => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'publish/incomplete package.json:1:1',
      'publish/missing-keyword package.json:10:3',
      'publish/private package.json:57:3',
      'publish/no-dependency package.json:59:5',
      'resolve/name-mismatch toolwright.yaml:1:7',
      'resolve/path-escape toolwright.yaml:3:10',
    ]);
    writeFileSync(join(folder, 'package.json'), ready['package.json'] ?? '');
    const args = [command, 'check', '--publish'];
    const { status, stdout } = await user.run(nodeWithoutNpm(user), args, { cwd: folder, env: { PATH: '/nowhere' } });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^package\.json:1:1 error npm cannot tell what it would publish: npm was not found/m);
  });

  it('`check --publish` reports a built server that nothing leads to, and dependencies that only this machine has', async () => {
    const folder = await pack({
      ...withManifest({ dependencies: { toolwright: 'file:../toolwright.tgz', b: './b', c: 'workspace:*' } }),
      'dist/desk.cjs': '',
      'dist/desk/.toolwright-build': '',
      'dist/jira.cjs': '',
      'dist/jira/.toolwright-build': '',
    });
    expect((await found(folder)).map(line => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'publish/unused-build package.json:5:3',
      'publish/unused-build package.json:5:3',
      'publish/local-dependency package.json:15:19',
      'publish/local-dependency package.json:16:10',
    ]);
    const named = withManifest({ bin: { desk: './dist/desk.cjs', jira: 'dist/jira.cjs' } });
    writeFileSync(join(folder, 'package.json'), named['package.json'] ?? '');
    expect(await found(folder)).toEqual([]);
  });

  it('`check --publish` asks npm which files the package would lack, and why', async () => {
    const folder = await pack(
      withManifest({ files: ['toolwright.yaml', 'mcp/servers', 'mcp/prompts', 'mcp/resources', 'mcp/tools'] }),
    );
    expect(await found(folder)).toEqual([
      expect.stringMatching(
        /^publish\/missing-files package\.json:5:3 .*lack "dist\/resources\/page\.js", "dist\/tools\/get\.js" and "dist\/tools\/put\.js"$/,
      ),
      expect.stringMatching(
        /^publish\/missing-files package\.json:5:3 .*"generated\/index\.js", "generated\/tools\/get\.mjs"/,
      ),
      'publish/missing-files package.json:5:3 the published package would lack "mcp/schemas/put.json" and "mcp/texts/get.md"',
    ]);
    const { diagnostics, ...rest } = await check(folder, '--fix');
    expect(rest).toMatchObject({ ok: false, fixed: [] });
    expect(diagnostics.map(({ hint }) => hint)).toEqual(
      ['dist', 'generated', 'mcp'].map(entry => `add "${entry}" to "files"`),
    );
  });

  it('`check --publish` says where an ignore file leaves files out, and `--fix` does not pretend to fix it', async () => {
    const folder = await pack({ ...withManifest({ files: undefined }), '.gitignore': 'dist\ngenerated\n' });
    expect(await found(folder, '--fix')).toEqual([
      expect.stringMatching(/^publish\/missing-files package\.json:1:1 .*dist/),
      expect.stringMatching(/^publish\/missing-files package\.json:1:1 .*generated/),
    ]);
    writeFileSync(join(folder, 'package.json'), ready['package.json'] ?? '');
    writeFileSync(join(folder, 'mcp/.npmignore'), 'texts\n');
    const { diagnostics } = await check(folder, '--fix');
    expect(diagnostics).toMatchObject([
      { code: 'publish/missing-files', hint: expect.stringContaining('ignore file') },
    ]);
  });

  it('`check --publish` reports what is not built and what is not generated', async () => {
    const folder = await pack(ready);
    renameSync(join(folder, 'dist'), join(folder, 'build'));
    writeFileSync(
      join(folder, 'mcp/tools/get.yaml'),
      'description: { file: mcp/texts/get.md }\nparameters: { key: integer, limit: integer }\n',
    );
    expect(await found(folder)).toEqual([
      expect.stringMatching(/^publish\/stale-generated toolwright\.yaml:1:1 .*"generated\/tools\/get\.mjs"/),
      'publish/not-built toolwright.yaml:1:9 once installed, the pack has no JavaScript for "src/tools/get.ts", "src/tools/put.ts" and "src/resources/page.ts"',
    ]);
    const hint = async (): Promise<string> => (await toolwright(folder, 'check', '--publish')).stdout;
    expect(await hint()).toContain('let the script "prepack" begin with it');
    const file = join(folder, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...manifest, scripts: { prepack: 'toolwright build --pack' } }));
    expect(await hint()).toContain('the script "prepack" does that, before npm packs');
  });

  it('W52 W53 `check --publish --fix` writes the summary and changes nothing but its key', async () => {
    const text =
      '{\r\n\t"name": "@acme/desk",\r\n\t"version" : "1.0.0", "type":"module",\r\n\t"keywords": ["b", "a"],\r\n\t"toolwright": {"tools": "old"},\r\n\t"dependencies": {"toolwright": "*"}\r\n}';
    const folder = await pack({ ...ready, 'package.json': text });
    chmodSync(join(folder, 'package.json'), 0o600);
    expect(await found(folder)).toEqual([
      expect.stringMatching(/^publish\/missing-keyword package\.json:4:2 /),
      'publish/stale-summary package.json:5:2 the pack\'s summary is out of date: "servers", "tools", "prompts" and "resources" changed',
    ]);
    expect((await toolwright(folder, 'check', '--publish', '--fix')).stderr).toBe(
      'toolwright: package.json: wrote the summary\n',
    );
    const after = readFileSync(join(folder, 'package.json'), 'utf8');
    const printed = JSON.stringify(summary, null, '\t').replaceAll('\n', '\r\n\t');
    expect(after).toBe(text.replace('{"tools": "old"}', printed));
    expect(statSync(join(folder, 'package.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter(name => name.endsWith('.tmp'))).toEqual([]);
    expect(await found(folder)).toEqual([expect.stringMatching(/^publish\/missing-keyword package\.json:4:2 /)]);
  });

  it('`check --publish` summarises no broken pack, follows a link to package.json and refuses what is not a package', async () => {
    const folder = await pack(withManifest({ toolwright: undefined }));
    writeFileSync(join(folder, 'mcp/tools/put.yaml'), 'descripton: x\n');
    const broken = await check(folder, '--fix');
    expect(broken.fixed).toEqual([]);
    expect(broken.diagnostics.map(({ code }) => code)).toContain('validate/unknown-key');
    writeFileSync(join(folder, 'mcp/tools/put.yaml'), ready['mcp/tools/put.yaml'] ?? '');
    mkdirSync(join(folder, 'real'));
    renameSync(join(folder, 'package.json'), join(folder, 'real/package.json'));
    symlinkSync('real/package.json', join(folder, 'package.json'));
    const linked = await check(folder, '--fix');
    expect(linked.fixed).toEqual(['the summary']);
    expect(linked.diagnostics).toMatchObject([{ code: 'publish/missing-files', hint: 'npm does not pack links' }]);
    expect(lstatSync(join(folder, 'package.json')).isSymbolicLink()).toBe(true);
    const plain = await pack({ 'toolwright.yaml': '' });
    expect(await found(plain)).toEqual([expect.stringMatching(/^publish\/no-package toolwright\.yaml:1:1 /)]);
    writeFileSync(join(plain, 'package.json'), '{"name": ');
    expect(await found(plain, '--fix')).toEqual([expect.stringMatching(/^discover\/package-json package\.json:1:/)]);
    expect(readFileSync(join(plain, 'package.json'), 'utf8')).toBe('{"name": ');
    expect(await toolwright(plain, 'check', '--fix')).toMatchObject({ status: 2 });
  });

  it('`check --publish` runs no script of the pack', async () => {
    const ran = join(user.folder, 'ran');
    const scripts = Object.fromEntries(
      ['prepack', 'prepare', 'postpack', 'prepublishOnly', 'prepublish'].map(key => [key, `touch ${ran}`]),
    );
    const folder = await pack(withManifest({ scripts, toolwright: undefined }));
    expect((await check(folder, '--fix')).ok).toBe(true);
    expect(existsSync(ran)).toBe(false);
  });

  it('W52 W53 the summary written in prepack arrives in the registry and in lists of others', async () => {
    const scripts = { prepack: `"${process.execPath}" "${command}" check --publish --fix` };
    const folder = await pack(withManifest({ scripts, toolwright: undefined }));
    await user.npm(['publish', '--access', 'public'], folder);
    expect(JSON.parse(await user.npm(['view', '@acme/desk', 'toolwright', '--json'], folder))).toEqual(summary);
    const app = user.write('app', { 'package.json': '{"name": "app"}' });
    const listed = async (...args: readonly string[]) => {
      const { stdout } = await toolwright(app, 'list', '--format', 'json', ...args);
      return JSON.parse(stdout).servers;
    };
    const remote = await listed('--remote');
    expect(brief(remote)).toEqual(['acme/desk/desk 1.0.0 remote']);
    await user.put({ 'package.json': '{"name": "toolwright", "version": "0.0.1"}' });
    await user.npm(['install', '@acme/desk'], app);
    const [installed] = await listed('--remote');
    expect(installed).toEqual({ ...remote[0], source: 'installed' });
  });
});
