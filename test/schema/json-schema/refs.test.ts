import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../../schema/json-schema/check.js';
import { loadDocumentCompiler } from '../../../schema/json-schema/compile-ajv.js';
import { indexRefs } from '../../../schema/json-schema/refs.js';
import { Steps } from '../../../schema/support.js';
import { makeRandom, type Random } from '../../harness/random.js';
import { draft07, draft2019, draft2020, sourceOf } from './samples.js';

const output = { role: 'output' } as const;

function findings(schema: unknown): string[] {
  return checkSchema(sourceOf(schema, output)).diagnostics.map(one => `${one.code} ${one.file}`);
}

function hints(schema: unknown): (string | undefined)[] {
  return checkSchema(sourceOf(schema, output)).diagnostics.map(one => one.hint);
}

/** The message with which ajv refuses a schema, or undefined. */
async function refusal(schema: unknown): Promise<string | undefined> {
  try {
    const toRegex = (pattern: string): RegExp => new RegExp(pattern, 'u');
    const compileAt = await loadDocumentCompiler(schema, { fill: false, steps: new Steps(1), toRegex });
    compileAt('#', schema as object);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

const text = { type: 'string' };

describe('references', () => {
  const found: Readonly<
    Record<string, { readonly schema: Record<string, unknown>; readonly path: readonly unknown[] }>
  > = {
    'the root': { schema: { properties: { a: { $ref: '#' } } }, path: [] },
    $defs: { schema: { properties: { a: { $ref: '#/$defs/t' } }, $defs: { t: text } }, path: ['$defs', 't'] },
    definitions: {
      schema: { $schema: draft07, properties: { a: { $ref: '#/definitions/t' } }, definitions: { t: text } },
      path: ['definitions', 't'],
    },
    'the items of a sibling': {
      schema: { properties: { a: { $ref: '#/properties/b/items' }, b: { type: 'array', items: text } } },
      path: ['properties', 'b', 'items'],
    },
    'a member of a list': {
      schema: { properties: { a: { $ref: '#/properties/b/anyOf/1' }, b: { anyOf: [{}, text] } } },
      path: ['properties', 'b', 'anyOf', 1],
    },
    'escaped names': {
      schema: { properties: { a: { $ref: '#/$defs/a~1b~0c%25%20d' } }, $defs: { 'a/b~c% d': text } },
      path: ['$defs', 'a/b~c% d'],
    },
    'inherited names': {
      schema: { properties: { a: { $ref: '#/$defs/constructor' } }, $defs: { constructor: text } },
      path: ['$defs', 'constructor'],
    },
    'an unknown keyword': {
      schema: { properties: { a: { $ref: '#/components/t' } }, components: { t: text } },
      path: ['components', 't'],
    },
    'true and false': {
      schema: { properties: { a: { $ref: '#/$defs/t' } }, $defs: { t: true } },
      path: ['$defs', 't'],
    },
    $anchor: { schema: { properties: { a: { $ref: '#t' } }, $defs: { x: { $anchor: 't' } } }, path: ['$defs', 'x'] },
    '$id with a fragment': {
      schema: { $schema: draft07, properties: { a: { $ref: '#t' } }, definitions: { x: { $id: '#t' } } },
      path: ['definitions', 'x'],
    },
    'a relative $id': {
      schema: { properties: { a: { $ref: 'item.json' } }, $defs: { x: { $id: 'item.json' } } },
      path: ['$defs', 'x'],
    },
    'a relative $id under a base': {
      schema: {
        $id: 'https://x.test/dir/base.json',
        properties: { a: { $ref: '/other/item.json#/properties/q' } },
        $defs: { x: { $id: '../other/item.json', properties: { q: text } } },
      },
      path: ['$defs', 'x', 'properties', 'q'],
    },
    'its own absolute $id': {
      schema: {
        $id: 'https://x.test/base',
        properties: { a: { $ref: 'https://x.test/base#/$defs/t' } },
        $defs: { t: text },
      },
      path: ['$defs', 't'],
    },
    'a urn': {
      schema: { $id: 'urn:x:y', properties: { a: { $ref: 'urn:x:y#/$defs/t' } }, $defs: { t: text } },
      path: ['$defs', 't'],
    },
  };

  it.each(Object.entries(found))('J51 a reference leads to %s', async (_name, { schema, path }) => {
    const from = (schema.properties as Record<string, Record<string, unknown>>).a ?? {};
    expect(indexRefs(schema).resolve(String(from.$ref), from)).toMatchObject({ kind: 'found', path });
    expect(findings(schema)).toEqual([]);
    expect(await refusal(schema)).toBeUndefined();
  });

  it('J51 a reference is relative to the embedded schema that contains it', () => {
    const inner = { $ref: '#/$defs/k' };
    const schema = {
      $id: 'https://x.test/a',
      $defs: { e: { $id: 'e', properties: { z: inner }, $defs: { k: text } }, k: { type: 'integer' } },
    };
    expect(indexRefs(schema).resolve('#/$defs/k', inner)).toMatchObject({ path: ['$defs', 'e', '$defs', 'k'] });
    expect(findings(schema)).toEqual([]);
  });

  it('J51 a reference may be dynamic or recursive', () => {
    const tree = { $dynamicAnchor: 'node', type: 'object', properties: { kids: { items: { $dynamicRef: '#node' } } } };
    expect(findings({ $schema: draft2020, ...tree })).toEqual([]);
    expect(findings({ $defs: { tree }, $ref: '#/$defs/tree' })).toEqual([]);
    expect(findings({ $schema: draft2019, $recursiveAnchor: true, items: { $recursiveRef: '#' } })).toEqual([]);
    expect(findings({ items: { $dynamicRef: '#nobody' } })).toEqual(['schema/dangling-ref /items/$dynamicRef']);
  });

  it.each([
    ['#/$defs/x'],
    ['#/properties/a/anyOf/7'],
    ['#/properties/a/title'],
    ['#/properties/a/anyOf'],
    ['#/$defs/%zz'],
    ['#/properties/a/anyOf/00'],
    ['#nobody'],
    ['#/toString'],
  ])('J51 a reference that leads nowhere is an error: %s', $ref => {
    expect(findings({ properties: { a: { title: 'x', anyOf: [{}] }, b: { $ref } } })).toEqual([
      'schema/dangling-ref /properties/b/$ref',
    ]);
  });

  it.each(['https://example.com/x.json', 'other.json#/a', 'Issue', draft07])(
    'J51 a reference that leads out is an error: %s',
    $ref => {
      expect(findings({ properties: { b: { $ref } } })).toEqual(['schema/remote-ref /properties/b/$ref']);
    },
  );

  it('J51 a wrong reference gets a hint with the definition that was meant', () => {
    const $defs = { Issue: text };
    expect(hints({ $defs, items: { $ref: 'Issue' } })).toEqual(['did you mean "#/$defs/Issue"?']);
    expect(hints({ $defs, items: { $ref: '#/definitions/Issue' } })).toEqual(['did you mean "#/$defs/Issue"?']);
    expect(hints({ $defs, items: { $ref: '#/$defs/Isue' } })).toEqual(['did you mean "#/$defs/Issue"?']);
    const shorthand = checkSchema(
      sourceOf({ type: 'object', properties: { a: { $ref: '#/$defs/x' } } }, { style: 'shorthand' }),
    );
    expect(shorthand.diagnostics[0]?.hint).toContain('#/properties/<name>');
  });

  it('J51 references are checked wherever a reference leads, also under unknown keywords', () => {
    const schema = { items: { $ref: '#/components/a' }, components: { a: { items: { $ref: '#/components/b' } } } };
    expect(findings(schema)).toEqual(['schema/dangling-ref /components/a/items/$ref']);
  });

  it('J51 a property called $ref is a property', () => {
    expect(findings({ properties: { $ref: { type: 'string' }, $id: { type: 'string' }, id: text } })).toEqual([]);
  });

  it('J51 a reference to an anchor that ajv does not find gets a hint with the pointer to write', async () => {
    for (const [schema, hint] of [
      [{ $anchor: 'top', properties: { a: { $ref: '#top' } } }, 'write "#" under $ref'],
      [
        { properties: { a: { $ref: '#p' }, t: { prefixItems: [{ $anchor: 'p' }] } } },
        'write "#/properties/t/prefixItems/0" under $ref',
      ],
      [{ properties: { a: { $ref: '#p' }, '%41': { $anchor: 'p' } } }, 'write "#/properties/%2541" under $ref'],
      [
        { properties: { a: { $ref: 'p' }, '%5A': { properties: { b: { $id: 'p' } } } } },
        'write "#/properties/%255A/properties/b" under $ref',
      ],
    ] as const) {
      expect(findings(schema)).toEqual(['schema/keyword /properties/a/$ref']);
      expect(hints(schema)).toEqual([hint]);
      expect(await refusal(schema)).toContain("can't resolve reference");
    }
  });

  it.each([
    ['$id', { a: { $id: 'x' }, b: { $id: 'x' } }, '/$defs/b/$id'],
    ['$anchor', { a: { $anchor: 'x' }, b: { $anchor: 'x' } }, '/$defs/b/$anchor'],
    ['$anchor', { a: { $anchor: 'x y' } }, '/$defs/a/$anchor'],
  ])('J51 ids must have the right form and be unique: %s %j', async (_keyword, $defs, place) => {
    expect(findings({ $defs })).toEqual([`schema/keyword ${place}`]);
    expect(await refusal({ $defs })).toEqual(expect.any(String));
  });
});

describe('cycles of references', () => {
  it.each([
    ['to itself', { properties: { a: { $ref: '#/properties/a' } } }, '/properties/a/$ref'],
    ['the root to itself', { $ref: '#' }, '/$ref'],
    ['a, b, a', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, '/$defs/b/$ref'],
    ['through allOf', { allOf: [{ $ref: '#' }] }, '/allOf/0/$ref'],
    ['through anyOf', { anyOf: [text, { $ref: '#' }] }, '/anyOf/1/$ref'],
    [
      'entered in the middle',
      { properties: { x: { $ref: '#/$defs/a/not' } }, $defs: { a: { not: { $ref: '#/$defs/a' } } } },
      '/$defs/a/not/$ref',
    ],
  ])('J51 a cycle of references is found once: %s', (_name, schema, place) => {
    expect(findings(schema)).toEqual([`schema/ref-cycle ${place}`]);
  });

  it('J51 recursion through properties, items and the like is not a cycle', () => {
    const again = { $ref: '#' };
    expect(findings({ properties: { a: again }, items: again, additionalProperties: again, contains: again })).toEqual(
      [],
    );
  });

  it('J51 a cycle of ten thousand steps does not overflow', () => {
    const last = 10_000;
    const $defs = Object.fromEntries(
      Array.from({ length: last + 1 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at === last ? 0 : at + 1}` }]),
    );
    expect(findings({ $defs })).toEqual([`schema/ref-cycle /$defs/d${last}/$ref`]);
  });
});

describe('references against ajv', () => {
  const names = ['alpha', 'be/ta', 'ga~mma', 'de lta', '%41', 'eps"ilon'] as const;

  function makeSchema(random: Random, isSound: boolean): Record<string, unknown> {
    const dialect = random.pick([draft07, draft2019, draft2020] as const);
    const keyword = dialect === draft07 ? 'definitions' : '$defs';
    const kept = names.filter(() => random.chance(0.7));
    const escaped = (name: string): string =>
      encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('%22', random.pick(['%22', '"']));
    const targets = [
      '#',
      ...kept.map(name => `#/${keyword}/${escaped(name)}`),
      // Below names with a percent escape ajv does not find anchors; a case above says so.
      ...kept.flatMap((name, index) => (name.includes('%') ? [] : [`#anchor${index}`])),
      ...kept.map((_, index) => `res${index}#/properties/in`),
      ...kept.map((_, index) => `https://x.test/res${index}`),
      '#/properties/p0/items',
    ];
    const wrong = [
      '#/nowhere',
      '#/properties/p9',
      '#nobody',
      'away.json',
      `#/${keyword}/none`,
      '#/properties/p0/items/x',
    ];
    const ref = (): object => ({ $ref: random.pick(targets as [string, ...string[]]) });
    const definitions = Object.fromEntries(
      kept.map((name, index) => [
        name,
        dialect === draft07
          ? { type: 'object', properties: { in: { $id: `#anchor${index}`, type: 'string' }, other: ref() } }
          : { type: 'object', $anchor: `anchor${index}`, properties: { in: ref(), other: { items: ref() } } },
      ]),
    );
    const resources = Object.fromEntries(
      kept.map((_, index) => [
        `resource${index}`,
        {
          $id: `res${index}`,
          type: 'object',
          properties: { in: { type: 'integer' }, up: { $ref: '#/properties/in' } },
        },
      ]),
    );
    const properties: Record<string, unknown> = { p0: { type: 'array', items: { type: 'number' } } };
    for (let index = 1; index < 5; index += 1) properties[`p${index}`] = random.chance(0.5) ? ref() : { items: ref() };
    if (!isSound) properties.broken = { $ref: random.pick(wrong as [string, ...string[]]) };
    return {
      $schema: dialect,
      $id: 'https://x.test/root',
      type: 'object',
      properties,
      [keyword]: { ...definitions, ...resources },
    };
  }

  it('J51 a schema that passes is never refused by ajv for a missing reference (1,200 schemas)', async () => {
    const random = makeRandom(20261116);
    for (let round = 0; round < 1200; round += 1) {
      const schema = makeSchema(random, true);
      const wrong = findings(schema).filter(one => !one.startsWith('schema/ref-cycle'));
      expect(wrong, JSON.stringify(schema)).toEqual([]);
      if (round % 4 === 0) expect(await refusal(schema), JSON.stringify(schema)).toBeUndefined();
    }
  });

  it('J51 a dangling reference is refused by us and by ajv (300 schemas)', async () => {
    const random = makeRandom(7);
    for (let round = 0; round < 300; round += 1) {
      const schema = makeSchema(random, false);
      expect(findings(schema), JSON.stringify(schema)).toEqual([
        expect.stringMatching(/^schema\/(?:dangling|remote)-ref \/properties\/broken\/\$ref$/),
      ]);
      if (round % 4 === 0) expect(await refusal(schema), JSON.stringify(schema)).toContain("can't resolve reference");
    }
  });
});
