// What is not an OpenAPI document: one diagnostic that says what it seems to be, and what to do.
import { describe, expect, it } from 'vitest';
import { read, said } from './read-harness.js';

describe('what is not an OpenAPI document', () => {
  it.each<[string, string, string]>([
    ['an HTML page', '<!doctype html>\n<html lang="en"></html>', 'give the address of the document itself'],
    ['an HTML page', '<!-- note -->\n<html>', 'give the address of the document itself'],
    ['a WSDL description (SOAP)', '<?xml version="1.0"?>\n<wsdl:definitions name="a"/>', 'SOAP cannot be imported'],
    ['an XML file', '<?xml version="1.0"?>\n<a/>', 'give the OpenAPI document'],
    ['empty', '', 'give the OpenAPI document'],
    ['empty', ' \n\n', 'give the OpenAPI document'],
    ['empty', 'null', 'give the OpenAPI document'],
    ['a compressed file', 'PK\x03\x04\x14\0', 'unpack it first'],
    ['a compressed file', '\x1f\ufffd\b\0', 'unpack it first'],
    ['a PDF file', '%PDF-1.7\n', 'give the OpenAPI document'],
    ['text in UTF-16', 'o\0p\0e\0n\0', 'save it as UTF-8'],
    ['a binary file', '\x7fELF\x02\0\0', 'give the OpenAPI document'],
    ['a RAML description', '#%RAML 1.0\ntitle: A', 'convert it to OpenAPI 3 first'],
    ['an API Blueprint', 'FORMAT: 1A\n# A', 'convert it to OpenAPI 3 first'],
    ['a Protocol Buffers file', '// a\nsyntax = "proto3";', 'generate an OpenAPI document'],
    ['a GraphQL schema', '# a\n"""\nA query\n"""\ntype Query {\n  a: Int\n}', 'GraphQL has no operations'],
    ['a GraphQL schema', '{"data": {"__schema": {"types": []}}}', 'GraphQL has no operations'],
    ['a pointer of Git LFS', 'version https://git-lfs.github.com/spec/v1\noid sha256:1', 'git lfs pull'],
    ['text that is neither JSON nor YAML', '# A page\n\nSome: words\n- and a list\nend', 'give the OpenAPI document'],
    ['plain text', 'hello', 'give the OpenAPI document'],
    ['a list of 2', '- a\n- b', 'give the OpenAPI document'],
    ['a list of 1', '[{"openapi": "3.0.0"}]', 'give the OpenAPI document'],
    ['an AsyncAPI document', 'asyncapi: 3.0.0', 'messages'],
    ['a Postman collection', '{"info": {"_postman_id": "1"}, "item": []}', 'export it as OpenAPI 3'],
    [
      'a Postman collection',
      '{"info": {"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}}',
      'export it as OpenAPI 3',
    ],
    ['a Swagger 1.x description', '{"swaggerVersion": "1.2", "apis": []}', 'convert it to OpenAPI 3 first'],
    ['an Arazzo description', 'arazzo: 1.0.0', 'the OpenAPI document that it uses'],
    ['an OpenAPI overlay', 'overlay: 1.0.0\nactions: []', 'apply it to its document'],
    ['a Google API discovery document', '{"kind": "discovery#restDescription"}', 'convert it to OpenAPI 3 first'],
    ['an Insomnia export', '{"_type": "export", "resources": []}', 'export it as OpenAPI 3'],
    ['a HAR recording', '{"log": {"entries": []}}', 'give the OpenAPI document'],
    ['settings for an MCP client', '{"mcpServers": {}}', 'the command or the address of one of its servers'],
    ['a Kubernetes manifest', 'apiVersion: v1\nkind: Service', 'give the OpenAPI document'],
    ['a package.json file', '{"name": "a", "scripts": {}}', 'give the OpenAPI document'],
    ['a JSON Schema', '{"$schema": "https://json-schema.org/draft/2020-12/schema"}', 'schemas/'],
    ['a JSON Schema', '{"type": "object", "properties": {}}', 'schemas/'],
    ['the answer of a service', '{"message": "Not Found"}', 'open the address in a browser'],
    ['an empty map', '{}', 'give the OpenAPI document'],
    ['other data, with the keys a, b', 'a: 1\nb: 2', 'give the OpenAPI document'],
  ])('I1 the reader recognizes %s: %j', (seems, text, hint) => {
    const { api, diagnostics } = read(text, { file: 'b.json' });
    expect(api).toBeUndefined();
    expect(said(diagnostics)).toEqual([
      `error import/not-openapi b.json:1:1 "b.json" is not an OpenAPI document: it seems to be ${seems}`,
    ]);
    expect(diagnostics[0]?.hint).toContain(hint);
  });

  it.each([
    ['swagger: "1.2"\npaths: {}', '1:10', '1.2'],
    ['{"paths": {},\n "openapi": "4.0.0"}', '2:13', '4.0.0'],
    ['openapi: next', '1:10', 'next'],
  ])('I1 the version of %j is refused', (text, place, version) => {
    const { api, diagnostics } = read(text);
    expect(api).toBeUndefined();
    expect(said(diagnostics)).toEqual([
      `error import/unknown-version api.yaml:${place} "api.yaml" has the version "${version}" of OpenAPI, which cannot be read`,
    ]);
  });

  it.each([
    ['paths: { /a: { get: {} } }', '3.0', ['OpenAPI 3.0" is assumed: the document does not say its version']],
    ['host: a.example\npaths: {}', '2.0', ['OpenAPI 2.0" is assumed: the document does not say its version']],
    ['openapi: 3.9.1\npaths: {}', '3.2', ['OpenAPI 3.2" is assumed: 3.9.1 is newer than what is known here']],
    ['openapi: 3.1\npaths: {}', '3.1', []],
    ['swagger: 2\npaths: {}', '2.0', []],
    ['openapi: v3.0.1\npaths: {}', '3.0', []],
  ])('I1 the version of %j is understood as %s', (text, version, warnings) => {
    const { api, diagnostics } = read(text);
    expect(api?.version).toBe(version);
    expect(diagnostics.map(({ message }) => message)).toEqual(warnings.map(warning => `"${warning}`));
  });
});

describe('documents that are too much', () => {
  it('I1 a document above the limit is refused before it is parsed', () => {
    const text = `{"openapi": "3.0.0", "paths": ${' '.repeat(3 * 2 ** 20)}{}`;
    expect(said(read(text, { limit: 2 ** 20 }).diagnostics)).toEqual([
      'error import/too-large api.yaml:1:1 "api.yaml" has 4 MiB, and 1 MiB is the most that is read',
    ]);
  });

  it('I1 aliases that multiply, deep nesting and tabs have the diagnostics of the parser', () => {
    const bomb = `openapi: 3.0.0\na: &a [${'1, '.repeat(99)}]\nb: &b [${'*a, '.repeat(99)}]\nc: [${'*b, '.repeat(99)}]`;
    expect(said(read(bomb).diagnostics)[0]).toMatch(/^error parse\/alias-bomb api\.yaml:4:\d+ /);
    const deep = `{"openapi": "3.0.0",\n"paths": ${'['.repeat(300)}${']'.repeat(300)}}`;
    expect(said(read(deep).diagnostics)).toEqual([
      'error parse/too-deep api.yaml:2:209 the data is nested more than 200 levels deep',
    ]);
    expect(said(read('openapi: 3.0.0\npaths:\n\t/a: {}').diagnostics)).toEqual([
      'error parse/tab api.yaml:3:1 YAML does not allow tabs for indentation',
    ]);
  });

  it('I1 a mistake in the JSON or YAML of a document has its place', () => {
    expect(said(read('{"openapi": "3.0.0",\n "paths": {"/a" {}}}', { file: 'a.json' }).diagnostics)).toEqual([
      'error parse/json a.json:2:12 a colon is missing after this key',
    ]);
    expect(said(read('openapi: 3.0.0\npaths:\n  /a: [\n').diagnostics)[0]).toMatch(/^error parse\/yaml api\.yaml:3:7 /);
  });

  it('I1 nothing that was made to take long takes long', () => {
    const hostile = [
      '"""'.repeat(3000),
      '"a"\n\n\n'.repeat(2000),
      '#\n'.repeat(5000),
      '\n'.repeat(200_000).concat('-'),
      `openapi: 3.0.0\npaths: { "/${'{a'.repeat(50_000)}": { get: {} } }`,
      `openapi: 3.0.0\npaths: { "/{a${' '.repeat(3900)}": { get: {} } }`,
      `openapi: 3.0.0\nservers: [{ url: "${'/'.repeat(100_000)}a" }]\npaths: { /a: { get: {} } }`,
      JSON.stringify({
        openapi: '3.0.0',
        components: { parameters: Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`name${at}`, {}])) },
        paths: Object.fromEntries(
          Array.from({ length: 3000 }, (_, at) => [
            `/a${at}`,
            { get: { parameters: [{ $ref: `#/components/parameters/nema${at}` }] } },
          ]),
        ),
      }),
    ];
    for (const text of hostile) {
      const before = process.cpuUsage();
      read(text);
      const { user } = process.cpuUsage(before);
      expect(user / 1e6).toBeLessThan(4);
    }
  }, 60_000);
});
