// W47, W48, W54 from code: one server as a value, and lists of servers with what a registry has.
import { describe, expect, it } from 'vitest';
import { DefinitionError, inspectServer } from '../../../runtime/index.js';
import { below, writeFolder } from './code-packs.js';
import { makePack, toolwright } from './packs-kit.js';

const folder = writeFolder({
  ...makePack('desk', {
    tools: { ping: '' },
    servers: { desk: 'tools: [ping, acme/jira/get-*, gone/x]\n', other: 'tools: []\n' },
  }),
  'mcp/tools/tagged.yaml': 'description: d\ntags: [t]\n',
  'mcp/servers/tags.yaml': 'tools: [ping, tagged]\n',
  ...below(
    'node_modules/@acme/jira',
    makePack('@acme/jira', { tools: { 'get-issue': '' }, servers: { main: 'title: t\n' } }),
  ),
});

describe('`inspectServer`', () => {
  it('fix-F16 W54 `inspectServer` returns what `inspect` prints', async () => {
    const printed = JSON.parse((await toolwright(['inspect', 'desk', '--format', 'json'], { cwd: folder })).stdout);
    const inspected = await inspectServer(folder, 'desk');
    const value = JSON.parse(JSON.stringify(inspected));
    expect(Object.keys(value)).toEqual(Object.keys(printed));
    expect(value.tools.map(({ name }: { name: string }) => name)).toEqual(['ping', 'get-issue']);
    expect(value.missing).toEqual(printed.missing);
    expect(value.diagnostics.map(({ code }: { code: string }) => code)).toEqual(['pack/not-installed']);
    expect(inspected.packs.map(({ name }) => name)).toEqual(['desk', 'acme/jira']);
  });

  it('fix-F16 W54 `inspectServer` finds own, installed and built-in servers as the command line does, and filters by tag', async () => {
    expect((await inspectServer(folder, 'acme/jira/main')).pack).toBe('acme/jira');
    expect((await inspectServer(folder, 'desk/other')).item).toBe('other');
    expect((await inspectServer(folder, 'pack-development')).tools.length).toBeGreaterThan(3);
    expect((await inspectServer(folder, 'tags', { tag: 't' })).tools.map(({ item }) => item)).toEqual(['tagged']);
  });

  it('fix-F16 W54 `inspectServer` explains in words why there is no such server', async () => {
    await expect(inspectServer(folder)).rejects.toThrow(/Which server\? desk has desk, other, tags/);
    await expect(inspectServer(folder, 'dsk')).rejects.toThrow(/did you mean "desk"\?/);
    await expect(inspectServer(folder, 'a/b/c/d')).rejects.toThrow(/is not a valid server name/);
    await expect(inspectServer(folder, 'no/such')).rejects.toThrow(/not installed: npm install no/);
    await expect(inspectServer(writeFolder({ 'package.json': '{}' }))).rejects.toBeInstanceOf(DefinitionError);
  });
});
