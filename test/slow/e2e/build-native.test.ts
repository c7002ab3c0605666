// P20: packages that a build cannot take in: what `build` says of them, and what a server says that lacks them.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ask, toolwright, writePack } from '../../harness/build-pack.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-native-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pack = writePack(join(folder, 'pack'), {
  'package.json': '{ "name": "odd", "version": "1.0.0", "type": "module" }\n',
  'toolwright.yaml': 'name: odd\n',
  'mcp/servers/odd.yaml': 'title: Odd\n',
  'mcp/tools/one.yaml': 'description: x\n',
  'src/tools/one.js': "import addon from 'fake-addon';\nexport default () => addon();\n",
  'mcp/tools/two.yaml': 'description: x\n',
  'src/tools/two.js': "export default () => 'two';\n",
  'node_modules/fake-addon/package.json':
    '{ "name": "fake-addon", "version": "1.2.3", "main": "index.js", "gypfile": true }',
  'node_modules/fake-addon/index.js': "module.exports = () => 'native';\n",
});

describe('fix-N17 a build with a native addon', () => {
  it('`build` names what it does not bundle, why, and the command that installs it', () => {
    const { status, stdout } = toolwright(pack, 'build');
    expect([status, stdout]).toEqual([0, expect.stringContaining('dist/odd.cjs')]);
    const line =
      'not bundled: fake-addon (native addon); install it where the server runs: npm install fake-addon@1.2.3';
    expect(stdout).toContain(`\n  ${line}\n`);
    const single = toolwright(pack, 'build', '--single-file', '--out', 'single').stdout;
    expect(single).toContain(`\n  ${line}\n  the single file does not start without it\n`);
    expect(toolwright(pack, 'build', '--out', 'o', '--external', 'fake-addon').stdout).toContain(
      'fake-addon (--external)',
    );
  });

  it('a build that was moved away from its addon reports each call in two lines, and serves the other tools', async () => {
    expect(toolwright(pack, 'build')).toMatchObject({ status: 0 });
    cpSync(join(pack, 'dist'), join(folder, 'moved'), { recursive: true });
    const calls = ['one', 'two'].map(name => ['tools/call', { name, arguments: {} }] as const);
    const { replies, stderr } = await ask(join(folder, 'moved/odd.cjs'), calls);
    expect(replies[1]?.result).toMatchObject({ isError: true });
    expect(replies[2]?.result).toMatchObject({ content: [{ text: 'two' }] });
    expect(stderr.replace(/\([0-9a-f]{8}\)/, '(id)')).toBe(
      'toolwright: one failed (id): src/tools/one.ts needs the package fake-addon, which is not bundled [generate/unimportable]\n' +
        "    hint: run npm install fake-addon in the server's folder, or in one above it\n",
    );
  });
});
