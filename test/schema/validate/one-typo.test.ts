// W5: one slip of the pen is one diagnostic, and what hangs on the key that was meant is judged as if it stood there.
import { describe, expect, it } from 'vitest';
import { check, checkPlaces, loadFiles, tool } from '../../harness/pack.js';

const exampled =
  'errors: {GONE: {message: It is gone}}\nexamples:\n  - {input: {id: 1}, output: {ok: true}}\n  - {input: {id: 2}, error: GONE}\n';
const right = `description: d\nparameters: {id: integer}\noutput: {ok: boolean}\n${exampled}`;

describe('W5 misspelt keys', () => {
  it.each([
    ['parameters', 'paramters'],
    ['parameters', 'params'],
    ['parameters', 'Parameters'],
    ['output', 'outptu'],
    ['errors', 'erors'],
    ['examples', 'exampels'],
  ])('a misspelt key of a tool is the only mistake: %s written %s', async (key, typo) => {
    expect(await check(tool(right))).toEqual([]);
    const found = await check(tool(right.replace(`${key}:`, `${typo}:`)));
    expect(found.map(({ code, hint }) => [code, hint])).toEqual([['validate/unknown-key', `did you mean "${key}"?`]]);
  });

  it('a misspelt key of a prompt is the only mistake, because text and examples still know the arguments', async () => {
    const files = {
      'toolwright.yaml': '',
      'mcp/prompts/p.yaml':
        'description: d\nargumnets: {a: {required: true}}\ntext: "{{a}} {{#if a}}x{{/if}}"\nexamples: [{input: {a: x}}]\n',
    };
    expect(await checkPlaces(files)).toEqual(['validate/unknown-key mcp/prompts/p.yaml:2:1']);
  });

  it.each([
    ['uritemplate', 'a://{b}'],
    ['uri_template', 'a://{b}'],
    ['url', 'a://b'],
    ['uir', 'a://b'],
  ])('a misspelt key of a resource is the only mistake: %s', async (key, uri) => {
    const files = { 'toolwright.yaml': '', 'mcp/resources/r.yaml': `description: d\n${key}: "${uri}"\ntext: x\n` };
    expect(await checkPlaces(files)).toEqual(['validate/unknown-key mcp/resources/r.yaml:2:1']);
  });

  it('a misspelt key of toolwright.yaml is reported once, and tools may require its configuration', async () => {
    const files = {
      'toolwright.yaml': 'confg: {KEY: {type: string}}\n',
      'mcp/tools.yaml':
        'a: {description: d, requires: {KEY: required}}\nb: {description: d, requires: {KYE: required}}\n',
    };
    expect(await checkPlaces(files)).toEqual([
      'link/unknown-requirement mcp/tools.yaml:2:32',
      'validate/unknown-key toolwright.yaml:1:1',
    ]);
  });
});

describe('W5 values under misspelt keys', () => {
  it('what is under a misspelt key is checked all the same, at its own position', async () => {
    const files = tool(
      'description: d\nparamters:\n  unit: {type: string, enum: [a, b], default: c}\nexamples: [{input: {unti: a}}]\n',
    );
    expect(await checkPlaces(files)).toEqual([
      'validate/unknown-key mcp/tools/t.yaml:2:1',
      'schema/invalid-default mcp/tools/t.yaml:3:47',
    ]);
  });

  it('what is under a misspelt key is left alone if the other key could not have it', async () => {
    const files = tool('description: d\ninputs: {a: string}\n');
    expect(await checkPlaces(files)).toEqual(['validate/unknown-key mcp/tools/t.yaml:2:1']);
  });

  it('a misspelt key is not taken for a key that also exists', async () => {
    const files = tool(
      'description: d\nparameters: {a: string}\nparamters: {b: string}\nexamples: [{input: {b: x}}]\n',
    );
    expect(await checkPlaces(files)).toContain('example/input mcp/tools/t.yaml:4:21');
  });

  it('an item with a misspelt key is not served, because the mistake has to be fixed', () => {
    const { program, catalog } = loadFiles(tool('description: d\nparamters: {id: integer}\n'));
    expect(program?.tools).toEqual([]);
    expect(catalog.tool[0]?.winner?.definition).toHaveProperty('paramters');
  });
});

it('W5 an example with a misspelt argument is one mistake, not a missing and an unknown one', async () => {
  const found = await check(
    tool('description: d\nparameters: {city: string, day: string}\nexamples: [{input: {ctiy: x}}]\n'),
  );
  expect(found.map(({ code, column, message, hint }) => [code, column, message.split(': ')[1], hint])).toEqual([
    ['example/input', 13, 'it needs the property "day"', expect.any(String)],
    ['example/input', 21, 'it has the unknown property "ctiy"', 'did you mean "city"?'],
  ]);
});

describe('W25 parameters in the form of another framework', () => {
  const first = async (definition: string): Promise<readonly unknown[]> => {
    const found = await check(tool(`description: d\n${definition}\n`));
    return found.map(({ code, line, column, message, hint }) => [`${code} ${line}:${column}`, message, hint]);
  };
  const whole = 'parameters is a map from names to types, but this is a whole JSON Schema';

  it.each([
    'parameters: {type: object, properties: {id: {type: string}}, required: [id]}',
    'parameters: {type: object, properties: {city: {type: string}}}',
    'parameters: {type: object, properties: {}}',
    'parameters: {type: object, properties: {id: {type: string}}, additionalProperties: false}',
    'parameters: {$schema: "https://json-schema.org/draft/2020-12/schema", type: object, properties: {a: {}}}',
  ])('a whole schema under parameters is one mistake with a hint: %s', async definition => {
    expect(await first(definition)).toEqual([
      ['validate/whole-schema 2:1', whole, 'write inputSchema, or list what is under properties'],
    ]);
  });

  it('a whole schema under output is one mistake with a hint', async () => {
    expect(await first('output: {type: object, properties: {id: {type: string}}, required: [id]}')).toEqual([
      ['validate/whole-schema 2:1', expect.stringMatching(/^output is/), expect.stringMatching(/^write outputSchema/)],
    ]);
  });

  it('X1 a reference to a whole schema under parameters or output is one mistake with a hint', async () => {
    expect(await first('parameters: { $ref: schema:x }')).toEqual([
      ['validate/whole-schema 2:1', whole, 'write inputSchema: { $ref: schema:x }'],
      ['schema/unknown-shared 2:21', expect.any(String), expect.any(String)],
    ]);
    const [, , hint] = (await first('output: { $ref: "#/$defs/a", $defs: { a: { type: object } } }'))[0] as string[];
    expect(hint).toBe('write outputSchema: { $ref: "#/$defs/a" }');
  });

  it('parameters may be called type and properties', async () => {
    expect(await first('parameters: {type: object, properties: object}')).toEqual([]);
    expect(await first('parameters: {type: string, properties: {type: object, properties: {a: string}}}')).toEqual([]);
  });

  it.each([
    ['parameters: [{name: id, type: string}]', 'write a map: { id: { type: string } }'],
    ['parameters: [id, limit]', 'write a map: { id: string, limit: string }'],
    ['parameters: {ids: [string]}', 'write { type: array, items: string }'],
    ['parameters: {unit: [celsius, fahrenheit]}', 'write { type: string, enum: [celsius, fahrenheit] }'],
    ['requires: [KEY]', 'write a map: { KEY: required }'],
    ['errors: [GONE]', 'write a map: { GONE: { message: ... } }'],
    ['effect: read\nlimits: 5', 'write a map, one "key: value" per line'],
  ])('parameters in the form of another framework get a hint: %s', async (definition, hint) => {
    const found = await first(definition);
    expect(found.map(one => (one as string[])[2])).toEqual([hint]);
  });

  it('W75 arguments of a prompt as a list are one mistake, too', async () => {
    const found = await check({
      'toolwright.yaml': '',
      'mcp/prompts/p.yaml': 'description: d\narguments: [a, b]\ntext: "{{a}} {{b}}"\n',
    });
    expect(found.map(({ code, hint }) => [code, hint])).toEqual([
      ['validate/type', 'write a map: { a: { required: true }, b: { required: true } }'],
    ]);
  });
});

describe('P3 {{tool:x}} without quotes inside brackets', () => {
  it.each([
    ['a: { b: Call {{tool:x}} first. }', 9, 'Call {{tool:x}} first.'],
    ['a: { b: Use {{tool:x}}, c: 1 }', 9, 'Use {{tool:x}}'],
    ['a: [Use {{tool:x}} now, c]', 5, 'Use {{tool:x}} now'],
    ['a: { b: see [1] there, c: 2 }', 9, 'see [1] there'],
  ])('{{tool:x}} without quotes inside brackets is one mistake with a hint: %s', async (line, column, text) => {
    const found = await check(tool(`description: d\n${line}\n`));
    expect(found.map(({ code, message, hint, ...at }) => [code, at.line, at.column, message, hint])).toEqual([
      [
        'parse/yaml',
        2,
        column,
        expect.stringMatching(/^inside \{ \} and \[ \], text with [{[] needs quotes$/),
        `write "${text}"`,
      ],
    ]);
  });
});

it.each([
  ['{"workspaces": ["packages/*"]}', /^toolwright list shows the packs in the workspaces/],
  ['{"name": "x"}', /^toolwright init starts a pack here/],
])('W72 a folder without a pack gets a hint by its package.json: %s', async (text, hint) => {
  const [found] = await check({ 'package.json': text });
  expect(found).toMatchObject({ code: 'discover/no-manifest', hint: expect.stringMatching(hint) });
});
