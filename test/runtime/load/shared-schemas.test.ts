// X1: schemas that definitions share: how they are found, what clients see of them, and what is said about mistakes.
import { describe, expect, it } from 'vitest';
import { memoryFolder } from '../../harness/memory-folder.js';
import { check, checkPlaces, explained, type Files, loadFiles } from '../../harness/pack.js';

const issue = `type: object
properties:
  key: { type: string }
  owner: { $ref: schema:user }
  part: { $ref: '#/$defs/part' }
required: [key]
$defs:
  part: { type: object, properties: { size: { type: integer } } }
`;
const user = 'type: object\nproperties: { name: { type: string } }\n';
const base: Files = {
  'toolwright.yaml': 'name: acme/jira\n',
  'mcp/schemas/issue.yaml': issue,
  'mcp/schemas/user.yaml': user,
};

function withTool(definition: string, more: Files = {}): Files {
  return { ...base, ...more, 'mcp/tools/t.yaml': `description: d\n${definition}` };
}

function toolOf(files: Files) {
  const { program, diagnostics } = loadFiles(files);
  const [tool] = program?.tools ?? [];
  if (tool === undefined) throw new Error(JSON.stringify(diagnostics));
  return tool;
}

describe('shared schemas', () => {
  it('X1 a tool has the schemas that it reaches under $defs, and no others', async () => {
    const files = withTool('parameters:\n  issue: { $ref: schema:issue }\n', {
      'mcp/schemas/unused.yaml': 'type: string\n',
    });
    expect(await checkPlaces(files)).toEqual([]);
    const { inputSchema, sharing } = toolOf(files);
    expect(inputSchema).toEqual({
      type: 'object',
      properties: { issue: { $ref: '#/$defs/issue' } },
      required: ['issue'],
      additionalProperties: false,
      $defs: {
        issue: {
          type: 'object',
          properties: {
            key: { type: 'string' },
            owner: { $ref: '#/$defs/user' },
            part: { $ref: '#/$defs/issue/$defs/part' },
          },
          required: ['key'],
          $defs: { part: { type: 'object', properties: { size: { type: 'integer' } } } },
        },
        user: { type: 'object', properties: { name: { type: 'string' } } },
      },
    });
    expect(sharing).toEqual({ input: { uses: { issue: 'issue', user: 'user' } } });
  });

  it('X1 a name that the author has under $defs is left alone', () => {
    const { inputSchema } = toolOf(
      withTool(
        'inputSchema: { type: object, properties: { a: { $ref: schema:user }, b: { $ref: "#/$defs/user" } }, $defs: { user: { type: string } } }\n',
      ),
    );
    expect(inputSchema['properties']).toEqual({ a: { $ref: '#/$defs/user_2' }, b: { $ref: '#/$defs/user' } });
    expect(inputSchema['$defs']).toEqual({
      user: { type: 'string' },
      user_2: { type: 'object', properties: { name: { type: 'string' } } },
    });
  });

  it('X1 a root that is nothing but a reference becomes the schema itself', () => {
    const { outputSchema, inputSchema, sharing } = toolOf(
      withTool('inputSchema: { $ref: schema:user }\noutputSchema: { $ref: schema:acme/jira/issue }\n'),
    );
    expect(inputSchema).toMatchObject({ type: 'object', properties: { name: { type: 'string' } } });
    expect(outputSchema).toMatchObject({ type: 'object', required: ['key'] });
    expect(sharing?.input?.root).toBe('user');
    expect(sharing?.output?.root).toBe('issue');
  });

  it('X1 schemas may refer to themselves and to each other', async () => {
    const files = withTool('outputSchema: { $ref: schema:tree }\n', {
      'mcp/schemas.yaml': `tree: { type: object, properties: { leaves: { type: array, items: { $ref: schema:leaf } } } }
leaf: { type: object, properties: { tree: { $ref: schema:tree }, next: { $ref: schema:leaf } } }
`,
    });
    expect(await checkPlaces(files)).toEqual([]);
    expect(Object.keys(toolOf(files).outputSchema?.['$defs'] ?? {})).toEqual(['tree', 'leaf']);
  });

  it('X1 a file of its own wins over the combined file, and only declared schemas exist', async () => {
    const files: Files = { ...base, 'mcp/schemas.yaml': 'issue: { type: string }\n' };
    expect(await checkPlaces(files)).toEqual(['resolve/shadowed-entry mcp/schemas.yaml:1:1']);
    expect(explained(files, 'schema:issue')).toMatchObject({
      kind: 'schema',
      winner: { file: 'mcp/schemas/issue.yaml', line: 1 },
    });
    expect(await checkPlaces({ ...base, 'toolwright.yaml': 'schemas: [user, isue]\n' })).toEqual([
      'resolve/missing-definition toolwright.yaml:1:17',
    ]);
  });

  it('X1 an unknown schema is reported with the one that was meant', async () => {
    const [found] = await check(withTool('parameters:\n  a: { $ref: schema:isue }\n'));
    expect(found).toMatchObject({ code: 'schema/unknown-shared', file: 'mcp/tools/t.yaml', line: 3, column: 14 });
    expect(found?.hint).toBe('did you mean "issue"?');
    const [none] = await check({
      'toolwright.yaml': '',
      'mcp/tools/t.yaml': 'description: d\noutput: { a: { $ref: schema:x } }\n',
    });
    expect(none?.code).toBe('schema/unknown-shared');
    const [foreign] = await check(withTool('parameters:\n  a: { $ref: schema:acme/other/issue }\n'));
    expect(foreign?.hint).toBe('the pack "acme/other" is not installed: its package is @acme/other');
  });

  it('X1 mistakes are reported where the schema is written, and tools that refer to it are left out', async () => {
    const files = withTool('parameters:\n  a: { $ref: schema:issue }\n', {
      'mcp/schemas/user.yaml': 'type: object\nproperties: { name: { pattern: "(" } }\n',
    });
    expect(await checkPlaces(files)).toEqual([
      'schema/regex mcp/schemas/user.yaml:2:32',
      'schema/broken-shared mcp/tools/t.yaml:3:14',
    ]);
    expect(loadFiles(files).program?.tools).toEqual([]);
    expect(await checkPlaces({ ...base, 'mcp/schemas/user.yaml': 'type: objekt\n' })).toEqual([
      'validate/value mcp/schemas/user.yaml:1:7',
    ]);
  });

  it('X1 a default that does not fit is reported once, however many tools use the schema', async () => {
    const files = withTool('parameters:\n  a: { $ref: schema:user }\n', {
      'mcp/schemas/user.yaml': 'type: object\nproperties: { name: { type: string, default: 3 } }\n',
      'mcp/tools/u.yaml': 'description: d\nparameters:\n  a: { $ref: schema:user }\n',
    });
    expect(await checkPlaces(files)).toEqual(['schema/invalid-default mcp/schemas/user.yaml:2:46']);
  });

  it('X1 references that never end are reported in each schema', async () => {
    const files: Files = {
      ...base,
      'mcp/schemas.yaml': 'a: { $ref: schema:b }\nb: { $ref: schema:a }\nc: { $ref: schema:c }\n',
    };
    const found = await check(files);
    expect(found.map(({ code, line, message }) => `${code} ${line} ${/"[^"]+"/.exec(message)}`)).toEqual([
      'schema/ref-cycle 1 "schema:b"',
      'schema/ref-cycle 2 "schema:a"',
      'schema/ref-cycle 3 "schema:c"',
    ]);
  });

  it.each([
    ['schema/data-ref', 'parameters: { a: { type: object, default: { $ref: schema:user } } }\n', {}],
    [
      'schema/shared-base',
      'inputSchema: { type: object, properties: { a: { $id: "http://a/b", $ref: schema:user } } }\n',
      {},
    ],
    [
      'schema/shared-dialect',
      'parameters: { a: { $ref: schema:old } }\n',
      { 'mcp/schemas/old.yaml': '$schema: http://json-schema.org/draft-07/schema#\ntype: object\n' },
    ],
    ['schema/keyword', '', { 'mcp/schemas/d.yaml': '$dynamicAnchor: d\nitems: { $dynamicRef: "#d" }\n' }],
  ])('X1 %s has its diagnostic', async (code, definition, more) => {
    const found = await checkPlaces(withTool(definition, more));
    expect(found.map(one => one.split(' ')[0])).toContain(code);
  });

  it('X1 the schema of an editor is not taken for a dialect', async () => {
    const $schema = '$schema: ../../generated/schema/schema.schema.json\n';
    const files = withTool('parameters: { a: { $ref: schema:user } }\n', { 'mcp/schemas/user.yaml': $schema + user });
    expect(await checkPlaces(files)).toEqual([]);
  });

  it('X1 overlays cannot change a schema', async () => {
    const overlay = memoryFolder({ 'schemas/user.yaml': 'description: Other\n' }, '/over');
    const { diagnostics, program } = loadFiles(base, { overlays: [overlay] });
    expect(diagnostics.map(({ code }) => code)).toEqual(['overlay/refused']);
    expect(program?.schemas.find(({ item }) => item === 'user')?.schema).not.toHaveProperty('description');
  });

  it('X1 a file that a tool names too has its mistakes once', async () => {
    const files = withTool('inputSchema: { file: mcp/schemas/in.json }\n', {
      'mcp/schemas/in.json':
        '{"type": "object", "properties": {"a": {"$ref": "#/nowhere"}, "b": {"$ref": "schema:usr"}}}',
    });
    expect(await checkPlaces(files)).toEqual([
      'schema/dangling-ref mcp/schemas/in.json:1:49',
      'schema/unknown-shared mcp/schemas/in.json:1:77',
    ]);
  });
});
