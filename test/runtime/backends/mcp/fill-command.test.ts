// The command of another server, filled in with the configuration.
import { describe, expect, it } from 'vitest';
import { fillCommand } from '../../../../runtime/backends/mcp/fill-command.js';
import type { McpBackendDefinition } from '../../../../schema/definitions.js';
import { checkPlaces } from '../../../harness/pack.js';

const fill = (command: McpBackendDefinition['command'], config: Readonly<Record<string, unknown>>) => {
  const { command: program, args = [] } = fillCommand({ type: 'mcp', ...(command && { command }) }, config);
  return [program, ...args];
};

describe('the command of another server', () => {
  it.each([
    ['true', true, ['--on']],
    ['a text', 'x', ['--on']],
    ['zero', 0, ['--on']],
    ['a list', ['x'], ['--on']],
    ['false', false, []],
    ['an empty text', '', []],
    ['an empty list', [], []],
    ['nothing', undefined, []],
  ])('B4 words under a condition are there where its key is %s, or not', (_, KEY, words) => {
    expect(fill(['play', { if: 'KEY', args: ['--on'] }], { KEY })).toEqual(['play', ...words]);
  });

  it('B4 a list alone is several words, and is joined by commas in a word', () => {
    expect(fill(['play', '{config.LIST}', '--all={config.LIST}'], { LIST: ['a', 'b'] })).toEqual([
      'play',
      'a',
      'b',
      '--all=a,b',
    ]);
  });

  it('B4 a list in a variable is joined by commas', () => {
    const { env } = fillCommand(
      { type: 'mcp', command: ['play'], env: { ALL: '{config.LIST}' } },
      { LIST: ['a', 'b'] },
    );
    expect(env).toEqual({ ALL: 'a,b' });
  });

  it('B4 what is not set drops its word, and braces that are written twice are braces', () => {
    expect(fill(['play', '--x={config.X}', '{{"a":1}}'], {})).toEqual(['play', '{"a":1}']);
  });

  it('B4 `check` reports a condition whose key does not exist', async () => {
    const backends = { up: { type: 'mcp', command: ['node', { if: 'CAP', args: ['x'] }] } };
    const files = { 'toolwright.yaml': `config: { CAPS: array }\nbackends: ${JSON.stringify(backends)}\n` };
    expect(await checkPlaces(files)).toEqual(['backend/unknown-config toolwright.yaml:2:55']);
  });
});
