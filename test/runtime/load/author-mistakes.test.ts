// What authors write who come from TypeScript, OpenAPI or another MCP framework, and what `check` says about it.
import { describe, expect, it } from 'vitest';
import { check, checkPlaces, type Files, tool } from '../../harness/pack.js';

const said = async (files: Files): Promise<readonly string[]> =>
  (await check(files)).map(({ code, severity, line, column, hint }) => `${code} ${severity} ${line}:${column} ${hint}`);

const parameters = (...lines: readonly string[]): Files =>
  tool(`description: d\nparameters:\n${lines.map(line => `  ${line}\n`).join('')}`);

describe('names of parameters', () => {
  it.each([
    ['a?: string', 'write a: { type: string, required: false }'],
    ['a?: { type: string, description: The a }', 'write a: { ..., required: false }'],
    ['"a?": integer', 'write a: { type: integer, required: false }'],
  ])('fix-N14 fix-N marks: a question mark in a name is an error: %s', async (line, hint) => {
    expect(await said(parameters(line))).toEqual([`schema/optional-name error 3:3 ${hint}`]);
  });

  it('fix-N14 a question mark is found in nested properties and in the output, too', async () => {
    const files = tool(
      'description: d\nparameters:\n  a: { type: object, properties: { b?: string } }\noutput:\n  c?: string\n',
    );
    expect(await checkPlaces(files)).toEqual([
      'schema/optional-name mcp/tools/t.yaml:3:36',
      'schema/optional-name mcp/tools/t.yaml:5:3',
    ]);
  });

  it.each(['"b c"', 'd$', 'größe', `"${'x'.repeat(65)}"`, 'a/b'])(
    'fix-N14 a name that model providers refuse is a warning in parameters: %s',
    async name => {
      expect(await said(parameters(`${name}: string`))).toEqual([
        'schema/property-name warning 3:3 rename the parameter',
      ]);
      const raw = tool(`description: d\ninputSchema:\n  type: object\n  properties:\n    ${name}: { type: string }\n`);
      expect(await said(raw)).toEqual([]);
    },
  );

  it('fix-N14 names of outputs are free, since no model provider sees them', async () => {
    expect(await said(tool('description: d\noutput: { "b c": string }\n'))).toEqual([]);
  });
});

describe('what has no effect, or too much', () => {
  it.each([
    ['a: { type: string, minimum: 1 }', '3:22', 'did you mean "minLength"?'],
    ['a: { type: integer, maxLength: 9 }', '3:23', 'did you mean "maximum"?'],
    ['a: { type: string, items: string }', '3:22', 'remove it, or write type: array'],
    ['a: { type: array, items: string, minLength: 1 }', '3:36', 'did you mean "minItems"?'],
    ['a: { type: boolean, pattern: x }', '3:23', 'remove it, or write type: string'],
    ['a: { type: string, properties: { b: string } }', '3:22', 'remove it, or write type: object'],
  ])('fix-N27 fix-N marks: a keyword of another type is a warning: %s', async (line, place, hint) => {
    expect(await said(parameters(line))).toEqual([`schema/idle-keyword warning ${place} ${hint}`]);
  });

  it('fix-N27 keywords of a raw schema are left alone', async () => {
    const raw = 'description: d\ninputSchema: { type: object, properties: { a: { type: string, minimum: 1 } } }\n';
    expect(await said(tool(raw))).toEqual([]);
  });

  it('fix-N27 fix-N marks: a secret with a default is a warning', async () => {
    const files = {
      'toolwright.yaml':
        'config:\n  A: { type: string, secret: true, default: hunter22 }\n  B: { type: string, default: x }\n  C: { type: string, secret: true, default: "" }\n',
    };
    expect(await said(files)).toEqual([
      'config/secret-default warning 2:36 remove the default, or `secret: true` if the value is not secret',
    ]);
  });

  it.each([
    ['uri: foo', 'write a scheme before it, as in r://foo'],
    ['uri: /foo/bar', 'write a scheme before it, as in r://foo/bar'],
    ['uriTemplate: "issues/{key}"', 'write a scheme before it, as in r://issues/{key}'],
  ])('fix-N27 an address without a scheme is a warning: %s', async (line, hint) => {
    const files = { 'toolwright.yaml': '', 'mcp/resources/r.yaml': `description: d\n${line}\ntext: x\n` };
    const column = line.indexOf(' ') + 2;
    expect(await said(files)).toEqual([`link/uri-scheme warning 2:${column} ${hint}`]);
  });

  it.each(['uri: foo:bar', 'uri: notes://today', 'uriTemplate: "{scheme}://x"'])(
    'fix-N27 an address with a scheme is right: %s',
    async line => {
      const files = { 'toolwright.yaml': '', 'mcp/resources/r.yaml': `description: d\n${line}\ntext: x\n` };
      expect(await said(files)).toEqual([]);
    },
  );
});

describe('all in one run', () => {
  it('fix-N28 warnings of a tool are shown beside its errors', async () => {
    const files = tool(
      'description: d\neffekt: read\nannotations: { readonly: true }\nparameters:\n  a: { type: string, minimum: 1 }\n  "b c": string\n',
    );
    expect(await checkPlaces(files)).toEqual([
      'validate/unknown-key mcp/tools/t.yaml:2:1',
      'link/unknown-annotation mcp/tools/t.yaml:3:16',
      'schema/idle-keyword mcp/tools/t.yaml:5:22',
      'schema/property-name mcp/tools/t.yaml:6:3',
    ]);
  });

  it('fix-N28 a description in a wrong form is not also called missing', async () => {
    expect((await check(tool('descr: d\n'))).map(({ code }) => code)).toEqual(['validate/unknown-key']);
    expect((await check(tool('description: [d]\n'))).map(({ code }) => code)).toEqual(['validate/type']);
  });
});

describe('words from elsewhere', () => {
  const server = (line: string): Files => ({
    'toolwright.yaml': '',
    'mcp/servers/s.yaml': `description: d\n${line}\n`,
  });

  it.each([
    ['transport: sse', 'write http: it is Streamable HTTP, which replaced the older SSE transport'],
    ['transport: streamable-http', 'write http: it is Streamable HTTP'],
    ['transport: StreamableHTTP', 'write http: it is Streamable HTTP'],
  ])('fix-N marks: %s is answered with what it is called here', async (line, hint) => {
    expect(await said(server(line))).toEqual([`validate/value error 2:12 ${hint}`]);
  });

  it.each([
    ['a: { type: integer, default: "10" }', '3:32', 'write 10 without quotes'],
    ['a: { type: number, default: "1.5" }', '3:31', 'write 1.5 without quotes'],
    ['a: { type: boolean, default: "true" }', '3:32', 'write true without quotes'],
    ['a: { type: boolean, default: yes }', '3:32', 'YAML reads yes as a string here: write true'],
    ['a: { type: array, items: string, default: x }', '3:45', 'write a list: ["x"]'],
  ])('fix-N marks: a default of the wrong type is shown in the right one: %s', async (line, place, hint) => {
    expect(await said(parameters(line))).toEqual([`schema/invalid-default error ${place} ${hint}`]);
  });

  it.each([
    ['a: { type: integer, minimum: 30, default: 20 }', 'must be at least 30, not 20'],
    ['a: { type: number, exclusiveMaximum: 1, default: 1.5 }', 'must be less than 1, not 1.5'],
    ['a: { type: integer, multipleOf: 5, default: 7 }', 'must be a multiple of 5, not 7'],
    ['a: { type: string, maxLength: 2, default: abc }', 'must have at most 2 characters'],
  ])('fix-N marks: a default beyond a limit is shown with the limit: %s', async (line, reason) => {
    expect((await check(parameters(line))).map(({ message }) => message)).toEqual([
      `the default does not match its own schema: ${reason}`,
    ]);
  });

  it.each([
    ['str', 'write string'],
    ['int', 'write integer'],
    ['float', 'write number'],
    ['bool', 'write boolean'],
    ['uuid', 'write { type: string, format: uuid }'],
    ['string[]', 'write { type: array, items: string }'],
    ['string?', 'write { type: string, required: false }'],
    ['String', 'did you mean "string"?'],
    ['enum[a,b]', 'write { type: string, enum: [a, b] }'],
    ['"enum(low, high)"', 'write { type: string, enum: [low, high] }'],
    ['low | high', 'write { type: string, enum: [low, high] }'],
    ['list[str]', 'write { type: array, items: string }'],
    ['Array<number>', 'write { type: array, items: number }'],
    ['string | null', 'write { type: string, required: false }'],
    ['“string”', 'write string, without the quotes: “ and ” are text in YAML'],
  ])('fix-N marks: a type of another language is answered with ours: %s', async (type, hint) => {
    expect(await said(parameters(`a: ${type}`))).toEqual([`validate/value error 3:6 ${hint}`]);
  });
});

describe('habits of other languages', () => {
  it.each([
    ['a: { type:string }', 'validate/missing-space 3:8 write type: string'],
    ['a: { description: x, type:string }', 'validate/missing-space 3:24 write type: string'],
    ['a:string', 'validate/type 3:3 put a space after the colon: a: string'],
    [
      'a: { type: string, nullable: true }',
      'validate/unknown-key 3:22 write type: [string, "null"] in an inputSchema, or required: false',
    ],
    ['a: { type: string, enum: x }', 'validate/type 3:28 write a list: [x]'],
    [
      'a: { type: string, required: [a] }',
      'validate/required-list 3:22 write `required: false` on the optional ones, or write the whole schema under inputSchema',
    ],
    ['a: { type: string, choices: [x] }', 'validate/unknown-key 3:22 did you mean "enum"?'],
    ['a: { type: string, min: 3 }', 'validate/unknown-key 3:22 did you mean "minLength"?'],
    ['a: { type: string, max: 3 }', 'validate/unknown-key 3:22 did you mean "maxLength"?'],
    ['a: { type: array, items: string, min: 1 }', 'validate/unknown-key 3:36 did you mean "minItems"?'],
    ['a: { type: integer, max: 9 }', 'validate/unknown-key 3:23 did you mean "maximum"?'],
    ['- name: a', 'validate/type 3:3 write a map: { a: string }'],
    ['a: [x, y]', 'validate/type 3:6 write { type: string, enum: [x, y] }'],
  ])('fix-N marks: one mistake in a parameter is one diagnostic with its fix: %s', async (line, expected) => {
    const found = await check(parameters(line));
    expect(found.map(({ code, line: at, column, hint }) => `${code} ${at}:${column} ${hint}`)).toEqual([expected]);
  });

  it.each([
    ['description:d', 'validate/type 1:1 put a space after the colon: description: d'],
    [
      'description: d\nparameters: string',
      'validate/type 2:13 write a map from names to types, such as { name: string }',
    ],
    ['description: d\nerrors:\n  GONE: It is gone', 'validate/type 3:9 write { message: "It is gone" }'],
    [
      'description: d\nrequired: [a]',
      'validate/required-list 2:1 parameters are required; write `required: false` on each optional one',
    ],
    [
      'description: d\nproperties: { a: string }',
      'validate/unknown-key 2:1 a JSON Schema goes under inputSchema; in the short form, list the names under parameters',
    ],
    ['description: d\nkind: Tool', 'validate/unknown-key 2:1 remove it: the folder says what kind of item this is'],
    [
      'description: d\nspec: {}',
      'validate/unknown-key 2:1 a definition has no envelope: write its keys at the top level',
    ],
    ['description: &Get issue', 'parse/anchor-text 1:14 write "&Get issue"'],
    ['description: *Get* issue', 'parse/yaml 1:14 put the text in quotes'],
    ['description: @user does it', 'parse/yaml 1:14 put the text in quotes'],
    ['description: `code` does it', 'parse/yaml 1:14 put the text in quotes'],
    ['description: % of it', 'parse/yaml 1:14 put the text in quotes'],
    ['description: !important', 'parse/tag 1:14 remove the tag. Text that starts with ! needs quotes.'],
    [
      'description: - does it',
      'parse/yaml 1:14 start the list on the next line, or put text that starts with "- " in quotes',
    ],
    ['description: Note: text', 'parse/yaml 1:14 write "Note: text"'],
    ['description: "Get', 'parse/yaml 1:14 add " at its end'],
    [
      'description: first\nsecond',
      'parse/yaml 2:1 text that continues on further lines must be indented more than its key',
    ],
    ['description: |\ntext', 'parse/yaml 2:1 the text after | or > must be indented more than its key'],
    ['description: d\nparameters:\n\ta: string', 'parse/tab 3:1 indent with spaces'],
    ['description: d\ndescription: e', 'parse/duplicate-key 2:1 remove or rename one of them'],
    ['description: d\nenabled: yes', 'validate/type 2:10 YAML 1.2 reads this as a string: write true'],
    ['description: d\ntags: a, b', 'validate/type 2:7 write a list: [a, b]'],
    ['description: d\ntimeoutMs: 5s', 'validate/unknown-key 2:1 write limits: { timeoutMs: ... }'],
    ['description: d\ntimeout: 5', 'validate/unknown-key 2:1 write limits: { timeoutMs: ... }, in milliseconds'],
    ['description: d\nlimits: { timeoutMs: 5s }', 'validate/type 2:22 milliseconds, as a number: write 5000'],
    ['description: d\nlimits: { timeoutMs: 1.5 min }', 'validate/type 2:22 milliseconds, as a number: write 90000'],
    ['description: d\neffect: “read”', 'validate/value 2:9 write read, without the quotes: “ and ” are text in YAML'],
    ['description: “Get an issue”', 'parse/curly-quotes 1:14 write "Get an issue"'],
    ['description: d\ntitle: „Say "a"“\r', `parse/curly-quotes 2:8 write 'Say "a"'`],
    ['description: d\nparameters: { a: { type: string, default: ‘x’ } }', 'parse/curly-quotes 2:43 write "x"'],
    ['\ufeffdescription: d\r\neffect: reed\r', 'validate/value 2:9 did you mean "read"?'],
  ])('fix-N marks: a slip of the pen in a tool gets one diagnostic with its fix: %j', async (text, expected) => {
    const found = await check(tool(`${text}\n`));
    expect(found.map(({ code, line, column, hint }) => `${code} ${line}:${column} ${hint}`)).toEqual([expected]);
  });

  it.each([
    ['port: 3000', 'write http: { port: ... }'],
    ['command: node', 'how clients start a server is in their own settings: toolwright install writes it'],
  ])('fix-N marks: a key from the settings of clients is answered: %s', async (line, hint) => {
    const files = { 'toolwright.yaml': '', 'mcp/servers/s.yaml': `description: d\n${line}\n` };
    expect((await check(files)).map(one => one.hint)).toEqual([hint]);
  });

  it.each([
    // The slipped line, and what follows it.
    ['description: d\nparameters:\n  a: string\nb: string\n  c: string', 4, 5],
    ['description: d\nparameters:\n  a: string\nb: { type: string }\n\n  # note\n  c: { type: string }', 4, 7],
    ['description: d\r\nparameters:\r\n  a:\r\n    type: string\r\nb: string\r\n  c: string\r', 5, 6],
    ['description: d\nparameters:\n  a:\n  type: string\n    description: x', 4, 5],
    ['\ufeffdescription: d\nparameters:\n  a: string\nb:\n    type: string\n  c: string', 4, 6],
  ])('fix-N marks: a key that slipped to the left is marked, not the line after it: %j', async (text, line, next) => {
    const [found, ...others] = await check(tool(`${text}\n`));
    expect([found?.code, found?.line, found?.related?.map(one => one.line), others]).toEqual([
      'parse/yaml',
      line,
      [next],
      [],
    ]);
  });

  it('fix-N marks: a key too far to the right is marked itself', async () => {
    const [found] = await check(tool('description: d\neffect: read\n   title: x\n'));
    expect([found?.line, found?.related]).toEqual([3, undefined]);
  });

  it.each([
    ['{ type: bearer, token: X_TOKEN }', 'write env: X_TOKEN, the variable that holds the token'],
    ['{ type: bearer, token: "${X_TOKEN}" }', 'write env: X_TOKEN, the variable that holds the token'],
    ['{ type: bearer, secret: hunter22 }', 'write env: MCP_TOKEN, the variable that holds the token'],
  ])('fix-N marks: a token in place of its variable is one diagnostic: %s', async (auth, hint) => {
    const files = { 'toolwright.yaml': '', 'mcp/servers/s.yaml': `description: d\ntransport: http\nauth: ${auth}\n` };
    expect((await check(files)).map(one => [one.code, one.line, one.column, one.hint])).toEqual([
      ['validate/unknown-key', 3, 23, hint],
    ]);
  });

  it('fix-N marks: a mention by the name that clients see is answered with the name of the item', async () => {
    const files = {
      'toolwright.yaml': '',
      'mcp/tools/get-invoice.yaml': 'name: fetch_bill\ndescription: d\n',
      'mcp/tools/pay.yaml': 'description: After {{tool:fetch_bill}}\n',
    };
    expect(await said(files)).toEqual([
      'link/unknown-tool error 1:20 clients see "get-invoice" under this name; write {{tool:get-invoice}}',
    ]);
  });

  it.each(['“a” or “b”', `'“a”'`, 'say “a”', '“', '“a”, he said'])(
    'fix-N marks: curly quotes inside text are fine: %s',
    async text => {
      expect(await said(tool(`description: ${text}\n`))).toEqual([]);
    },
  );

  it('fix-N marks: an anchor that an alias uses is fine', async () => {
    expect(await check(tool('description: &a Gets an issue\ntitle: *a\n'))).toEqual([]);
  });
});
