// Bodies that may be null: their members are arguments like those of any other.
import { describe, expect, it } from 'vitest';
import { importApi } from '../../../generator/import/openapi/import-api.js';
import { apiOf } from './read-harness.js';

const documentOf = (required: boolean, type: string): string => `
openapi: 3.1.0
info: { title: Merge API, version: "1" }
servers: [{ url: https://api.example.com }]
paths:
  /merge/{id}:
    put:
      operationId: merge
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      requestBody:
        required: ${required}
        content:
          application/json: { schema: { type: ${type}, properties: { title: { type: string }, sha: { type: string } } } }
      responses: { "204": { description: Done } }
`;

function toolOf(text: string): Readonly<Record<string, unknown>> {
  const { items, diagnostics } = importApi(apiOf(text), { name: 'merge' });
  expect(diagnostics).toEqual([]);
  return items.find(({ kind }) => kind === 'tool')?.definition ?? {};
}

describe('a body that may be null', () => {
  it.each([
    [true, {}],
    [false, { optionalBody: true }],
  ])('I1: its members are members of the arguments (required: %s)', (required, more) => {
    const { inputSchema, http } = toolOf(documentOf(required, '[object, "null"]'));
    expect(inputSchema).toMatchObject({
      properties: { id: {}, title: { type: 'string' }, sha: { type: 'string' } },
      required: ['id'],
    });
    expect(http).toEqual({ backend: 'merge', method: 'PUT', path: '/merge/{id}', body: 'rest', ...more });
  });

  it('I1: what may be a list is one argument', () => {
    expect(toolOf(documentOf(true, '[object, array]'))['http']).toMatchObject({ body: '{body}' });
  });
});
