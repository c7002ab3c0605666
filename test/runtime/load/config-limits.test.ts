// fix-N26: config keys take the keywords of parameters and their short form, and mean the same by them.
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../runtime/call/context/config.js';
import { check, type Files, loadFiles } from '../../harness/pack.js';

const pack = (...lines: readonly string[]): Files => ({
  'toolwright.yaml': `config:\n${lines.map(line => `  ${line}\n`).join('')}`,
});

const said = async (files: Files): Promise<readonly string[]> =>
  (await check(files)).map(({ code, line, column, message, hint }) => `${code} ${line}:${column} ${message} | ${hint}`);

function read(line: string, value: string) {
  const { program } = loadFiles(pack(line));
  const { settings, diagnostics } = readConfig(program?.pack.config ?? {}, { KEY: value }, program?.pack.at);
  return { value: settings.values['KEY'], wrong: diagnostics.map(({ message }) => message) };
}

describe('fix-N26 limits of config keys', () => {
  it.each([
    ['{ type: integer, minimum: 1024, maximum: 65535 }', '8080', 8080],
    ['{ type: number, exclusiveMinimum: 0, exclusiveMaximum: 1 }', '0.5', 0.5],
    ['{ type: integer, multipleOf: 5 }', '10', 10],
    ['{ type: string, minLength: 2, maxLength: 4 }', 'abc', 'abc'],
    ["{ type: string, pattern: '^[A-Z]+$' }", 'ABC', 'ABC'],
    ['{ type: string, format: uri }', 'https://example.com', 'https://example.com'],
    ['string', 'x', 'x'],
    ['integer', '5', 5],
    ['boolean', 'yes', true],
  ])('fix-N26 a value within the limits is read: %s', async (entry, text, value) => {
    expect(await check(pack(`KEY: ${entry}`))).toEqual([]);
    expect(read(`KEY: ${entry}`, text)).toEqual({ value, wrong: [] });
  });

  it.each([
    ['{ type: integer, minimum: 1024 }', '80', 'KEY must be at least 1024, not "80"'],
    ['{ type: integer, maximum: 10 }', '11', 'KEY must be at most 10, not "11"'],
    ['{ type: number, exclusiveMinimum: 0 }', '0', 'KEY must be more than 0, not "0"'],
    ['{ type: number, exclusiveMaximum: 1 }', '1', 'KEY must be less than 1, not "1"'],
    ['{ type: integer, multipleOf: 5 }', '11', 'KEY must be a multiple of 5, not "11"'],
    ['{ type: string, minLength: 1 }', '', 'KEY must be at least 1 character long, not ""'],
    ['{ type: string, maxLength: 2 }', 'abc', 'KEY must be at most 2 characters long, not "abc"'],
    ["{ type: string, pattern: '^[A-Z]+$' }", 'abc', 'KEY must be a string that matches ^[A-Z]+$, not "abc"'],
    ['{ type: string, format: uri }', 'not a uri', 'KEY must be a valid uri, not "not a uri"'],
    ['integer', 'x', 'KEY must be an integer, not "x"'],
  ])('fix-N26 a value outside the limits stops the start: %s', (entry, text, message) => {
    expect(read(`KEY: ${entry}`, text)).toEqual({ value: undefined, wrong: [message] });
  });

  it('fix-N26 the value of a secret is not shown where it breaks a limit', () => {
    const { wrong } = read("KEY: { type: string, secret: true, pattern: '^sk-' }", 'hunter22');
    expect(wrong).toEqual(['KEY must be a string that matches ^sk-, which its value is not (it is secret)']);
  });

  it.each([
    [
      'KEY: { type: integer, default: 5, minimum: 9 }',
      'schema/invalid-default 2:34 the default does not match its own schema: must be at least 9, not 5 | correct the default or the schema',
    ],
    [
      'KEY: { type: string, minimum: 9 }',
      'schema/idle-keyword 2:24 "minimum" has no effect on the type string | did you mean "minLength"?',
    ],
    ['KEY: 5', 'validate/type 2:8 config.KEY must be a string or a map, not the number 5 | write { type: string }'],
    ['KEY:', 'validate/type 2:3 config.KEY must be a string or a map, not empty | write { type: string }'],
    [
      'KEY: str',
      'validate/value 2:8 config.KEY must be "string", "integer", "number", "boolean" or "array", not "str" | write string',
    ],
  ])('fix-N26 a mistake in a config key is explained: %s', async (line, expected) => {
    expect(await said(pack(line))).toEqual([expected]);
  });

  it('fix-N26 a pattern that is not a regular expression is an error at its place', async () => {
    const found = await check(pack("KEY: { type: string, pattern: '(' }"));
    expect(found.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(['schema/regex 2:33']);
  });

  it('fix-N26 a tool may require a key in short form', async () => {
    const files = { ...pack('KEY: string'), 'mcp/tools/t.yaml': 'description: d\nrequires: { KEY: required }\n' };
    expect(await check(files)).toEqual([]);
  });
});
