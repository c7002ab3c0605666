// I5, I6: captures under several flags become one pack, which lists with each set of flags what the server lists.
import { describe, expect, it } from 'vitest';
import type { Imported } from '../../../generator/import/imported.js';
import { readFlagWords } from '../../../generator/import/server/flag-words.js';
import { importServer, type ServerOptions } from '../../../generator/import/server/import-server.js';
import { makeRandom } from '../../harness/random.js';
import { capture, codesOf, listsOf, place } from './server-kit.js';

type Tool = { readonly name: string; readonly description: string; readonly inputSchema: object };
const tool = (name: string, description = 'D'): Tool => ({ name, description, inputSchema: { type: 'object' } });

const merge = (captures: Readonly<Record<string, readonly Tool[]>>, options: Partial<ServerOptions> = {}): Imported =>
  importServer(
    Object.entries(captures).map(([words, tools]) =>
      capture({ tools }, ...words.split(' ').filter(word => word !== '')),
    ),
    { place, proxy: true, ...options },
  );

const [core, other] = [tool('core'), tool('other')];
const conditions = ({ items }: Imported) =>
  Object.fromEntries(items.map(({ name, definition }) => [name, definition['when']]));

describe('captures under flags', () => {
  it('I5: what a flag adds is offered with it, and a flag with values is a list', async () => {
    const imported = merge({
      '': [core],
      '--caps=vision': [core, tool('see')],
      '--caps=pdf': [core, tool('print')],
    });
    expect(imported.config).toEqual({
      PLAY_CAPS: {
        type: 'array',
        enum: ['vision', 'pdf'],
        default: [],
        flag: 'caps',
        description: '--caps of the server',
      },
    });
    expect(conditions(imported)).toEqual({
      core: undefined,
      print: { PLAY_CAPS: 'pdf' },
      see: { PLAY_CAPS: 'vision' },
    });
    expect(imported.backends['play']).toEqual({
      type: 'mcp',
      command: ['npx', '-y', 'play', { if: 'PLAY_CAPS', args: ['--caps={config.PLAY_CAPS}'] }],
    });
    expect(imported.diagnostics).toEqual([]);
    const { tools } = await listsOf(imported, { PLAY_CAPS: ['pdf', 'vision'] });
    expect(tools.map(({ name }) => name).toSorted()).toEqual(['core', 'print', 'see']);
  });

  it('I5: a variable or a flag that is given without a value takes any', () => {
    const { config } = merge({ '': [core], 'REGION= --caps=': [core, other] });
    expect(config).toEqual({
      REGION: { type: 'array', description: 'REGION of the server' },
      PLAY_CAPS: { type: 'array', default: [], flag: 'caps', description: '--caps of the server' },
    });
  });

  it('I5: a flag without a value is a switch', async () => {
    const imported = merge({ '': [core, other], '--read-only': [core] });
    expect(imported.config).toEqual({
      PLAY_READ_ONLY: {
        type: 'boolean',
        default: false,
        flag: 'read-only',
        description: '--read-only of the server',
      },
    });
    expect(conditions(imported)).toEqual({ core: undefined, other: { PLAY_READ_ONLY: false } });
    expect((await listsOf(imported, {})).tools.length).toBe(2);
    expect((await listsOf(imported, { PLAY_READ_ONLY: true })).tools.length).toBe(1);
  });

  it('I5: a variable keeps its name', () => {
    const imported = merge({ '': [core, other], 'READ_ONLY=true': [core], 'REGION=eu': [core, other, tool('eu')] });
    expect(imported.config).toEqual({
      READ_ONLY: { type: 'boolean', description: 'READ_ONLY of the server' },
      REGION: { type: 'array', enum: ['eu'], description: 'REGION of the server' },
    });
    expect(imported.backends['play']).toMatchObject({
      env: { READ_ONLY: '{config.READ_ONLY}', REGION: '{config.REGION}' },
    });
  });

  it('I5: what looks different is several items with one name, whose conditions exclude each other', async () => {
    const imported = merge({
      '': [tool('shot', 'png'), core],
      '--format=jpeg': [tool('shot', 'jpeg'), core],
      '--format=webp': [tool('shot', 'webp'), core],
    });
    expect(imported.config).toEqual({
      PLAY_FORMAT: {
        type: 'string',
        enum: ['', 'jpeg', 'webp'],
        default: '',
        flag: 'format',
        description: '--format of the server',
      },
    });
    expect(conditions(imported)).toEqual({
      core: undefined,
      shot: { PLAY_FORMAT: '' },
      'shot.format-jpeg': { PLAY_FORMAT: 'jpeg' },
      'shot.format-webp': { PLAY_FORMAT: 'webp' },
    });
    expect(imported.items.map(({ from }) => from.id)).toEqual([
      'shot',
      'shot (format-jpeg)',
      'shot (format-webp)',
      'core',
    ]);
    expect((await listsOf(imported)).tools).toEqual([tool('shot', 'png'), core]);
    expect((await listsOf(imported, { PLAY_FORMAT: 'webp' })).tools).toEqual([tool('shot', 'webp'), core]);
  });

  it('I5: a tool that any of several values brings needs one of them', async () => {
    const imported = merge({
      '': [core],
      '--caps=a': [core, other],
      '--caps=b': [core, other],
      '--caps=c': [core, tool('c')],
    });
    expect(conditions(imported)['other']).toEqual({ PLAY_CAPS: ['a', 'b'] });
    expect((await listsOf(imported, { PLAY_CAPS: ['c', 'b'] })).tools.length).toBe(3);
  });

  it('I5: a tool that needs two flags has both in its condition', () => {
    const imported = merge({ '': [core], '--a': [core], '--b': [core], '--a --b': [core, other] });
    expect(conditions(imported)['other']).toEqual({ PLAY_A: true, PLAY_B: true });
    // Alone they change nothing, which is said.
    expect(codesOf(imported.diagnostics)).toEqual([
      'import/unused-capture: the capture with "--a" changes nothing: the server lists the same without them',
      'import/unused-capture: the capture with "--b" changes nothing: the server lists the same without them',
    ]);
  });

  it('I5: a tool that either of two flags brings is there with each, and with both', async () => {
    const imported = merge({ '': [core], '--a': [core, other], '--b': [core, other] });
    expect(imported.diagnostics).toEqual([]);
    for (const values of [{ PLAY_A: true }, { PLAY_B: true }, { PLAY_A: true, PLAY_B: true }])
      expect((await listsOf(imported, values)).tools).toEqual([core, other]);
    expect((await listsOf(imported)).tools).toEqual([core]);
  });

  it('I5: where two flags change the same tool and no capture has both, it is said', async () => {
    const imported = merge({ '': [core], '--a': [tool('core', 'a')], '--b': [tool('core', 'b')] });
    expect(codesOf(imported.diagnostics)).toEqual([
      expect.stringContaining('import/unclear-condition: it is not clear when "tool core"'),
    ]);
    const { tools } = await listsOf(imported, { PLAY_A: true, PLAY_B: true });
    expect(tools.length).toBe(1);
  });

  it('I5: what a flag takes away is not there with another one, either', async () => {
    const imported = merge({ '': [core, other], '--off': [core], '--change': [core, tool('other', 'x')] });
    expect((await listsOf(imported, { PLAY_OFF: true, PLAY_CHANGE: true })).tools).toEqual([core]);
  });

  it('I5: the order is that of the first capture, and new ones stand where they stood', async () => {
    const imported = merge({
      '': [tool('z'), tool('m'), tool('a')],
      '--x': [tool('z'), tool('y'), tool('m'), tool('k'), tool('b'), tool('a'), tool('q')],
    });
    expect(imported.server?.['tools']).toEqual(['z', 'y', 'm', 'k', 'b', 'a', 'q']);
    expect((await listsOf(imported)).tools.map(({ name }) => name)).toEqual(['z', 'm', 'a']);
  });

  it('I5: flags that every server has itself are only variables', () => {
    const imported = merge({ '': [core], '--http': [core, other], '--camelCase': [core, tool('x')] });
    expect(Object.values(imported.config).map(({ flag }) => flag)).toEqual([undefined, undefined]);
    expect(Object.keys(imported.config)).toEqual(['PLAY_HTTP', 'PLAY_CAMEL_CASE']);
  });

  it('I5: a capture that changes nothing is a warning', () => {
    expect(codesOf(merge({ '': [core], '--nothing': [core] }).diagnostics)).toEqual([
      'import/unused-capture: the capture with "--nothing" changes nothing: the server lists the same without them',
    ]);
  });

  it('I5: captures whose lists broke off do not count, and all others are left out where it is the first', () => {
    const part = (tools: readonly Tool[], ...words: readonly string[]) => ({
      ...capture({ tools }, ...words),
      isPartial: true,
    });
    const whole = capture({ tools: [core, other] });
    const options = { place, proxy: true };
    const merged = importServer(
      [whole, part([core], '--a'), capture({ tools: [core, other, tool('b')] }, '--b')],
      options,
    );
    expect(conditions(merged)).toEqual({ core: undefined, other: undefined, b: { PLAY_B: true } });
    expect(codesOf(merged.diagnostics)).toEqual([
      expect.stringContaining('import/unused-capture: the capture with "--a" changes nothing: a list broke off'),
    ]);
    const first = importServer([part([core]), capture({ tools: [core, other] }, '--b')], options);
    expect([first.items.length, first.isPartial, first.config]).toEqual([1, true, {}]);
  });

  it.each([
    ['-x', 'a flag needs its long name'],
    ['word', 'it is neither a flag nor a variable'],
    ['--a b c', 'it is neither a flag nor a variable'],
    ['--', 'it is neither a flag nor a variable'],
  ])('I5: the words %j are refused', (words, reason) => {
    expect(codesOf(readFlagWords(words.split(' ')).diagnostics)).toEqual([expect.stringContaining(reason)]);
  });

  it('I5: flags are read with and without an equals sign', () => {
    expect(readFlagWords(['--a', '--b', 'x', '--c=y=z', 'D=e', '--f=']).settings).toEqual([
      { of: 'flag', name: 'a', value: undefined },
      { of: 'flag', name: 'b', value: 'x' },
      { of: 'flag', name: 'c', value: 'y=z' },
      { of: 'variable', name: 'D', value: 'e' },
      { of: 'flag', name: 'f', value: '' },
    ]);
  });

  it('I5: servers whose tools depend on flags at random are the same with every capture', {
    timeout: 120_000,
  }, async () => {
    const random = makeRandom(4711);
    for (let round = 0; round < 60; round += 1) {
      const rules = Array.from({ length: 6 }, (_, index) => ({
        name: `t${index}`,
        needs: random.below(3) === 0 ? (['a', 'b', 'c'] as const)[random.below(3)] : undefined,
        loses: random.below(4) === 0 ? (['a', 'b', 'c'] as const)[random.below(3)] : undefined,
        changes: random.below(3) === 0 ? (['a', 'b', 'c'] as const)[random.below(3)] : undefined,
      }));
      const form = random.below(2) === 0 ? (flag: string) => `--${flag}` : (flag: string) => `--list=${flag}`;
      const listed = (set: readonly string[]): readonly Tool[] =>
        rules
          .filter(({ needs, loses }) => (needs === undefined || set.includes(needs)) && !(loses && set.includes(loses)))
          .map(({ name, changes }) => tool(name, changes !== undefined && set.includes(changes) ? changes : 'D'));
      const sets = [
        [],
        ['a'],
        ['b'],
        ['c'],
        ...(random.below(2) === 0 && form('a') === '--a'
          ? [
              ['a', 'b'],
              ['a', 'b', 'c'],
            ]
          : []),
      ];
      const imported = merge(Object.fromEntries(sets.map(set => [set.map(form).join(' '), listed(set)])));
      expect(codesOf(imported.diagnostics).filter(text => text.includes('do not give'))).toEqual([]);
      for (const set of sets) {
        const isList = imported.config['PLAY_LIST'];
        const values = isList
          ? set.length === 0
            ? {}
            : { PLAY_LIST: isList['type'] === 'array' ? set : set[0] }
          : Object.fromEntries(set.map(flag => [`PLAY_${flag.toUpperCase()}`, true]));
        const { tools } = await listsOf(imported, values);
        expect(tools.toSorted((a, b) => String(a['name']).localeCompare(String(b['name'])))).toEqual(listed(set));
      }
    }
  });
});
