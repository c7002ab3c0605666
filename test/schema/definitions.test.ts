import { describe, expect, it } from 'vitest';
import { check, checkPlaces, loadFiles, tool } from '../harness/pack.js';

const d = 'description: d\n';

describe('tool definitions', () => {
  it('W23 all missing keys of a part are one diagnostic', async () => {
    const [found, ...others] = await check({
      'toolwright.yaml': '',
      'mcp/servers/s.yaml': 'auth: {type: oauth}\ntools: []\n',
    });
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: 'validate/missing-key', line: 1, column: 1 });
    expect(found?.message).toContain('"issuer" and "audience"');
  });

  it('W25 W26 W31 J49 J55 parameters become JSON Schema in order, required unless optional', () => {
    const { program, diagnostics } = loadFiles(
      tool(
        `${d}parameters:\n  z: string\n  a: {type: integer, default: 5}\n  m: {type: array, items: string, required: false}\n`,
      ),
    );
    expect(diagnostics).toEqual([]);
    expect(JSON.stringify(program?.tools[0]?.inputSchema)).toBe(
      '{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer","default":5},' +
        '"m":{"type":"array","items":{"type":"string"}}},"required":["z"],"additionalProperties":false}',
    );
  });

  it('W29 a tool without parameters has the schema of a closed empty object', () => {
    expect(JSON.stringify(loadFiles(tool(d)).program?.tools[0]?.inputSchema)).toBe(
      '{"type":"object","properties":{},"additionalProperties":false}',
    );
  });

  it('output has the same shorthand but is open, and additionalParameters opens the input', () => {
    const { program } = loadFiles(
      tool(`${d}parameters: {a: string}\nadditionalParameters: true\noutput: {b: integer}\n`),
    );
    expect(program?.tools[0]?.inputSchema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
    });
    expect(program?.tools[0]?.outputSchema).toEqual({
      type: 'object',
      properties: { b: { type: 'integer' } },
      required: ['b'],
    });
  });

  it('W28 an invalid regular expression is an error at its position', async () => {
    const found = await checkPlaces(tool(`${d}parameters:\n  a:\n    type: string\n    pattern: '[a-'\n`));
    expect(found).toEqual(['schema/regex mcp/tools/t.yaml:5:14']);
  });

  it('J50 parameters and inputSchema together are an error at the second', async () => {
    const found = await checkPlaces(tool(`${d}parameters: {a: string}\ninputSchema: {type: object}\n`));
    expect(found).toEqual(['validate/conflict mcp/tools/t.yaml:3:1']);
  });

  it('a list under required gets a diagnostic that points to inputSchema', async () => {
    const [found, ...others] = await check(
      tool(`${d}parameters:\n  a:\n    type: object\n    required: [b]\n    properties: {b: string}\n`),
    );
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: 'validate/required-list', line: 5, column: 5 });
  });

  it('a parameter that has no type, is empty, or is required and has a default is reported', async () => {
    const found = await checkPlaces(
      tool(
        `${d}parameters:\n  a: {description: x}\n  b:\n  c: {type: string, required: true, default: x}\n  d: {properties: {e: {minimum: 1}}}\n`,
      ),
    );
    expect(found).toEqual([
      'validate/missing-key mcp/tools/t.yaml:3:3',
      'validate/type mcp/tools/t.yaml:4:3',
      'validate/required-default mcp/tools/t.yaml:5:21',
      'validate/missing-key mcp/tools/t.yaml:6:20',
    ]);
  });

  it('an unknown type, keyword and enum value each get a suggestion', async () => {
    const found = await check(
      tool(`${d}effect: raed\nparameters:\n  a: strng\n  b: {type: integr}\n  c: {type: string, patern: x}\n`),
    );
    expect(found.map(one => [one.code, one.line, one.column, one.hint])).toEqual([
      ['validate/value', 2, 9, 'did you mean "read"?'],
      ['validate/value', 4, 6, 'did you mean "string"?'],
      ['validate/value', 5, 13, 'did you mean "integer"?'],
      ['validate/unknown-key', 6, 21, 'did you mean "pattern"?'],
    ]);
  });

  it('types of other languages get a hint how to write them', async () => {
    const types = { a: 'string[]', b: 'string?', c: 'int', d: 'date' };
    const found = await check(
      tool(
        `${d}parameters:\n${Object.entries(types)
          .map(([name, type]) => `  ${name}: ${type}\n`)
          .join('')}`,
      ),
    );
    expect(found.map(({ hint }) => hint)).toEqual([
      'write { type: array, items: string }',
      'write { type: string, required: false }',
      'write integer',
      'write { type: string, format: date }',
    ]);
    const [short] = await check(tool(`${d}inputSchema: {city: {type: string}}\n`));
    expect(short).toMatchObject({ code: 'schema/root', hint: expect.stringContaining('parameters') });
  });

  it('a raw schema with wrong keyword types, bad references or another root is reported', async () => {
    const raw = (schema: string): Promise<readonly string[]> => checkPlaces(tool(`${d}inputSchema: ${schema}\n`));
    expect(await raw('{type: object, properties: {a: {minimum: low}}}')).toEqual([
      'validate/type mcp/tools/t.yaml:2:55',
    ]);
    expect(await raw("{type: object, properties: {a: {$ref: '#/$defs/b'}}}")).toEqual([
      'schema/dangling-ref mcp/tools/t.yaml:2:52',
    ]);
    expect(await raw("{type: object, properties: {a: {$ref: 'https://x.y/z.json'}}}")).toEqual([
      'schema/remote-ref mcp/tools/t.yaml:2:52',
    ]);
    expect(await raw('{type: array}')).toEqual(['schema/root mcp/tools/t.yaml:2:21']);
  });

  it('one mistake in the form of a raw schema is one diagnostic, even if it has a second meaning', async () => {
    const raw = (schema: string): Promise<readonly string[]> => checkPlaces(tool(`${d}inputSchema: ${schema}\n`));
    expect(await raw('{type: objct}')).toEqual(['validate/value mcp/tools/t.yaml:2:21']);
    expect(await raw('{$schema: 5, type: object}')).toEqual(['validate/type mcp/tools/t.yaml:2:24']);
    expect(await raw('{type: object, properties: {a: {exclusiveMinimum: true}}}')).toEqual([
      'validate/type mcp/tools/t.yaml:2:64',
    ]);
    expect(await raw('{type: object, properties: {a: true}, required: [a, a]}')).toEqual([
      'validate/limit mcp/tools/t.yaml:2:62',
    ]);
    expect(await raw('{type: object, properties: {}, additionalProperties: false, required: [x]}')).toEqual([
      'schema/unknown-required mcp/tools/t.yaml:2:85',
    ]);
  });

  it('mistakes that real servers get away with are warnings in a raw schema and errors in the shorthand', async () => {
    const raw = await check(
      tool(`${d}inputSchema:\n  type: object\n  properties: {a: {type: integer, default: x}}\n  required: [b]\n`),
    );
    expect(raw.map(one => [one.code, one.severity, one.line])).toEqual([
      ['schema/invalid-default', 'warning', 4],
      ['schema/unknown-required', 'warning', 5],
    ]);
    const short = await check(tool(`${d}parameters:\n  a: {type: integer, default: x}\n`));
    expect(short.map(one => [one.code, one.severity, one.line])).toEqual([['schema/invalid-default', 'error', 3]]);
  });

  it('P3 a default written yes for a boolean gets a hint to write true', async () => {
    const [found] = await check(tool(`${d}parameters:\n  a: {type: boolean, default: yes}\n`));
    expect(found).toMatchObject({ code: 'schema/invalid-default', severity: 'error' });
    expect(found?.hint).toContain('true');
  });

  it('J51 other dialects get one note per pack and validate by their own rules', async () => {
    const draft7 =
      'inputSchema:\n  $schema: http://json-schema.org/draft-07/schema#\n  type: object\n  properties: {a: {type: array, items: [{type: string}]}}\n';
    const found = await check({
      'toolwright.yaml': '',
      'mcp/tools/a.yaml': d + draft7,
      'mcp/tools/b.yaml': d + draft7,
    });
    expect(found.map(one => [one.code, one.severity, one.file, one.line])).toEqual([
      ['schema/dialect', 'info', 'mcp/tools/a.yaml', 3],
    ]);
  });

  it('mistakes in an inputSchema from a file are shown in that file', async () => {
    const files = {
      ...tool(`${d}inputSchema: {file: schemas/in.json}\n`),
      'schemas/in.json': '{\n  "type": "object",\n  "properties": {"a": {"$ref": "#/nowhere"}}\n}\n',
    };
    expect(await checkPlaces(files)).toEqual(['schema/dangling-ref schemas/in.json:3:32']);
    expect(await checkPlaces(tool(`${d}inputSchema: {file: schemas/no.json}\n`))).toEqual([
      'read/not-found mcp/tools/t.yaml:2:21',
    ]);
    expect(await checkPlaces(tool(`${d}inputSchema: {file: ../in.json}\n`))).toEqual([
      'resolve/path-escape mcp/tools/t.yaml:2:21',
    ]);
  });

  it('an inputSchema from a file must have the form of a JSON Schema, too', async () => {
    const files = { ...tool(`${d}inputSchema: {file: in.json}\n`), 'in.json': '{"type": "object", "properties": []}' };
    expect(await checkPlaces(files)).toEqual(['validate/type in.json:1:34']);
  });

  it('P1 a description may come from Markdown, and its mentions are checked there', async () => {
    const files = {
      ...tool('description: {file: docs/t.md}\n'),
      'docs/t.md': '# T\n\nUse {{tool:t}} or {{tool:u}}.\n',
    };
    expect(loadFiles(files).program?.tools).toEqual([]);
    expect(await checkPlaces(files)).toEqual(['link/unknown-tool docs/t.md:3:19']);
    const beside = { ...tool('description: {file: t.md}\n'), 'mcp/tools/t.md': 'Beside' };
    expect((await check(beside))[0]).toMatchObject({
      code: 'read/not-found',
      hint: 'paths start at the pack: write "mcp/tools/t.md"',
    });
  });

  it('M28 W70 tools named in guidelines and suggested fixes are cross-checked', async () => {
    const found = await checkPlaces(
      tool(
        `${d}guidelines:\n  avoidIf: ['use {{tool:x}} instead']\nerrors:\n  NOT_FOUND:\n    message: none\n    suggestedFix: |\n      First call\n      {{tool:y}} twice, {{tool:t}}\n`,
      ),
    );
    expect(found).toEqual(['link/unknown-tool mcp/tools/t.yaml:3:18', 'link/unknown-tool mcp/tools/t.yaml:9:7']);
  });

  it('M28 a tag of another word than tool stays as it is and gets a note', async () => {
    const found = await check({
      'toolwright.yaml': '',
      'mcp/tools/t.yaml':
        "description: 'See {{tol:t}}, {{ prompt:nope }}, {{x}}, {{tool:t}}, \\{{tools:t}} and {{ a: {b: c} }}'\n" +
        'guidelines: {whenToUse: "After {{Tool:t}} and {{tool : t}}"}\n' +
        'errors: {NONE: {message: None, suggestedFix: "Call {{tools:t}}"}}\n',
      'mcp/servers/s.yaml': 'instructions: [Hello, "{{tol:t}} {{tol:t}}"]\ndescription: {file: a.md}\n',
      'a.md': 'Text\n\n{{resource:x}}\n',
      'mcp/prompts/p.yaml': 'description: D\ntext: "{{tol:t}}"\n',
    });
    const shown = found.map(({ code, severity, file, line, column, hint }) =>
      [severity, code, `${file}:${line}:${column}`, hint].join(' '),
    );
    const near = 'did you mean {{tool:t}}?';
    const far = 'write {{tool:X}} for a tool, and the plain name of anything else';
    expect(shown).toEqual([
      `info link/unknown-tag a.md:3:1 ${far}`,
      'error template/unknown-argument mcp/prompts/p.yaml:2:8 the prompt declares no arguments',
      `warning link/unknown-tag mcp/servers/s.yaml:1:24 ${near}`,
      `warning link/unknown-tag mcp/servers/s.yaml:1:34 ${near}`,
      `warning link/unknown-tag mcp/tools/t.yaml:1:19 ${near}`,
      `info link/unknown-tag mcp/tools/t.yaml:1:30 ${far}`,
      `warning link/unknown-tag mcp/tools/t.yaml:2:32 ${near}`,
      `warning link/unknown-tag mcp/tools/t.yaml:2:47 ${near}`,
      `error template/unknown-name mcp/tools/t.yaml:3:52 ${near}`,
    ]);
    expect(found[0]?.message).toContain('"{{resource:x}}" reaches clients as it is');
  });

  it('requires may name config keys and capabilities', async () => {
    const files = {
      'toolwright.yaml': 'config: {TOKEN: {type: string}}\n',
      'mcp/tools/t.yaml': `${d}requires: {TOKEN: required, sampling: suggested, TOKN: required}\n`,
    };
    expect((await check(files)).map(one => [one.code, one.column, one.hint])).toEqual([
      ['link/deprecated-capability', 29, expect.stringMatching(/^no action is needed yet\./)],
      ['link/unknown-requirement', 50, 'did you mean "TOKEN"?'],
    ]);
  });

  it('handlers never leave the pack', async () => {
    const found = await checkPlaces(tool(`${d}handler: ../x.ts#run\ninitialize: {handler: /etc/x.ts}\n`));
    expect(found).toEqual(['resolve/path-escape mcp/tools/t.yaml:2:10', 'resolve/path-escape mcp/tools/t.yaml:3:23']);
    const { program } = loadFiles(tool(`${d}handler: ./src//a.ts#run\n`));
    expect(program?.tools[0]?.handler).toEqual({ path: 'src/a.ts', export: 'run' });
    expect(loadFiles(tool(d)).program?.tools[0]?.handler).toEqual({ path: 'src/tools/t.ts', export: 'default' });
  });

  it('input, output and error of an example are checked against the tool', async () => {
    const definition = `${d}parameters: {a: integer}\noutput: {b: string}\nerrors: {GONE: {message: gone}}\nexamples:
  - {name: fine, input: {a: 1}, output: {b: x}}
  - {name: input, input: {a: one}}
  - {name: output, input: {a: 1}, output: {b: 2}}
  - {name: error, input: {a: 1}, error: GON}
  - {name: refused, input: {}, error: BAD_ARGUMENTS}
`;
    const found = await check(tool(definition));
    expect(found.map(one => [one.code, one.line])).toEqual([
      ['example/input', 7],
      ['example/output', 8],
      ['example/error', 9],
    ]);
  });

  it('a long wire name, a missing description and an unknown annotation are warnings', async () => {
    const found = await check(tool(`name: ${'x'.repeat(65)}\nannotations: {readonlyHint: true}\n`));
    expect(found.map(one => [one.code, one.severity])).toEqual([
      ['link/no-description', 'warning'],
      ['link/long-name', 'warning'],
      ['link/unknown-annotation', 'warning'],
    ]);
  });

  it('C11 a header is allowed only on simple types and once per tool', async () => {
    const found = await check(
      tool(
        `${d}parameters:\n  a: {type: string, header: Region}\n  b: {type: number, header: Level}\n  c: {type: string, header: region}\n`,
      ),
    );
    expect(found.map(one => [one.code, one.line])).toEqual([
      ['schema/header', 4],
      ['schema/header', 5],
    ]);
    const { program } = loadFiles(tool(`${d}parameters:\n  a: {type: string, header: Region}\n`));
    expect(program?.tools[0]?.inputSchema['properties']).toEqual({ a: { type: 'string', 'x-mcp-header': 'Region' } });
  });
});

describe('prompt definitions', () => {
  const prompt = (text: string) => ({ 'toolwright.yaml': '', 'mcp/prompts/p.yaml': text });

  it('W73 the type of a prompt is inferred, and stating another one is an error', async () => {
    expect(loadFiles(prompt(`${d}text: hi\n`)).program?.prompts[0]?.type).toBe('text');
    expect(loadFiles(prompt(d)).program?.prompts[0]).toMatchObject({
      type: 'handler',
      handler: { path: 'src/prompts/p.ts' },
    });
    expect(await checkPlaces(prompt(`${d}type: messages\ntext: hi\n`))).toEqual([
      'link/prompt-type mcp/prompts/p.yaml:2:7',
    ]);
    expect(await checkPlaces(prompt(`${d}text: hi\nhandler: src/x.ts\n`))).toEqual([
      'validate/conflict mcp/prompts/p.yaml:3:1',
    ]);
  });

  it('W74 a name that is not an argument is an error at its position, in every form of text', async () => {
    const found = await check(
      prompt(`${d}arguments: {topic: What it is about}\ntext: |\n  About {{topic}} and\n  {{tpoic}}.\n`),
    );
    expect(found.map(one => [one.code, one.line, one.column, one.hint])).toEqual([
      ['template/unknown-argument', 5, 3, 'did you mean "topic"?'],
    ]);
    const messages = `${d}messages:\n  - {role: user, text: "a {{b}}"}\n  - {role: user, resource: {uri: "x:{{c}}", text: t}}\n`;
    expect(await checkPlaces(prompt(messages))).toEqual([
      'template/unknown-argument mcp/prompts/p.yaml:3:27',
      'template/unknown-argument mcp/prompts/p.yaml:4:37',
    ]);
  });

  it('fix-F2 W74 {{#each}} over an argument that is not a list is an error', async () => {
    const found = await check(
      prompt(
        `${d}arguments: {a: , b: {type: string}, c: {type: list}}\ntext: |\n  {{#each c}}{{#each ../a}}{{/each}}{{/each}}\n  {{#each b}}{{/each}}\n`,
      ),
    );
    expect(found.map(one => [one.code, one.severity, one.line, one.column])).toEqual([
      ['template/not-a-list', 'error', 4, 14],
      ['template/not-a-list', 'error', 5, 3],
    ]);
    expect(found[0]?.hint).toContain('a: { type: list }');
    const inMessages = `${d}arguments: {a: A}\nmessages: [{role: user, text: "{{#each a}}x{{/each}}"}]\n`;
    expect(await checkPlaces(prompt(inMessages))).toEqual(['template/not-a-list mcp/prompts/p.yaml:3:32']);
    // What is inside of a list may be anything.
    const inside = `${d}arguments: {a: {type: list}}\ntext: "{{#each a}}{{#each this}}{{#each tags}}{{/each}}{{/each}}{{/each}}"\n`;
    expect(await check(prompt(inside))).toEqual([]);
  });

  it.each([
    ['{type: lists}', 'validate/value', 23, 'did you mean "list"?'],
    ['{type: 5}', 'validate/value', 23, 'use one of them'],
    ['{type: [list]}', 'validate/value', 23, 'use one of them'],
    ['{typ: list}', 'validate/unknown-key', 17, 'did you mean "type"?'],
  ])(
    'fix-F2 W74 an argument with a wrong type is one diagnostic with a hint: %s',
    async (argument, code, column, hint) => {
      const found = await check(prompt(`${d}arguments: {a: ${argument}}\ntext: x\n`));
      expect(found.map(one => [one.code, one.line, one.column, one.hint])).toEqual([[code, 2, column, hint]]);
    },
  );

  it('W74 a template that does not parse is reported at its position', async () => {
    const found = await checkPlaces(prompt(`${d}arguments: {a: }\ntext: |\n  x {{#if a}} never closed\n`));
    expect(found).toEqual(['template/syntax mcp/prompts/p.yaml:4:5']);
  });

  it('W75 an argument may be empty, a string or a map', () => {
    const { program, diagnostics } = loadFiles(
      prompt(`${d}arguments:\n  a:\n  b: The b\n  c: {required: true}\ntext: hi\n`),
    );
    expect(diagnostics).toEqual([]);
    expect(program?.prompts[0]?.arguments).toEqual([
      { name: 'a' },
      { name: 'b', description: 'The b' },
      { name: 'c', required: true },
    ]);
  });

  it('W78 a message has exactly one content, and its file must exist', async () => {
    const text = `${d}messages:\n  - {role: user}\n  - {role: user, text: a, image: x.png}\n  - {role: user, image: x.png}\n`;
    expect(await checkPlaces(prompt(text))).toEqual([
      'validate/missing-key mcp/prompts/p.yaml:3:5',
      'validate/conflict mcp/prompts/p.yaml:4:27',
      'read/not-found mcp/prompts/p.yaml:4:34',
      'read/not-found mcp/prompts/p.yaml:5:25',
    ]);
  });
});

describe('resource definitions', () => {
  const resource = (text: string) => ({ 'toolwright.yaml': '', 'mcp/resources/r.yaml': text });

  it('a resource has exactly one of uri and uriTemplate', async () => {
    expect(await checkPlaces(resource('text: x\n'))).toEqual(['validate/missing-key mcp/resources/r.yaml:1:1']);
    expect(await checkPlaces(resource('uri: a:b\nuriTemplate: a:{b}\n'))).toEqual([
      'validate/conflict mcp/resources/r.yaml:2:1',
    ]);
  });

  it('J81 J83 templates must follow RFC 6570, and completions must name their variables', async () => {
    const broken = await checkPlaces(resource('uriTemplate: a:{b\n'));
    expect(broken).toEqual(['link/uri-template mcp/resources/r.yaml:1:14']);
    const found = await check(resource('uriTemplate: issue://{key}/{+path}\ncomplete: {kee: [a]}\n'));
    expect(found.map(one => [one.code, one.line, one.hint])).toEqual([
      ['link/unknown-variable', 2, 'did you mean "key"?'],
    ]);
  });

  it('a uri with braces is reported as a template', async () => {
    expect(await checkPlaces(resource('uri: lib://book/{id}\ntext: x\n'))).toEqual([
      'link/uri-braces mcp/resources/r.yaml:1:6',
    ]);
  });

  it('J81 a template without variables is reported as a uri', async () => {
    const [found, ...more] = await check(resource('uriTemplate: project://forecast\ntext: x\n'));
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      ...{ code: 'link/no-variables', severity: 'warning', hint: 'write uri: project://forecast' },
      ...{ file: 'mcp/resources/r.yaml', line: 1, column: 14, endLine: 1, endColumn: 32 },
    });
  });

  it('two resources with one URI are an error at the second', async () => {
    const found = await checkPlaces({
      'toolwright.yaml': '',
      'mcp/resources.yaml': 'a: {uri: x:y, text: a}\nb: {uri: x:y, text: b}\n',
    });
    expect(found).toEqual(['link/duplicate-uri mcp/resources.yaml:2:10']);
  });

  it('fix-P7 a page of a tool that no resource has is an error at its position, with a suggestion', async () => {
    const tool = (uri: unknown): string => `description: T.\nui: ${JSON.stringify({ resourceUri: uri })}\n`;
    const pack = (uri: unknown, more: Readonly<Record<string, string>> = {}) =>
      check({
        'toolwright.yaml': '',
        'mcp/tools/t.yaml': tool(uri),
        'mcp/resources/board.yaml': 'uri: ui://board\ntext: x\n',
        'mcp/resources/part.yaml': 'uriTemplate: ui://parts/{id}\nhandler: src/part.ts\n',
        ...more,
      });
    const [found, ...others] = await pack('ui://borad');
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      ...{ code: 'link/unknown-page', severity: 'error', hint: 'did you mean "ui://board"?' },
      ...{ file: 'mcp/tools/t.yaml', line: 2, column: 20, message: 'no resource has the URI "ui://borad"' },
    });
    expect(await pack('ui://board')).toEqual([]);
    expect(await pack('ui://parts/7')).toEqual([]);
    expect((await pack('ui://parts/7/8')).map(({ code }) => code)).toEqual(['link/unknown-page']);
    // Inline resources, and those with a mistake of their own, are there.
    const inline = { 'mcp/servers/s.yaml': 'resources: [{name: page, uri: "ui://page", text: x}]\n' };
    expect(await pack('ui://page', inline)).toEqual([]);
    const broken = { 'mcp/resources/b.yaml': 'uri: ui://broken\nfile: gone.html\n' };
    expect((await pack('ui://broken', broken)).map(({ code }) => code)).toEqual(['read/not-found']);
    expect((await pack(7)).map(({ code }) => code)).toEqual(['validate/type']);
  });

  it('a file of a resource that is missing or outside the pack is reported', async () => {
    expect(await checkPlaces(resource('uri: a:b\nfile: x.png\n'))).toEqual(['read/not-found mcp/resources/r.yaml:2:7']);
    expect(await checkPlaces({ ...resource('uri: a:b\nfile: x.png\n'), 'x.png': { link: 'outside' } })).toEqual([
      'resolve/path-escape mcp/resources/r.yaml:2:7',
    ]);
  });
});
