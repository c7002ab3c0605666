// Texts of tools that are filled in when they run: unknown names, broken tags, codes that no error can have. One mistake, one diagnostic.
import { describe, expect, it } from 'vitest';
import { check, tool } from '../../harness/pack.js';

async function found(definition: string): Promise<readonly string[]> {
  const all = await check(tool(`description: d\n${definition}`));
  return all.map(({ code, severity, line, column, message, hint }) =>
    [`${severity} ${code} ${line}:${column}`, message, hint ?? 'NO HINT'].join(' | '),
  );
}

const input =
  'parameters: { path: string, from: { type: object, properties: { host: string } }, any: { type: object } }\n';
const output =
  'output: { bytes: integer, file: { type: object, properties: { name: string } }, rows: { type: array, items: { type: object, properties: { id: string } } } }\n';

describe('X4 resultText', () => {
  it.each([
    'resultText: Done.',
    'resultText: "{{bytes}} {{path}} {{file.name}} {{from.host}} {{any.thing.at.all}} {{rows.length}} {{rows.0.id}} {{tool:t}}"',
    'resultText: "{{#each rows}}{{id}} {{@index}} {{@root.path}}{{/each}}{{#if path}}x{{/if}} \\\\{{not}}"',
  ])('`check` accepts %s', async text => {
    expect(await found(input + output + text)).toEqual([]);
  });

  it.each([
    [
      'a name',
      '"Wrote {{byts}}"',
      [
        'error template/unknown-name 4:20 | "byts" is not in the tool\'s output, nor one of its arguments | did you mean "bytes"?',
      ],
    ],
    [
      'a part of a name',
      '"{{file.nam}}"',
      [
        'error template/unknown-name 4:14 | "file.nam" is not in the tool\'s output, nor one of its arguments | did you mean "name"?',
      ],
    ],
    [
      'a part of an argument',
      '"{{from.port}}"',
      [
        'error template/unknown-name 4:14 | "from.port" is not in the tool\'s output, nor one of its arguments | there is host',
      ],
    ],
    [
      'a part of a text',
      '"{{path.x}}"',
      [
        'error template/unknown-name 4:14 | "path.x" is not in the tool\'s output, nor one of its arguments | correct the name, or describe it in the schema. Write \\{{ for literal braces.',
      ],
    ],
    [
      'a member of a list',
      '"{{rows.id}}"',
      [
        'error template/unknown-name 4:14 | "rows.id" is not in the tool\'s output, nor one of its arguments | correct the name, or describe it in the schema. Write \\{{ for literal braces.',
      ],
    ],
    [
      'the error, which results have none of',
      '"{{error.message}}"',
      [expect.stringContaining('error template/unknown-name 4:14 | "error" is not in')],
    ],
    ['a tool', '"{{tool:nope}}"', [expect.stringContaining('error link/unknown-tool 4:14')]],
    ['a misspelt tool', '"{{tol:t}}"', [expect.stringContaining('did you mean {{tool:t}}?')]],
    ['a block that is not closed', '"{{#if path}}x"', [expect.stringContaining('error template/syntax 4:14')]],
    ['a helper', '"{{upper path}}"', [expect.stringContaining('error template/syntax 4:14')]],
  ])('`check` reports %s in resultText that does not exist', async (_name, text, expected) => {
    expect(await found(`${input}${output}resultText: ${text}`)).toEqual(expected);
  });

  it('resultText without an output schema can only name arguments', async () => {
    expect(await found(`${input}resultText: "{{path}} {{bytes}}"`)).toEqual([
      'error template/unknown-name 3:23 | "bytes" is not one of the tool\'s arguments, and the tool has no output schema | there is path, from, any',
    ]);
    expect(await found('resultText: "{{x}}"')).toHaveLength(1);
  });

  it('resultText may name members of references, alternatives and maps of a raw schema', async () => {
    const raw = `outputSchema:
  type: object
  $defs: { a: { type: object, properties: { x: { type: string } } } }
  anyOf: [{ $ref: "#/$defs/a" }, { properties: { y: { type: object, additionalProperties: { type: string } } } }]
  patternProperties: { "^p_": {} }
resultText: `;
    expect(await found(`${raw}"{{x}} {{y.anything}} {{p_1}}"`)).toEqual([]);
    expect(await found(`${raw}"{{z}}"`)).toEqual([expect.stringContaining('"z" is not in')]);
  });

  it('a broken output schema is one mistake, not also one of resultText', async () => {
    expect(
      await found('outputSchema: { type: object, properties: { a: { type: strin } } }\nresultText: "{{a}}"'),
    ).toHaveLength(1);
    expect(await found('outputSchema: { file: nowhere.json }\nresultText: "{{b}}"')).toHaveLength(1);
  });

  it.each([
    ['a number', 'resultText: 5', 'validate/type 2:13'],
    ['nothing', 'resultText:', 'validate/'],
    ['an empty text', 'resultText: ""', 'validate/'],
    ['a file', 'resultText: { file: a.md }', 'validate/type 2:13'],
    ['a tag without quotes', 'resultText: {{path}}', 'parse/'],
    ['a misspelt key', 'resultTxt: x', 'validate/unknown-key 2:1'],
  ])('resultText that is %s is one diagnostic with a hint', async (_name, text, expected) => {
    const [first, ...others] = await found(text);
    expect(first).toContain(expected);
    expect(first).not.toContain('NO HINT');
    expect(others).toEqual([]);
  });
});

describe('fix-P6 X6 texts and codes of errors', () => {
  it('texts of errors may name arguments, the caught error and tools', async () => {
    const errors =
      'errors: { GONE: { match: [ENOENT, 404, 5xx, -1], message: "{{path}} {{error.message}}", suggestedFix: "{{error.code}} {{error.status}} {{tool:t}} {{from.host}}" } }';
    expect(await found(input + errors)).toEqual([]);
  });

  it('other names in texts of errors are errors at their position', async () => {
    const errors = `errors:
  GONE:
    message: "No {{ issueKey }} in {{pth}}"
    suggestedFix: "{{error}} {{error.stack}} {{tool:t}} {{bytes}}"
`;
    expect(await found(input + output + errors)).toEqual([
      'error template/unknown-name 6:18 | "issueKey" is not an argument of the tool, nor error.message, error.code or error.status | there is path, from, any, error',
      'error template/unknown-name 6:36 | "pth" is not an argument of the tool, nor error.message, error.code or error.status | did you mean "path"?',
      'error template/unknown-name 7:20 | "error" is not an argument of the tool, nor error.message, error.code or error.status | did you mean "error.code"?',
      'error template/unknown-name 7:30 | "error.stack" is not an argument of the tool, nor error.message, error.code or error.status | there is error.message, error.code, error.status',
      expect.stringContaining('error template/unknown-name 7:57 | "bytes" is not an argument'),
    ]);
  });

  it('codes that an earlier error already matches get a warning', async () => {
    const errors = `errors:
  A: { match: [ENOENT, 5xx], message: a }
  B: { match: [503, EACCES, ENOENT], message: b }
  C: { match: [4xx, 5XX], message: c }
  D: { match: ["503", E2, E2], message: d }
`;
    expect(await found(errors)).toEqual([
      expect.stringContaining('warning link/unreachable-match 4:16 | 503 never becomes B: A matches it first'),
      expect.stringContaining('warning link/unreachable-match 4:29 | ENOENT never becomes B: A matches it first'),
      expect.stringContaining('warning link/unreachable-match 5:21 | 5xx never becomes C: A matches it first'),
      expect.stringContaining('warning link/unreachable-match 6:16 | 503 never becomes D: A matches it first'),
      expect.stringContaining('warning link/unreachable-match 6:27 | E2 never becomes D: D matches it first'),
    ]);
  });

  it('X6 codes that would be read as another number are reported with the text of the author', async () => {
    const errors = 'errors:\n  DB: { match: [08006, 2E000, 0x1F, "08006", 42P01, 404, -1], message: m }\n';
    expect(await found(errors)).toEqual([
      'error link/changed-code 3:17 | 08006 is a number here and is read as 8006 | write "08006" in quotes',
      'error link/changed-code 3:24 | 2E000 is a number here and is read as 2 | write "2E000" in quotes',
      'error link/changed-code 3:31 | 0x1F is a number here and is read as 31 | write "0x1F" in quotes',
    ]);
  });

  it.each([
    ['a text', '{ match: ENOENT, message: m }', 'validate/type'],
    ['an empty list', '{ match: [], message: m }', 'validate/'],
    ['a list of lists', '{ match: [[ENOENT]], message: m }', 'validate/type'],
    ['a fraction', '{ match: [1.5], message: m }', 'validate/type'],
    ['a text with spaces', '{ match: ["not found"], message: m }', 'an error code has no spaces'],
    ['no message', '{ match: [ENOENT] }', 'validate/missing-key'],
    ['another word', '{ matches: [ENOENT], message: m }', 'validate/unknown-key'],
  ])('a wrong declaration of an error is one diagnostic with a hint: %s', async (_name, entry, expected) => {
    const [first, ...others] = await found(`errors: { GONE: ${entry} }`);
    expect(first).toContain(expected);
    expect(first).not.toContain('NO HINT');
    expect(others).toEqual([]);
  });
});
