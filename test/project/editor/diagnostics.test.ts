// Diagnostics of the real language server: one mistake, one finding, on the line of the mistake.
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editorDiagnostics, startEditor } from './editor.js';
import type { LanguageServer } from './language-server.js';

let server: LanguageServer;
beforeAll(async () => {
  server = await startEditor();
});
afterAll(() => server.stop());

/** File -> line and words of its only finding. */
const mistakes: Readonly<Record<string, readonly [number, string]>> = {
  'overlay-handler': [2, 'Property handler is not allowed'],
  'pack-config-name': [2, 'the name of an environment variable has only letters'],
  'pack-config-type': [3, 'Valid values: "string", "integer", "number", "boolean"'],
  'pack-declaration-name': [3, 'an item name starts with a letter or digit'],
  'pack-pair': [3, 'Expected 2 or fewer'],
  'pack-backend-key': [2, 'Property retry is not allowed'],
  'pack-tools': [2, 'Expected "array"'],
  'pack-unknown-key': [2, 'Property tols is not allowed'],
  'pack-version': [2, 'Expected "string"'],
  'prompt-argument': [5, 'Property require is not allowed'],
  'prompt-role': [3, 'Valid values: "user", "assistant"'],
  'resource-priority': [4, 'above the maximum of 1'],
  'resource-uri': [1, 'Missing property "uri"'],
  'server-auth': [3, 'Missing property "audience"'],
  'server-auth-type': [4, 'Valid values: "bearer", "oauth"'],
  'server-inline-tool': [5, 'Property efect is not allowed'],
  'server-tag': [5, 'Property limit is not allowed'],
  'server-port': [3, 'above the maximum of 65535'],
  'tool-boolean': [3, 'Expected "boolean"'],
  'tool-description': [2, 'Expected one of string, object'],
  'tool-duplicate-key': [3, 'Map keys must be unique'],
  'tool-task': [2, 'Valid values: "forbidden", "optional", "required"'],
  'tool-task-key': [4, 'Property restarts is not allowed'],
  'tool-defaults': [2, 'Valid values: "advertise", "fill"'],
  'tool-effect': [2, 'Valid values: "read", "write", "destructive"'],
  'tool-error-code': [5, 'an error code is written in capitals'],
  'tool-error-match': [4, 'Expected "array"'],
  'tool-example-input': [6, 'Expected "Map of arguments"'],
  'tool-nested-parameter-key': [10, 'Property maxLenght is not allowed'],
  'tool-option-default': [5, 'Expected "integer"'],
  'tool-http-method': [2, 'Valid values: "GET"'],
  'tool-parameter-empty': [3, 'Expected one of string, object'],
  'tool-parameter-key': [5, 'Property descripton is not allowed'],
  'tool-parameter-without-type': [3, 'Missing property "type"'],
  'tool-required-list': [5, 'Expected "boolean"'],
  'tool-result-text': [2, 'Expected "string"'],
  'tool-schema-keyword': [7, 'Expected "number"'],
  'tool-schema-type': [8, 'Valid values: "string", "integer"'],
  'tool-timeout': [3, 'below the minimum of 1'],
  'tool-type-name': [3, 'Valid values: "string", "integer"'],
  'tool-unknown-key': [2, 'Property efect is not allowed'],
  'tool-wire-name': [1, 'a name that clients see has 1 to 128'],
  'tools-item-name': [3, 'an item name starts with a letter or digit'],
  'tools-unknown-key': [5, 'Property parameter is not allowed'],
};

const fixturesIn = (folder: string): string[] =>
  readdirSync(new URL(`../../fixtures/editor/${folder}/`, import.meta.url))
    .map(name => name.replace(/\.yaml$/, ''))
    .sort();

describe('diagnostics of bad files', () => {
  it('P19 every bad fixture has its row', () => {
    expect(fixturesIn('bad')).toEqual(Object.keys(mistakes).sort());
  });

  it.concurrent.each(Object.entries(mistakes))(
    'P19 the editor has one finding in %s',
    async (fixture, [line, words]) => {
      const findings = await editorDiagnostics(`bad/${fixture}.yaml`, server);
      expect(findings).toEqual([{ line, message: expect.stringContaining(words) }]);
    },
  );
});

describe('diagnostics of good files', () => {
  it.concurrent.each(fixturesIn('good'))('P19 the editor has no finding in %s', async fixture => {
    expect(await editorDiagnostics(`good/${fixture}.yaml`, server)).toEqual([]);
  });
});
