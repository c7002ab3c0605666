// X2: conditions of items and of entries in lists: what they mean, and what is wrong with them.
import { describe, expect, it } from 'vitest';
import { canHoldTogether, holds, printWhen } from '../../../runtime/load/conditions.js';
import type { ConfigEntry } from '../../../schema/definitions.js';
import { loadFiles } from '../../harness/pack.js';

const config: Readonly<Record<string, ConfigEntry>> = {
  READ_ONLY: { type: 'boolean' },
  REGION: { type: 'string', enum: ['eu', 'us', 'asia'] },
  LIMIT: { type: 'integer', minimum: 1 },
  CAPS: { type: 'array', enum: ['pdf', 'vision'] },
  ONE: { type: 'array', maxItems: 1 },
};

describe('conditions', () => {
  it.each([
    [{ READ_ONLY: false }, {}, true],
    [{ READ_ONLY: true }, {}, false],
    [{ READ_ONLY: false }, { READ_ONLY: true }, false],
    [{ REGION: 'eu' }, {}, false],
    [{ REGION: ['eu', 'us'] }, { REGION: 'us' }, true],
    [{ REGION: ['eu', 'us'] }, { REGION: 'asia' }, false],
    [{ REGION: 'eu', READ_ONLY: false }, { REGION: 'eu' }, true],
    [{ REGION: 'eu', READ_ONLY: false }, { REGION: 'eu', READ_ONLY: true }, false],
    [{ LIMIT: 5 }, { LIMIT: 5 }, true],
    [{ CAPS: 'pdf' }, { CAPS: ['pdf', 'vision'] }, true],
    [{ CAPS: ['a', 'vision'] }, { CAPS: ['pdf', 'vision'] }, true],
    [{ CAPS: 'a' }, { CAPS: [] }, false],
    [{ CAPS: 'a' }, {}, false],
    [{ CAPS: 'pdf', READ_ONLY: false }, { CAPS: ['pdf'], READ_ONLY: true }, false],
    [{ toString: 'x' }, {}, false],
  ])('X2 %j with %j holds: %s', (when, values, expected) => {
    expect(holds(when, config, values)).toBe(expected);
  });

  it('X2 two conditions exclude each other only where one key cannot have both values', () => {
    expect(canHoldTogether([{ REGION: 'eu' }, { REGION: ['us', 'eu'] }], config)).toBe(true);
    expect(canHoldTogether([{ REGION: 'eu' }, { REGION: 'us' }], config)).toBe(false);
    expect(canHoldTogether([{ REGION: 'eu' }, { LIMIT: 3 }], config)).toBe(true);
    expect(canHoldTogether([undefined, { LIMIT: 3 }], config)).toBe(true);
    expect(canHoldTogether([{ CAPS: 'pdf' }, { CAPS: 'vision' }], config)).toBe(true);
    expect(canHoldTogether([{ ONE: 'pdf' }, { ONE: 'vision' }], config)).toBe(false);
    expect(canHoldTogether([{ ONE: 'pdf' }, { ONE: ['vision', 'pdf'] }], config)).toBe(true);
  });

  it('X2 of three conditions a list needs room for three values, or one that all of them want', () => {
    const two: typeof config = { TWO: { type: 'array', maxItems: 2 } };
    const [a, b, c] = [{ TWO: 'a' }, { TWO: ['b', 'a'] }, { TWO: ['c', 'a'] }];
    expect(canHoldTogether([a, b, c], two)).toBe(true);
    expect(canHoldTogether([a, { TWO: 'b' }], two)).toBe(true);
    expect(canHoldTogether([a, { TWO: 'b' }, { TWO: 'c' }], two)).toBe(false);
  });

  it('X2 a condition reads as a sentence', () => {
    expect(printWhen({ READ_ONLY: false, REGION: ['eu', 'us'] })).toBe('READ_ONLY is false and REGION is eu or us');
  });
});

describe('mistakes in conditions', () => {
  const pack = `config:
  READ_ONLY: boolean
  TOKEN: { type: string, secret: true }
  REGION: { type: string, enum: [eu, us] }
  LIMIT: { type: integer, minimum: 1 }
  CAPS: { type: array, enum: [pdf, vision], minItems: 2 }
  HOSTS: { type: array, pattern: "^[a-z]+$" }
  ONE: { type: array, maxItems: 1 }
`;
  const found = (tool: string, server = 'description: S\n'): readonly string[] => {
    const files = {
      'toolwright.yaml': pack,
      'mcp/servers/s.yaml': server,
      'mcp/tools/t.yaml': `description: T\n${tool}`,
    };
    return loadFiles(files).diagnostics.map(
      ({ code, file, line, column, message, hint }) =>
        `${code} ${file}:${line}:${column} ${message}${hint ? ` (${hint})` : ''}`,
    );
  };

  it.each([
    [
      'an unknown key',
      'when: { READONLY: true }',
      'link/unknown-condition mcp/tools/t.yaml:2:9 "READONLY" is not a key of `config` in toolwright.yaml (did you mean "READ_ONLY"?)',
    ],
    [
      'a value of another type',
      'when: { READ_ONLY: "yes" }',
      'link/impossible-condition mcp/tools/t.yaml:2:20 READ_ONLY can never be "yes": its values must be of type boolean',
    ],
    [
      'a value outside the enum',
      'when: { REGION: [eu, uk] }',
      'link/impossible-condition mcp/tools/t.yaml:2:22 REGION can never be "uk": its values must be one of eu, us',
    ],
    [
      'a value beyond a limit',
      'when: { LIMIT: 0 }',
      'link/impossible-condition mcp/tools/t.yaml:2:16 LIMIT can never be 0: its values must be at least 1',
    ],
    [
      'an item that a list cannot have',
      'when: { CAPS: [pdf, word] }',
      'link/impossible-condition mcp/tools/t.yaml:2:21 CAPS can never be "word": its values must be one of pdf, vision',
    ],
    [
      'an item beyond the limits of a list',
      'when: { HOSTS: A1 }',
      'link/impossible-condition mcp/tools/t.yaml:2:16 HOSTS can never be "A1": its values must be a string that matches ^[a-z]+$',
    ],
    [
      'an item of another type',
      'when: { HOSTS: 1 }',
      'link/impossible-condition mcp/tools/t.yaml:2:16 HOSTS can never be 1: its values must be of type string',
    ],
    [
      'a secret',
      'when: { TOKEN: hunter2 }',
      'link/secret-condition mcp/tools/t.yaml:2:16 TOKEN is secret, but `when` compares it with a value that anyone can read',
    ],
    ['an empty list', 'when: { REGION: [] }', 'validate/'],
    ['no keys', 'when: {}', 'validate/'],
    ['a string', 'when: READ_ONLY', 'validate/type'],
    ['a map as a value', 'when: { REGION: { is: eu } }', 'validate/type'],
  ])('X2 %s gets one diagnostic', (_, tool, expected) => {
    const [first = '', ...others] = found(`${tool}\n`);
    expect(first).toContain(expected);
    expect(others).toEqual([]);
  });

  it('X2 entries of lists are looked at in the same way', () => {
    const server =
      'description: S\ntools:\n  - { item: t, when: { REGIO: eu } }\n  - { tag: x, when: { REGION: uk } }\n';
    expect(found('tags: [x]\n', server)).toEqual([
      'link/unknown-condition mcp/servers/s.yaml:3:24 "REGIO" is not a key of `config` in toolwright.yaml (did you mean "REGION"?)',
      'link/impossible-condition mcp/servers/s.yaml:4:31 REGION can never be "uk": its values must be one of eu, us (write a value that the key can have)',
    ]);
    expect(found('', 'description: S\ntools: [{ item: t }]\n')).toEqual([
      expect.stringContaining('validate/missing-key'),
    ]);
    expect(found('', 'description: S\ntools: [{ item: x, when: { REGION: eu } }]\n')).toEqual([
      expect.stringContaining('link/unknown-reference'),
    ]);
  });

  it('X2 an item that no configuration can offer is reported', () => {
    const server = (when: string): string => `description: S\ntools: [{ item: t, when: { REGION: ${when} } }]\n`;
    expect(found('when: { REGION: eu }\n', server('us'))).toEqual([
      'link/never-offered mcp/tools/t.yaml:2:1 no configuration ever offers the tool "t" (correct one of the conditions)',
    ]);
    expect(found('when: { REGION: eu }\n', server('[us, eu]'))).toEqual([]);
    expect(found('when: { REGION: eu }\n', 'description: S\ntools: []\n')).toEqual([]);
  });

  it('X2 conditions of an item and of all its entries are taken together, and lists can have several values', () => {
    const server = (...whens: readonly string[]): string =>
      `description: S\ntools:\n${whens.map(when => `  - { tag: x, when: ${when} }\n`).join('')}`;
    const never = [expect.stringContaining('link/never-offered')];
    const tool = 'tags: [x]\nwhen: { READ_ONLY: true, REGION: eu }\n';
    expect(found(tool, server('{ REGION: us }', '{ READ_ONLY: false }'))).toEqual(never);
    expect(found(tool, server('{ REGION: us }', '{ READ_ONLY: true }'))).toEqual([]);
    expect(found('tags: [x]\nwhen: { CAPS: pdf }\n', server('{ CAPS: vision }'))).toEqual([]);
    expect(found('tags: [x]\nwhen: { ONE: pdf }\n', server('{ ONE: vision }'))).toEqual(never);
  });

  it('X2 an item that another server offers is fine', () => {
    const files = {
      'toolwright.yaml': pack,
      'mcp/servers/a.yaml': 'description: A\ntools: [{ item: t, when: { REGION: us } }]\n',
      'mcp/servers/b.yaml': 'description: B\ntools: [t]\n',
      'mcp/tools/t.yaml': 'description: T\nwhen: { REGION: eu }\n',
    };
    expect(loadFiles(files).diagnostics).toEqual([]);
  });

  it('X2 a wrong condition of an inline definition gets one diagnostic', () => {
    const server = 'description: S\ntools: [{ name: i, description: I, when: { NOPE: 1 } }]\n';
    expect(found('', server)).toEqual([expect.stringContaining('link/unknown-condition mcp/servers/s.yaml:2:44')]);
  });

  it('X2 an item listed twice under conditions is served if either holds, and twice without one is a mistake', () => {
    const server = 'description: S\ntools: [{ item: t, when: { REGION: eu } }, { item: t, when: { REGION: us } }]\n';
    expect(found('', server)).toEqual([]);
    expect(found('', 'description: S\ntools: [t, { item: t, when: { REGION: eu } }]\n')).toEqual([
      expect.stringContaining('link/duplicate-reference'),
    ]);
  });
});

describe('forms of one item', () => {
  const named = (first: string, second: string, server = 'description: S\n') => {
    const { servers, diagnostics } = loadFiles({
      'toolwright.yaml': 'config:\n  ON: boolean\n  REGION: string\n',
      'mcp/servers/s.yaml': server,
      'mcp/tools/a.yaml': `name: get\ndescription: A\ntags: [a]\n${first}`,
      'mcp/tools/b.yaml': `name: get\ndescription: B\ntags: [b]\n${second}`,
    });
    return [servers[0]?.tools.map(one => one.from === 'own' && one.name), diagnostics.map(({ code }) => code)];
  };
  const shared = [['get', 'get'], []];
  const numbered = [['get1', 'get2'], ['link/wire-name-collision']];

  it('X2 two items that are never offered together may have one name', () => {
    expect(named('when: { ON: true }\n', 'when: { ON: false }\n')).toEqual(shared);
    expect(named('when: { REGION: [eu, us] }\n', 'when: { REGION: asia, ON: true }\n')).toEqual(shared);
  });

  it('X2 entries of a list can keep two items of one name apart', () => {
    const server = (on: string) =>
      `description: S\ntools: [{ tag: a, when: { ON: true } }, { tag: b, when: { ON: ${on} } }]\n`;
    expect(named('', '', server('false'))).toEqual(shared);
    expect(named('', '', server('true'))).toEqual(numbered);
    expect(named('when: { REGION: eu }\n', 'when: { REGION: us }\n', server('true'))).toEqual(shared);
  });

  it('X2 items of one name that some configuration offers together are numbered', () => {
    expect(named('when: { ON: true }\n', '')).toEqual(numbered);
    expect(named('when: { ON: true }\n', 'when: { REGION: eu }\n')).toEqual(numbered);
    expect(named('when: { REGION: [eu, us] }\n', 'when: { REGION: [us, asia] }\n')).toEqual(numbered);
  });

  it('X2 two resources that are never offered together may have one address', () => {
    const found = (on: string) =>
      loadFiles({
        'toolwright.yaml': 'config:\n  ON: boolean\n',
        'mcp/servers/s.yaml': 'description: S\n',
        'mcp/resources/a.yaml': 'uri: doc://a\ndescription: A\ntext: A\nwhen: { ON: true }\n',
        'mcp/resources/b.yaml': `uri: doc://a\ndescription: B\ntext: B\nwhen: { ON: ${on} }\n`,
      }).diagnostics.map(({ code }) => code);
    expect(found('false')).toEqual([]);
    expect(found('true')).toEqual(['link/duplicate-uri']);
  });
});
