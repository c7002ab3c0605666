// A12: half a character (a lone surrogate), which JSON can write and no URI can hold, is never a crash: wherever it stands, in whatever
// command; an item of an installed pack is at most left out.
import { describe, expect, it } from 'vitest';
import { printPointer } from '../../../schema/json-schema/refs.js';
import { makeUriMatcher } from '../../../schema/uri-template-match.js';
import { below, type PackFiles, writeFolder } from '../packs/code-packs.js';
import { makePack, startSession, toolwright } from '../packs/packs-kit.js';

const half = '\ud83d';
const object = (more: object) => ({ type: 'object', ...more });

const tools: Readonly<Record<string, object>> = {
  dangling: {
    inputSchema: object({ properties: { p: { $ref: '#/$defs/nope' } }, $defs: { [half]: { type: 'string' } } }),
  },
  unescaped: { inputSchema: object({ properties: { p: { $ref: '#/$defs/%zz' }, q: { $ref: `#/$defs/${half}` } } }) },
  named: {
    inputSchema: object({
      properties: { [half]: { type: 'string', minLength: 2 }, [`${half}b`]: {} },
      required: [half],
    }),
  },
  unusual: {
    inputSchema: object({
      properties: { [half]: { anyOf: [{ type: 'string', default: half }, { $ref: `#/$defs/x` }] } },
      patternProperties: { [half]: { not: { const: half } } },
      $defs: { x: { const: half }, [half]: {} },
      unevaluatedProperties: false,
    }),
  },
  short: { parameters: { [half]: { type: 'string', default: half, enum: [half], description: half } } },
  examples: { parameters: { a: 'string' }, examples: [{ name: half, input: { [half]: half } }] },
  output: { output: { [half]: { type: 'string', default: half } }, outputSchema: undefined },
  texts: { tags: [half], guidelines: { whenToUse: half }, errors: { BAD: { message: half } }, title: half },
  wire: { name: half },
  meta: {
    _meta: { [half]: half },
    annotations: { [half]: true },
    requires: { [half]: 'required' },
    options: { [half]: { type: 'string' } },
  },
};

const items: PackFiles = {
  ...Object.fromEntries(
    Object.entries(tools).flatMap(([name, tool]) => [
      [`mcp/tools/${name}.json`, JSON.stringify({ description: `d ${half}`, ...tool })],
      [`lib/tools/${name}.js`, 'export default () => ({});\n'],
    ]),
  ),
  'mcp/tools/good.json': '{"description": "d"}',
  'lib/tools/good.js': 'export default () => "good";\n',
  'mcp/prompts/p.json': JSON.stringify({ description: 'd', arguments: { [half]: {} }, text: `{{${half}}} ${half}` }),
  'mcp/resources/r.json': JSON.stringify({ uriTemplate: `a://${half}/{${half}}`, text: half }),
  'mcp/resources/s.json': JSON.stringify({ uri: `a://${half}`, text: half, mimeType: half }),
  'mcp/servers/main.json': JSON.stringify({ tools: ['*', { tag: half }], instructions: half, resources: ['*'] }),
};

const commands = [
  ['check'],
  ['inspect'],
  ['inspect', 'main', '--format', 'json'],
  ['inspect', '--format', 'mermaid'],
  ['explain', 'named'],
  ['list'],
  ['list', '--tag', half],
  ['docs', '--stdout'],
  ['docs', '--html', 'page.html'],
  ['doctor'],
  ['lock'],
  ['generate'],
  ['typecheck'],
  ['rename', 'tool', 'good', 'better'],
  ['call', 'main', 'named', '{}'],
  ['call', 'main', 'unusual', '{}'],
  ['call', 'main', 'short', '{}'],
  ['test', 'main'],
  ['install', 'cursor', 'main', '--dry-run', '--project'],
  ['build', 'main'],
] as const;

describe('half a character', () => {
  it('fix-A12 half a character crashes no command', async () => {
    const cwd = writeFolder({ ...makePack('desk', {}), ...items });
    for (const words of commands) {
      const { status, stdout, stderr } = await toolwright(words, { cwd });
      expect([words.join(' '), [0, 1, 2].includes(status ?? 70) ? '' : stdout + stderr]).toEqual([words.join(' '), '']);
      expect(stderr).not.toContain('this is a bug');
    }
  }, 120_000);

  it('fix-A12 half a character in an installed pack leaves out at most its item', async () => {
    const cwd = writeFolder({
      ...makePack('desk', { tools: { own: '' }, servers: { desk: 'tools: [own, acme/odd/*]\n' } }),
      ...below('node_modules/@acme/odd', { ...makePack('@acme/odd', {}), ...items }),
    });
    for (const words of [['check'], ['inspect', 'desk'], ['lock'], ['doctor'], ['call', 'desk', 'own', '{}']]) {
      const { status, stderr } = await toolwright(words, { cwd });
      expect([words.join(' '), status !== 70, stderr.includes('this is a bug')]).toEqual([
        words.join(' '),
        true,
        false,
      ]);
    }
    const session = await startSession(['desk'], { cwd });
    expect(await session.call('own')).toContain('own');
    expect(await session.call('good')).toBe('good');
    await session.client.close();
  }, 60_000);

  it('fix-A12 two keys that differ in half a character have two pointers', () => {
    expect(printPointer(['$defs', half, 'a/b#?'])).toBe('#/$defs/%ud83d/a~1b%23%3F');
    expect(printPointer(['\ud83e'])).not.toBe(printPointer([half]));
    expect(makeUriMatcher(`a://${half}/{x}`)('a://y/z')).toBeUndefined();
  });
});
