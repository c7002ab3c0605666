// What the language accepts and refuses, by our engine and by ajv with the published schemas alike.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Subject } from '../../schema/definitions.js';
import type { FullViolation } from '../../schema/support/places.js';
import { listFormErrors } from '../../schema/validate/language.js';

const folder = new URL('../../schema/', import.meta.url);

function compile(name: string): (data: unknown) => boolean {
  const ajv = new Ajv({ allErrors: true, strict: false });
  return ajv.compile(JSON.parse(readFileSync(new URL(`${name}.schema.json`, folder), 'utf8')));
}

const subjects: readonly Subject[] = ['pack', 'server', 'tool', 'prompt', 'resource', 'overlay'];
const published = Object.fromEntries(subjects.map(name => [name, compile(name)]));

/** `path keyword detail` of each mistake; `if` and `propertyNames` only announce another error. */
function mistakes(subject: Subject, data: unknown): string[] {
  return listFormErrors(subject, data)
    .filter(error => error.keyword !== 'if' && error.keyword !== 'propertyNames')
    .map(error => [error.instancePath || '/', error.keyword, detail(error)].filter(part => part !== '').join(' '));
}

function detail(error: FullViolation): string {
  const { missingProperty, additionalProperty, type } = error.params;
  return String(missingProperty ?? additionalProperty ?? error.propertyName ?? type ?? '');
}

const accepted: readonly (readonly [string, Subject, string])[] = [
  ['W10 an empty pack', 'pack', '{}'],
  [
    'W1 W2 W3 the three forms of a declaration, mixed',
    'pack',
    `
$schema: ./node_modules/toolwright/schema/pack.schema.json
name: acme/jira
version: 1.2.0
root: mcp
generated: generated
handlers: src
dist: dist
servers: [project-management]
tools:
  - create-issue
  - [get-issue, Get a Jira issue by its key]
  - name: search-issues
    description: Search issues with JQL
    parameters: [jql, limit]
prompts: [issue-text, { name: x, arguments: [a] }]
resources: [{ name: issue, uri: 'jira://issue/{key}' }]
context: src/context.ts#create
config:
  JIRA_TOKEN: { type: string, secret: true, description: API token }
  JIRA_LIMIT: { type: integer, default: 50, enum: [50, 100] }`,
  ],
  ['W3 a declared server with its lists', 'pack', 'servers: [{ name: s, tools: [a], prompts: [b], resources: [c] }]'],
  ['W29 an empty tool', 'tool', '{}'],
  [
    'J49 every key of a tool',
    'tool',
    `
name: get_issue/v1.x
title: Get issue
description: { file: docs/get-issue.md }
parameters:
  issueKey: string
  limit: { type: integer, default: 50, minimum: 1, maximum: 100 }
  status: { enum: [open, closed], required: false }
  region: { type: string, header: Region }
  filter:
    type: object
    properties:
      labels: { type: array, items: string }
      range: { type: array, items: { type: object, properties: { from: string } } }
  any: { anyOf: [{ type: string }, { type: integer, whatever: 1 }] }
  nullable: { type: [string, 'null'], x-note: mine }
output: { key: string }
result: envelope
handler: src/tools/get-issue.ts#run
effect: read
annotations: { title: x, openWorldHint: true, anthropic/hint: 1 }
guidelines: { whenToUse: a, avoidIf: [b, c] }
guidelinesIn: instructions
errors: { NOT_FOUND: { message: none, status: 404, retryable: false, suggestedFix: 'use {{tool:search-issues}}' } }
options: { pageSize: { type: integer, default: 5 }, tags: { type: array, default: [a] } }
requires: { JIRA_TOKEN: required, sampling: suggested }
initialize: { handler: src/a.ts, when: start }
examples: [{ name: x, description: y, input: { issueKey: A-1 }, output: [1] }, { input: {}, error: NOT_FOUND }]
limits: { timeoutMs: 1, resultChars: 1 }
scopes: [a]
modes: [admin]
tags: [t]
enabled: true
confirm: false
additionalParameters: true
clean: [progress, repeats, ansi, truncate]
icons: [{ src: 'https://example.com/a.png', mimeType: image/png, sizes: [48x48], theme: dark }]
ui: { resourceUri: 'ui://a', visibility: [model, app], other: 1 }
_meta: { example.com/a: 1 }
task: optional`,
  ],
  [
    'J51 a raw schema with keywords of three dialects, also unknown ones',
    'tool',
    `
inputSchema:
  $schema: https://json-schema.org/draft/2020-12/schema
  type: object
  $defs: { address: { $anchor: addressDef, type: object, properties: { street: { type: string } } } }
  definitions: { old: true }
  properties:
    file: { type: string }
    name: { type: [string, 'null'], nullable: true, optional: true }
    address: { $ref: '#/$defs/address' }
    pair: { type: array, items: [{ type: string }, false] }
    tuple: { prefixItems: [{}], items: false }
    region: { type: string, x-mcp-header: Region }
  dependencies: { a: [b], c: { required: [d] } }
  dependentRequired: { a: [b] }
  allOf: [{ anyOf: [{ required: [phone] }, { required: [email] }] }]
  if: { properties: { contactMethod: { const: phone } } }
  then: { required: [phone] }
  else: false
  additionalProperties: false
  unevaluatedProperties: { type: string }
outputSchema: { file: mcp/schemas/issue.json }`,
  ],
  ['C11 a raw schema may describe a property called file', 'tool', 'inputSchema: { type: object, file: 1 }'],
  [
    'W22 references, patterns and inline definitions in a server',
    'server',
    `
name: pm
title: t
description: d
version: '1.0'
instructions: [a, b]
tools: [get-issue, search-*, acme/jira/get-issue, '*', { name: inline, parameters: { a: string } }]
prompts: []
resources: [{ name: r, uri: 'x://y', text: z }]
transport: http
http: { host: 0.0.0.0, port: 0, path: /mcp, allowedHosts: [a], allowedOrigins: [b], cors: true, maxBodyBytes: 1 }
auth: { type: oauth, issuer: i, audience: a, jwks: j, scopes: [s] }
initialize: src/start.ts
configName: jira
cache: { ttlMs: 1 }
strictArguments: true
pageSize: 10
enabled: false
icons: []
websiteUrl: https://example.com`,
  ],
  ['C14 a bearer token', 'server', 'auth: { type: bearer, env: MCP_TOKEN }'],
  [
    'C8 arguments in all their forms',
    'prompt',
    `
name: p
arguments:
  nothing:
  words: what it is
  more: { title: t, description: d, required: true, complete: [a, b] }
  computed: { complete: src/prompts/p.ts#complete }
text: { file: docs/prompt.md }
type: text
onError: message
examples: [{ input: { words: x } }]`,
  ],
  [
    'J49 every kind of message',
    'prompt',
    `
messages:
  - { role: user, text: 'hello {{name}}' }
  - { role: assistant, image: a.png }
  - { role: user, audio: { file: a.wav, mimeType: audio/wav } }
  - { role: user, resource: { uri: 'x://y', mimeType: text/plain, file: a.txt } }
  - { role: user, link: { uri: 'x://y', name: n, title: t, description: d, mimeType: text/plain } }`,
  ],
  [
    'C8 a resource template with completions',
    'resource',
    `
uriTemplate: jira://issue/{key}
name: issue
mimeType: application/json
size: 0
handler: src/resources/issue.ts
complete: { key: src/resources/issue.ts#complete, other: [a] }
subscribe: true
annotations: { audience: [user, assistant], priority: 0.5, lastModified: '2026-01-31T12:00:00Z' }
cache: { scope: public }`,
  ],
  [
    'P2 an overlay that changes and removes',
    'overlay',
    `
title: null
description: { file: x.md }
guidelines: { whenToUse: null, avoidIf: x }
annotations: { readOnlyHint: null, audience: null, priority: 1 }
instructions: [a]
options: { pageSize: 3, other: null }
enabled: null
limits: { timeoutMs: null, resultChars: 5 }`,
  ],
];

const refused: readonly (readonly [string, Subject, string, readonly string[]])[] = [
  ['W8 a manifest that is a list', 'pack', '[a]', ['/ type object']],
  ['W8 a list that is a text', 'pack', 'tools: x', ['/tools type array']],
  [
    'W5 every unknown key',
    'pack',
    '{ tool: [], vesion: a }',
    ['/ additionalProperties tool', '/ additionalProperties vesion'],
  ],
  ['W4 a declaration that is a number', 'pack', 'tools: [5]', ['/tools/0 type string,array,object']],
  ['W4 a pair of one', 'pack', 'tools: [[a]]', ['/tools/0 minItems']],
  ['W4 a pair of three', 'pack', 'tools: [[a, b, c]]', ['/tools/0 maxItems']],
  ['W4 a declaration without a name', 'pack', 'tools: [{ description: x }]', ['/tools/0 required name']],
  [
    'W4 a declared tool has no arguments',
    'pack',
    'tools: [{ name: a, arguments: [b] }]',
    ['/tools/0 additionalProperties arguments'],
  ],
  ['W4 a name with spaces', 'pack', 'tools: [a b]', ['/tools/0 pattern']],
  ['W4 a name with spaces in a pair', 'pack', 'tools: [[a b, c]]', ['/tools/0/0 pattern']],
  ['P3 a version that YAML reads as a number', 'pack', 'version: 1.10', ['/version type string']],
  ['W4 an npm name', 'pack', "name: '@acme/jira'", ['/name pattern']],
  ['W4 a config key with a dash', 'pack', 'config: { A-B: { type: string } }', ['/config pattern A-B']],
  ['W23 a config entry without its type', 'pack', 'config: { A: { secret: true } }', ['/config/A required type']],
  [
    'W8 a default of another type',
    'pack',
    'config: { A: { type: integer, default: x } }',
    ['/config/A/default type integer'],
  ],
  [
    'W8 an allowed value of another type',
    'pack',
    'config: { A: { type: boolean, enum: [yes] } }',
    ['/config/A/enum/0 type boolean'],
  ],
  ['W5 an unknown key of a tool', 'tool', 'paramters: {}', ['/ additionalProperties paramters']],
  ['W25 an unknown type', 'tool', 'parameters: { a: strin }', ['/parameters/a enum']],
  ['W25 null is no type of its own', 'tool', 'parameters: { a: { type: "null" } }', ['/parameters/a/type enum']],
  ['W25 a parameter that is a number', 'tool', 'parameters: { a: 5 }', ['/parameters/a type string,object']],
  ['W25 a parameter that is empty', 'tool', 'parameters: { a: }', ['/parameters/a type string,object']],
  ['W23 a parameter without a type', 'tool', 'parameters: { a: { description: x } }', ['/parameters/a required type']],
  [
    'W5 an unknown keyword in the shorthand, deep',
    'tool',
    'parameters: { a: { type: array, items: { type: object, properties: { b: { type: string, descripton: x } } } } }',
    ['/parameters/a/items/properties/b additionalProperties descripton'],
  ],
  [
    'W26 a list of required names in the shorthand',
    'tool',
    'parameters: { a: { type: object, required: [b] } }',
    ['/parameters/a/required type boolean'],
  ],
  [
    'W8 a wrong keyword type below anyOf',
    'tool',
    'parameters: { a: { anyOf: [{ minLength: x }] } }',
    ['/parameters/a/anyOf/0/minLength type integer'],
  ],
  [
    'W8 a wrong keyword type in a raw schema, deep',
    'tool',
    'inputSchema: { type: object, properties: { a: { items: { properties: { b: { enum: x } } } } } }',
    ['/inputSchema/properties/a/items/properties/b/enum type array'],
  ],
  ['W8 a raw schema that is a text', 'tool', 'inputSchema: x', ['/inputSchema type object']],
  [
    'P1 a file and more',
    'tool',
    'outputSchema: { file: x.json, title: y }',
    ['/outputSchema additionalProperties title'],
  ],
  ['P1 a description that is a number', 'tool', 'description: 5', ['/description type string,object']],
  [
    'P1 a description that is another map',
    'tool',
    'description: { path: x.md }',
    ['/description required file', '/description additionalProperties path'],
  ],
  ['W20 a wire name with a space', 'tool', 'name: get issue', ['/name pattern']],
  ['W20 a wire name that is too long', 'tool', `name: ${'a'.repeat(129)}`, ['/name pattern']],
  ['W4 a handler with two exports', 'tool', "handler: 'a.ts#b#c'", ['/handler pattern']],
  ['W8 an effect that does not exist', 'tool', 'effect: delete', ['/effect enum']],
  [
    'W8 an annotation of the wrong type',
    'tool',
    'annotations: { readOnlyHint: yes }',
    ['/annotations/readOnlyHint type boolean'],
  ],
  ['W23 an error without a message', 'tool', 'errors: { A: {} }', ['/errors/A required message']],
  ['W4 an error code in small letters', 'tool', 'errors: { notFound: { message: x } }', ['/errors pattern notFound']],
  ['W8 a status out of range', 'tool', 'errors: { A: { message: x, status: 999 } }', ['/errors/A/status maximum']],
  ['W97 a requirement of another word', 'tool', 'requires: { A: needed }', ['/requires/A enum']],
  ['W23 an initializer without a handler', 'tool', 'initialize: { when: start }', ['/initialize required handler']],
  ['W8 a timeout of zero', 'tool', 'limits: { timeoutMs: 0 }', ['/limits/timeoutMs minimum']],
  ['W8 an empty tag', 'tool', "tags: ['']", ['/tags/0 pattern']],
  ['W8 an example whose input is a list', 'tool', 'examples: [{ input: [] }]', ['/examples/0/input type object']],
  ['W22 an inline tool without a name', 'server', 'tools: [{ description: x }]', ['/tools/0 required name']],
  [
    'W22 an unknown key of an inline tool',
    'server',
    'tools: [{ name: a, efect: read }]',
    ['/tools/0 additionalProperties efect'],
  ],
  ['W22 a reference that is a number', 'server', 'tools: [5]', ['/tools/0 type string,object']],
  ['C14 auth without a type', 'server', 'auth: { env: A }', ['/auth required type']],
  ['C14 auth of another type', 'server', 'auth: { type: basic }', ['/auth/type enum']],
  ['C14 all that oauth lacks', 'server', 'auth: { type: oauth }', ['/auth required issuer', '/auth required audience']],
  [
    'C14 a key of the other type',
    'server',
    'auth: { type: bearer, env: A, issuer: x }',
    ['/auth additionalProperties issuer'],
  ],
  ['W8 a port out of range', 'server', 'http: { port: 70000 }', ['/http/port maximum']],
  ['W8 a path without its slash', 'server', 'http: { path: mcp }', ['/http/path pattern']],
  ['W23 a message without content', 'prompt', 'messages: [{ role: user }]', ['/messages/0 required text']],
  ['W23 a message without a role', 'prompt', 'messages: [{ text: x }]', ['/messages/0 required role']],
  ['W8 an argument that is a list', 'prompt', 'arguments: { a: [] }', ['/arguments/a type object,string,null']],
  ['W23 a resource without an address', 'resource', 'name: x', ['/ required uri']],
  [
    'W8 a priority above one',
    'resource',
    '{ uri: a, annotations: { priority: 2 } }',
    ['/annotations/priority maximum'],
  ],
  ['P2 a patch of a name', 'overlay', 'name: x', ['/ additionalProperties name']],
  ['P2 a patch of a schema', 'overlay', 'parameters: {}', ['/ additionalProperties parameters']],
];

describe('definitions that the language accepts', () => {
  it.each(accepted)('the language accepts %s', (_, subject, text) => {
    const data: unknown = parse(text);
    expect(mistakes(subject, data)).toEqual([]);
    expect(published[subject]?.(data)).toBe(true);
  });
});

describe('definitions that the language refuses', () => {
  it.each(refused)('the language refuses with one error per mistake: %s', (_, subject, text, expected) => {
    const data: unknown = parse(text);
    expect(mistakes(subject, data)).toEqual(expected);
    expect(published[subject]?.(data)).toBe(false);
  });
});

describe('combined files', () => {
  it('W13 a combined file holds definitions by item name', () => {
    const tools = compile('tools');
    expect(tools({ $schema: 'x', 'get-issue': { effect: 'read' } })).toBe(true);
    expect(tools({ 'get issue': {} })).toBe(false);
    expect(tools({ 'get-issue': { efect: 'read' } })).toBe(false);
    expect(compile('resources')({ issue: {} })).toBe(false);
  });

  it('P2 an overlay may use qualified names', () => {
    const overlays = compile('overlays');
    expect(overlays({ 'get-issue': { enabled: false }, 'acme/jira/get-issue': { title: null } })).toBe(true);
    expect(overlays({ 'a/b/c/d': {} })).toBe(false);
  });
});

describe('errors of the language', () => {
  it('W5 an error has the schema that refused, with the keys it knows and the rule in words', () => {
    const [unknown, name] = listFormErrors('tool', { efect: 'read', name: 'a b' });
    expect(unknown?.parentSchema).toMatchObject({ properties: { effect: {} } });
    expect(Object(name?.parentSchema).patternErrorMessage).toMatch(/^a name that clients see has/);
  });

  it('W5 an error is not misled by keys that every object inherits', () => {
    expect(mistakes('tool', parse('{ constructor: 1, toString: 2 }'))).toEqual([
      '/ additionalProperties constructor',
      '/ additionalProperties toString',
    ]);
    expect(mistakes('tool', parse('parameters: { constructor: string, hasOwnProperty: { type: string } }'))).toEqual(
      [],
    );
  });
});
