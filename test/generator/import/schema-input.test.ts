// Schemas of what is sent: what is shared, what is left out, and what can be parameters.
import { describe, expect, it } from 'vitest';
import { makeSchemaBook } from '../../../generator/import/openapi/schemas.js';
import { filesOf, read } from './read-harness.js';
import { openBook, refTo } from './schema-kit.js';

const long = 'x'.repeat(300);
/** An object that is large enough to have a file of its own. */
const large = (more: object = {}) => ({
  type: 'object',
  properties: { a: { type: 'string', description: long }, b: { type: 'string', description: long }, ...more },
});

describe('definitions inside a schema', () => {
  it('I1: they may refer to each other, as if the schema were a document', () => {
    const { sent, book } = openBook(
      {
        Order: {
          $defs: {
            Line: { type: 'object', properties: { price: { $ref: '#/$defs/Price' } } },
            Price: { type: 'object', properties: { amount: { type: 'number' } } },
          },
          type: 'object',
          properties: { lines: { type: 'array', items: { $ref: '#/$defs/Line' } } },
        },
      },
      '3.1.0',
    );
    const price = { type: 'object', properties: { amount: { type: 'number' } } };
    const line = { type: 'object', properties: { price } };
    expect(sent(refTo('Order'))).toEqual({ type: 'object', properties: { lines: { type: 'array', items: line } } });
    expect(book.diagnostics()).toEqual([]);
  });
});

describe('members that services set themselves', () => {
  it('I1: they are not required where another part of the object requires them', () => {
    const { sent, shared } = openBook({
      Node: {
        type: 'object',
        properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' }, next: refTo('Node') },
      },
    });
    const node = { allOf: [refTo('Node'), { type: 'object', required: ['id', 'name'] }] };
    expect(sent({ type: 'object', properties: { node } })).toEqual({
      type: 'object',
      properties: { node: { allOf: [{ $ref: 'schema:node-input' }, { type: 'object', required: ['name'] }] } },
    });
    const choice = {
      allOf: [refTo('Node'), { oneOf: [{ required: ['name'] }, { required: ['next'] }] }],
      required: ['id'],
    };
    expect(sent(choice)).not.toHaveProperty('required');
    expect(shared()['node-input']).not.toHaveProperty('properties.id');
  });
});

describe('components of what is sent', () => {
  it('I1: a large one is shared, a small one stands where it is used', () => {
    const { sent, shared } = openBook({
      Large: large(),
      Small: { type: 'object', properties: { a: { type: 'string' } } },
    });
    expect(sent({ type: 'object', properties: { one: refTo('Large'), two: refTo('Small') } })).toEqual({
      type: 'object',
      properties: {
        one: { $ref: 'schema:large-input' },
        two: { type: 'object', properties: { a: { type: 'string' } } },
      },
    });
    expect(shared()).toEqual({ 'large-input': large() });
  });

  it('I1: a small one that holds a large one stays small', () => {
    const { sent, shared } = openBook({ Large: large(), Page: { type: 'array', items: refTo('Large') } });
    expect(sent(refTo('Page'))).toEqual({ type: 'array', items: { $ref: 'schema:large-input' } });
    expect(Object.keys(shared())).toEqual(['large-input']);
  });

  it('I1: a list of values stands where it is used unless it is long', () => {
    const { sent } = openBook({
      Currency: { type: 'string', enum: Array.from({ length: 100 }, (_, index) => `C${index}`) },
      Zone: { type: 'string', enum: Array.from({ length: 400 }, (_, index) => `Zone/${index}`) },
    });
    expect(sent(refTo('Currency'))).toMatchObject({ type: 'string' });
    expect(sent(refTo('Zone'))).toEqual({ $ref: 'schema:zone-input' });
  });

  it('I1: one that refers to itself is shared, however small', () => {
    const node = { type: 'object', properties: { next: refTo('Node') } };
    const { sent, shared } = openBook({
      Node: node,
      Odd: { type: 'array', items: refTo('Even') },
      Even: { type: 'array', items: refTo('Odd') },
    });
    expect(sent({ type: 'array', items: refTo('Node') })).toEqual({
      type: 'array',
      items: { $ref: 'schema:node-input' },
    });
    expect(sent(refTo('Odd'))).toEqual({ $ref: 'schema:odd-input' });
    expect(shared()).toEqual({
      'even-input': { type: 'array', items: { $ref: 'schema:odd-input' } },
      'node-input': { type: 'object', properties: { next: { $ref: 'schema:node-input' } } },
      'odd-input': { type: 'array', items: { $ref: 'schema:even-input' } },
    });
  });

  it('I1: what else is asked about does not decide what is shared', () => {
    const components = {
      Large: large(),
      Small: { type: 'object', properties: { large: refTo('Large'), n: { type: 'integer' } } },
    };
    const alone = openBook(components);
    const first = alone.sent(refTo('Small'));
    const many = openBook(components);
    for (let times = 0; times < 5; times += 1) many.sent({ type: 'array', items: refTo('Small') });
    many.sent(refTo('Large'));
    expect(many.sent(refTo('Small'))).toEqual(first);
  });

  it('I1: words beside a reference stay there', () => {
    const { sent } = openBook({ Large: large() });
    expect(sent({ description: 'Mine', allOf: [refTo('Large')] })).toEqual({
      $ref: 'schema:large-input',
      description: 'Mine',
    });
    expect(sent({ ...refTo('Large'), nullable: true })).toEqual({
      anyOf: [{ $ref: 'schema:large-input' }, { type: 'null' }],
    });
  });

  it('I1: a component that is a pair of read-only and write-only members has two forms', () => {
    const { book, sent, returned } = openBook({
      User: large({
        id: { type: 'string', readOnly: true },
        password: { type: 'string', writeOnly: true },
        made: { ...refTo('Stamp') },
      }),
      Stamp: { type: 'string', readOnly: true },
    });
    sent(refTo('User'));
    returned(refTo('User'));
    const names = book
      .shared()
      .map(({ name, form, definition }) => [name, form, Object.keys(definition['properties'] as object)]);
    expect(names).toEqual([
      ['user', 'output', ['a', 'b', 'id', 'made']],
      ['user-input', 'input', ['a', 'b', 'password']],
    ]);
  });

  it('I1: a read-only member is not required of those who send', () => {
    const { sent } = openBook();
    expect(
      sent({ type: 'object', properties: { id: { type: 'string', readOnly: true }, a: {} }, required: ['id', 'a'] }),
    ).toEqual({ type: 'object', properties: { a: {} }, required: ['a'] });
    expect(sent({ type: 'object', properties: { id: { type: 'string', readOnly: true } }, required: ['id'] })).toEqual({
      type: 'object',
      properties: {},
    });
  });

  it('I1: the size counts what is referred to once', () => {
    const { book, sent } = openBook({ Large: large() });
    const one = sent({ type: 'object', properties: { a: refTo('Large') } });
    const two = sent({ type: 'object', properties: { a: refTo('Large'), b: refTo('Large') } });
    const whole = JSON.stringify(large()).length;
    expect(book.size(one)).toBeGreaterThan(whole);
    expect(book.size(two)).toBeLessThan(whole * 1.2);
  });

  it('I1: only what is used has to be written', () => {
    const { book, sent } = openBook({ Large: large(), Other: large({ large: refTo('Large') }), Unused: large() });
    const used = sent(refTo('Other'));
    sent(refTo('Unused'));
    expect(book.shared([used]).map(({ name }) => name)).toEqual(['large-input', 'other-input']);
  });
});

describe('components of other files', () => {
  const pet = `type: object
properties:
  name: { type: string, description: ${long} }
  owner: { $ref: 'people.yaml#/Person' }
  mother: { $ref: '#' }
`;
  const people = `Person: { type: object, properties: { name: { type: string, description: ${long} }, also: { type: string, description: ${long} } } }`;
  const text = `openapi: 3.0.3
info: { title: Pets, version: '1' }
paths:
  /pets:
    post:
      requestBody: { content: { application/json: { schema: { $ref: schemas/Pet.yaml } } } }
      responses: { '200': { description: Done, content: { application/json: { schema: { $ref: schemas/Pet.yaml } } } } }
`;

  it('I1: they are shared like those of the document, named after where they stand', () => {
    const readOther = filesOf({ 'schemas/Pet.yaml': pet, 'schemas/people.yaml': people });
    const { api } = read(text, { readOther });
    const [operation] = api?.operations ?? [];
    const schema = operation?.body?.contents[0]?.schema;
    if (api === undefined || schema === undefined) throw new Error('the document has a body');
    const book = makeSchemaBook(api);
    expect(book.input(schema)).toEqual({ $ref: 'schema:pet-input' });
    expect(book.definition('pet-input')).toMatchObject({
      properties: { owner: { $ref: 'schema:person-input' }, mother: { $ref: 'schema:pet-input' } },
    });
    expect(book.shared().map(({ name, pointer }) => [name, pointer])).toEqual([
      ['person-input', 'schemas/people.yaml#/Person'],
      ['pet-input', 'schemas/Pet.yaml#'],
    ]);
    expect(book.broken(schema)).toBeUndefined();
  });
});

describe('names of shared schemas', () => {
  it.each([
    ['Issue', 'issue-input', 'issue'],
    ['IssueRequest', 'issue-request', 'issue-request-output'],
    ['issue_input', 'issue-input', 'issue-input-output'],
    ['v1.IssueList', 'v1-issue-list-input', 'v1-issue-list'],
    ['Ünï Cödé', 'uni-code-input', 'uni-code'],
    ['日本', 'schema-input', 'schema'],
    ['con', 'con-input', 'con-item'],
    ['A'.repeat(80), undefined, undefined],
  ])('I1: %s is named after the component', (component, input, output) => {
    const { book, sent, returned } = openBook({ [component]: large({ c: {}, d: {} }) });
    sent(refTo(component));
    returned(refTo(component));
    const names = Object.fromEntries(book.shared().map(({ form, name }) => [form, name]));
    if (input !== undefined) expect(names).toEqual({ input, output });
    for (const name of Object.values(names)) expect(name).toMatch(/^[a-z0-9-]{1,64}$/);
  });

  it('I1: names that differ only in case or signs are numbered in the order of the document', () => {
    const { book, sent } = openBook({ issue: large(), Issue: large(), 'Issue-': large() });
    for (const name of ['Issue-', 'Issue', 'issue']) sent(refTo(name));
    expect(book.shared().map(({ name, pointer }) => [name, pointer])).toEqual([
      ['issue-input', '#/components/schemas/issue'],
      ['issue-input-2', '#/components/schemas/Issue'],
      ['issue-input-3', '#/components/schemas/Issue-'],
    ]);
  });
});

describe('objects as members', () => {
  const components = {
    Base: {
      type: 'object',
      description: 'A base',
      properties: { id: { type: 'string', readOnly: true }, a: { type: 'string' } },
      required: ['a', 'id'],
    },
    Whole: {
      allOf: [refTo('Base'), { properties: { b: { type: 'integer' } }, required: ['b'] }, { description: 'All' }],
    },
    Alias: refTo('Whole'),
    Closed: { type: 'object', additionalProperties: false, properties: { a: {} } },
  };
  const membersOf = (schema: object) => {
    const { book } = openBook(components);
    const found = book.inputMembers({ value: schema, pointer: '#/x-asked' });
    return found && { ...found, members: Object.fromEntries(found.members) };
  };

  it.each([
    ['a plain one', components.Closed, { members: { a: {} }, required: [], others: false, description: undefined }],
    [
      'one of several parts',
      components.Whole,
      {
        members: { a: { type: 'string' }, b: { type: 'integer' } },
        required: ['a', 'b'],
        others: undefined,
        description: 'All',
      },
    ],
    [
      'a chain of references',
      refTo('Alias'),
      {
        members: { a: { type: 'string' }, b: { type: 'integer' } },
        required: ['a', 'b'],
        others: undefined,
        description: 'All',
      },
    ],
    [
      'one with others',
      { type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } },
      { members: { a: {} }, required: [], others: { type: 'string' }, description: undefined },
    ],
    [
      'parts of which one refuses others',
      { allOf: [refTo('Closed'), { properties: { b: {} } }] },
      { members: { a: {}, b: {} }, required: [], others: false, description: undefined },
    ],
  ])('I1: %s has members', (_, schema, expected) => {
    expect(membersOf(schema)).toEqual(expected);
  });

  it.each([
    ['a list', { type: 'array', items: {} }],
    ['what may be something else', { type: ['object', 'string'], properties: { a: {} } }],
    ['alternatives', { anyOf: [refTo('Base'), refTo('Whole')] }],
    ['an object with conditions', { type: 'object', properties: { a: {} }, anyOf: [{ required: ['a'] }] }],
    ['a number of members', { type: 'object', properties: { a: {} }, minProperties: 1 }],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }],
    ['anything', {}],
    ['a part that is no object', { allOf: [refTo('Base'), { type: 'string' }] }],
  ])('I1: %s has no members of its own', (_, schema) => {
    expect(membersOf(schema)).toBeUndefined();
  });

  it('I1: a member of two parts is both', () => {
    const { sent } = openBook();
    const parts = (one: object, other: object) => ({
      allOf: [{ properties: { a: one } }, { properties: { a: other } }],
    });
    expect(sent(parts({ type: 'string' }, { type: 'string', maxLength: 3 }))).toMatchObject({
      properties: { a: { type: 'string', maxLength: 3 } },
    });
    expect(sent(parts({ type: 'string' }, { type: 'integer' }))).toMatchObject({
      properties: { a: { allOf: [{ type: 'string' }, { type: 'integer' }] } },
    });
  });
});
