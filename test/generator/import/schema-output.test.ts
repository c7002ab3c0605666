// Schemas of what is returned: tolerant, small, and one form for each component.
import { describe, expect, it } from 'vitest';
import { openBook, refTo } from './schema-kit.js';

const text = { type: 'string' };
const thing = (more: object = {}) => ({
  type: 'object',
  properties: { id: text, name: text, size: { type: 'integer' }, state: text, ...more },
  required: ['id'],
});
const describedThing = {
  type: 'object',
  properties: {
    id: text,
    name: { type: ['string', 'null'] },
    size: { type: ['integer', 'null'] },
    state: { type: ['string', 'null'] },
  },
  required: ['id'],
};

describe('what is returned', () => {
  it('I1: a new value of a service passes', () => {
    const { returned } = openBook();
    const written = {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: {
        state: { type: 'string', enum: ['open'], description: 'How it is. More of it here.' },
        at: { type: 'string', format: 'date-time', pattern: '^2', maxLength: 3 },
        count: { type: 'integer', minimum: 0, format: 'int32', default: 1, example: 3 },
        list: { type: 'array', items: { type: 'number' }, minItems: 1, uniqueItems: true },
        either: { oneOf: [{ type: 'string', format: 'uuid' }, { type: 'integer' }] },
        any: {},
        secret: { type: 'string', writeOnly: true },
      },
      required: ['state', 'at', 'secret'],
    };
    expect(returned(written)).toEqual({
      type: 'object',
      properties: {
        state: { type: 'string', description: 'How it is.' },
        at: { type: 'string' },
        count: { type: ['integer', 'null'] },
        list: { type: ['array', 'null'], items: { type: 'number' } },
        either: { type: ['string', 'integer', 'null'] },
        any: {},
      },
      required: ['state', 'at'],
    });
  });

  it.each([
    ['anything', {}],
    ['text', { type: 'string' }],
    ['an object of which nothing is known', { type: 'object' }],
    ['a list of which nothing is known', { type: 'array', items: {} }],
    ['a broken reference', { $ref: '#/components/schemas/Nothing' }],
  ])('I1: %s has no schema', (_, written) => {
    expect(openBook().returned(written)).toBeUndefined();
  });

  it('I1: parts are one object, and so are alternatives', () => {
    const { returned } = openBook({ Base: { type: 'object', properties: { id: text }, required: ['id'] } });
    expect(returned({ allOf: [refTo('Base'), { properties: { a: text }, required: ['a'] }] })).toEqual({
      type: 'object',
      properties: { id: text, a: text },
      required: ['id', 'a'],
    });
    const cat = { type: 'object', properties: { kind: text, claws: { type: 'integer' } }, required: ['kind', 'claws'] };
    const dog = { type: 'object', properties: { kind: text, tail: text }, required: ['kind', 'tail'] };
    expect(returned({ oneOf: [cat, dog] })).toEqual({
      type: 'object',
      properties: { kind: text, claws: { type: ['integer', 'null'] }, tail: { type: ['string', 'null'] } },
      required: ['kind'],
    });
  });

  it('I1: of many alternatives what they have in common is described', () => {
    const { returned } = openBook();
    const kinds = Array.from({ length: 8 }, (_, index) => ({
      type: 'object',
      properties: { kind: text, [`m${index}`]: text },
    }));
    expect(returned({ oneOf: kinds })).toEqual({ type: 'object', properties: { kind: { type: ['string', 'null'] } } });
  });

  it('I1: maps keep what their values are', () => {
    const { returned } = openBook();
    expect(returned({ type: 'object', additionalProperties: { type: 'integer', maximum: 3 } })).toEqual({
      type: 'object',
      additionalProperties: { type: ['integer', 'null'] },
    });
  });
});

describe('components of what is returned', () => {
  it('I1: each has one form, and lists of it refer to it', () => {
    const { returned, shared } = openBook({ Thing: thing() });
    expect(returned(refTo('Thing'))).toEqual({ $ref: 'schema:thing' });
    expect(returned({ type: 'array', items: refTo('Thing') })).toEqual({
      type: 'array',
      items: { $ref: 'schema:thing' },
    });
    expect(
      returned({ type: 'object', properties: { data: { type: 'array', items: refTo('Thing') }, next: text } }),
    ).toEqual({
      type: 'object',
      properties: {
        data: { type: ['array', 'null'], items: { $ref: 'schema:thing' } },
        next: { type: ['string', 'null'] },
      },
    });
    expect(returned({ type: 'object', properties: { thing: refTo('Thing') } })).toEqual({
      type: 'object',
      properties: { thing: { anyOf: [{ $ref: 'schema:thing' }, { type: 'null' }] } },
    });
    expect(shared()).toEqual({ thing: describedThing });
  });

  it('I1: a large object describes others shortly instead of referring to them', () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`m${index}`, text]));
    const { returned, shared } = openBook({ Thing: thing(), Order: thing({ ...many, thing: refTo('Thing') }) });
    expect(returned(refTo('Order'))).toEqual({ $ref: 'schema:order' });
    expect(Object.keys(shared())).toEqual(['order']);
    expect(shared()['order']).toMatchObject({ properties: { thing: { ...describedThing, type: ['object', 'null'] } } });
  });

  it('I1: one that holds itself refers to itself', () => {
    const { returned, shared } = openBook({ Folder: thing({ folders: { type: 'array', items: refTo('Folder') } }) });
    expect(returned(refTo('Folder'))).toEqual({ $ref: 'schema:folder' });
    expect(shared()).toMatchObject({ folder: { properties: { folders: { items: { $ref: 'schema:folder' } } } } });
  });

  it('I1: small ones in a circle end', () => {
    const { returned } = openBook({
      A: { type: 'object', properties: { b: refTo('B') } },
      B: { type: 'object', properties: { a: refTo('A') } },
      C: { type: 'array', items: refTo('C') },
      D: { allOf: [refTo('D'), { properties: { d: refTo('E') } }] },
      E: { oneOf: [refTo('D'), refTo('E'), { type: 'string' }] },
    });
    for (const name of ['A', 'B', 'C', 'D', 'E'])
      expect(JSON.stringify(returned(refTo(name)) ?? {}).length).toBeLessThan(5000);
  });

  it('I1: what is asked about before makes no difference', () => {
    const components = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `T${index}`,
        thing({
          next: refTo(`T${(index * 7 + 1) % 30}`),
          all: { type: 'array', items: refTo(`T${(index + 3) % 30}`) },
        }),
      ]),
    );
    const one = openBook(components);
    const other = openBook(components);
    const names = Object.keys(components);
    for (const name of names) one.returned(refTo(name));
    for (const name of names.toReversed()) other.returned(refTo(name));
    expect(other.shared()).toEqual(one.shared());
  });
});

describe('the size of what is returned', () => {
  /** As large APIs have it: objects of 30 members, of which 10 are such objects. */
  const huge = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `Huge${index}`,
      {
        type: 'object',
        description: 'One of many. It has more to say than anybody reads.',
        properties: Object.fromEntries(
          Array.from({ length: 30 }, (_each, member) => [
            member === 29 ? 'id' : `member_${member}`,
            member % 3 === 0
              ? refTo(`Huge${(index + member) % 40}`)
              : { type: 'string', description: `${'Words '.repeat(30)}.` },
          ]),
        ),
        required: ['id'],
      },
    ]),
  );

  it('I1: each form is small, and tells what was cut', () => {
    const { book, returned } = openBook(huge);
    for (const name of Object.keys(huge)) {
      const schema = returned(refTo(name)) ?? {};
      expect(book.size(schema)).toBeLessThan(12_000);
    }
    for (const { definition, cut } of book.shared()) {
      expect(JSON.stringify(definition).length).toBeLessThan(5_500);
      expect(definition).toMatchObject({ description: 'One of many.', properties: { id: { type: 'string' } } });
      expect(cut.length).toBeGreaterThan(0);
    }
  });

  it('I1: of too many members those are kept that say what it is', () => {
    const { book } = openBook();
    const members = Array.from({ length: 300 }, (_, index) => [`member_${index}`, text] as const);
    const schema = {
      type: 'object',
      properties: { ...Object.fromEntries(members), id: text, name: text },
      required: ['member_299'],
    };
    const { schema: made, cut } = book.output({ value: schema, pointer: '#/x-asked' }) ?? { schema: {}, cut: [] };
    const kept = Object.keys(made['properties'] as object);
    expect(kept).toContain('id');
    expect(kept).toContain('name');
    expect(kept).toContain('member_299');
    expect([...kept, ...cut].length).toBe(302);
    expect(made['required']).toEqual(['member_299']);
  });

  it('I1: deep envelopes end', () => {
    const { returned } = openBook({
      Box: { type: 'object', properties: { box: refTo('Box2'), a: text } },
      Box2: { type: 'object', properties: { box: refTo('Box') } },
    });
    expect(JSON.stringify(returned(refTo('Box'))).length).toBeLessThan(5000);
  });
});
