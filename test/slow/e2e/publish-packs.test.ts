// A pack whose servers take items of other packs: published, it must bring these along.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkPublish } from '../../../generator/publish/check-publish.js';
import { writeFiles } from '../../harness/files.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-publish-'));
let count = 0;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const server = 'tools: [own, acme/notes/add, acme/notes/get]\nprompts: [acme/notes/ask]\n';
const notes = 'node_modules/@acme/notes';

function pack(manifest: object, files: Readonly<Record<string, string>> = {}): string {
  count += 1;
  const all = {
    'package.json': JSON.stringify({ name: '@acme/desk', version: '1.0.0', ...manifest }),
    'toolwright.yaml': '',
    'mcp/tools.yaml': 'own: { description: Own }\n',
    'mcp/servers/desk.yaml': server,
    [`${notes}/package.json`]: '{"name": "@acme/notes", "version": "1.0.0"}',
    [`${notes}/toolwright.yaml`]: '',
    [`${notes}/mcp/tools.yaml`]: 'add: { description: Add }\nget: { description: Get }\n',
    ...files,
  };
  const path = join(folder, `pack-${count}`);
  writeFiles(path, all);
  return path;
}

async function found(path: string): Promise<readonly unknown[]> {
  const { diagnostics } = await checkPublish(path, { packedFiles: async () => [] });
  return diagnostics
    .filter(({ code }) => code === 'publish/unlisted-pack')
    .map(({ file, line, column, hint }) => [`${file}:${line}:${column}`, hint]);
}

describe('W53 packs that servers use in `check --publish`', () => {
  it('`check --publish` reports a pack that package.json does not list, once, at the first reference', async () => {
    expect(await found(pack({}))).toEqual([['mcp/servers/desk.yaml:1:14', 'npm install @acme/notes']]);
    expect(await found(pack({ packageManager: 'pnpm@9.0.0' }))).toEqual([
      ['mcp/servers/desk.yaml:1:14', 'pnpm add @acme/notes'],
    ]);
  });

  it('`check --publish` accepts each list that is installed with the pack', async () => {
    for (const key of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(await found(pack({ [key]: { '@acme/notes': '^1.0.0' } }))).toEqual([]);
  });

  it('`check --publish` reports a pack that only devDependencies have', async () => {
    expect(await found(pack({ devDependencies: { '@acme/notes': '^1.0.0' } }))).toEqual([
      [
        'mcp/servers/desk.yaml:1:14',
        'devDependencies are not installed with the pack: move "@acme/notes" to "dependencies"',
      ],
    ]);
  });

  it('`check --publish` says nothing about own and built-in items, and nothing more about a pack that is not installed', async () => {
    const items = (tools: string) => ({ 'mcp/servers/desk.yaml': `tools: [${tools}]\n` });
    expect(await found(pack({}, items('own, acme/desk/own, check_pack')))).toEqual([]);
    expect(await found(pack({}, items('acme/absent/one')))).toEqual([]);
  });
});
