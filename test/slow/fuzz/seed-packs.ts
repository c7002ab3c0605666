// The packs that mutations start from: the examples, the golden cases, and one that uses every field.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Texts by path relative to the pack. */
export type PackFiles = Readonly<Record<string, string>>;

const manifestTypes = ['.yaml', '.yml', '.json', '.md'];

export function readSeedPacks(): readonly PackFiles[] {
  const examples = foldersIn('../../../examples/').map(readPack);
  const golden = foldersIn('../../golden/').map(folder => readPack(join(folder, 'in')));
  return [...examples, ...golden, widePack];
}

function foldersIn(path: string): readonly string[] {
  const folder = fileURLToPath(new URL(path, import.meta.url));
  return readdirSync(folder)
    .sort()
    .map(name => join(folder, name));
}

function readPack(folder: string): PackFiles {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(path => join(folder, path));
  return Object.fromEntries(
    paths
      .filter(path => manifestTypes.includes(extname(path)) && !path.endsWith('README.md'))
      .sort()
      .map(path => [relative(folder, path).split(sep).join('/'), readFileSync(path, 'utf8')]),
  );
}

const widePack: PackFiles = {
  'toolwright.yaml': 'name: acme/wide\nversion: 1.0.0\nconfig:\n  TOKEN: {type: string, secret: true}\n',
  'package.json': '{"name": "@acme/wide", "version": "1.0.0"}\n',
  'mcp/tools/wide.yaml': `
name: wide_tool
title: Wide
description: {file: mcp/wide.md}
parameters:
  key: {type: string, pattern: "^[A-Z]+$", default: ABC, header: Key}
  list: {type: array, items: {type: object, properties: {a: string, b: {type: integer, default: 1}}}, required: false}
output: {ok: boolean}
errors: {NOT_FOUND: {message: No such key, status: 404, retryable: false, suggestedFix: "Call {{tool:raw}}"}}
options: {limit: {type: integer, default: 5, enum: [5, 10]}}
requires: {TOKEN: required, sampling: suggested}
guidelines: {whenToUse: Always, avoidIf: [never, "{{tool:raw}}"]}
annotations: {readOnlyHint: true}
examples: [{name: one, input: {key: ABC}, output: {ok: true}}, {name: two, input: {key: X}, error: NOT_FOUND}]
limits: {timeoutMs: 1000, resultChars: 10}
initialize: {handler: src/init.ts#start, when: start}
cache: {ttlMs: 5, scope: private}
icons: [{src: x.png, sizes: [16x16], theme: dark}]
ui: {resourceUri: "ui://x", visibility: [model]}
_meta: {anything: [1, {goes: here}]}
`,
  'mcp/wide.md': 'Uses {{tool:raw}}.\n',
  'mcp/tools.json': JSON.stringify({
    raw: {
      description: 'Raw',
      inputSchema: {
        type: 'object',
        properties: {
          p: { $ref: '#/$defs/node' },
          q: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
        },
        required: ['p'],
        $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      },
      outputSchema: { type: 'array', items: { enum: ['a', 'b'] } },
    },
  }),
  'mcp/prompts.yaml': `
ask: {description: Ask, arguments: {topic: What about, tone: {required: true, complete: [warm, cold]}}, text: "{{#if tone}}{{topic}}{{/if}}"}
say:
  description: Say
  arguments: {who:}
  messages:
    - {role: user, text: "Hello {{who}}"}
    - {role: assistant, resource: {uri: "x://y", text: hi}}
`,
  'mcp/resources.yml':
    'doc: {uri: "doc://a", text: Hello}\nfamily: {uriTemplate: "doc://{id}", complete: {id: [a, b]}}\n',
  'mcp/servers.yaml': `
main:
  description: Main
  instructions: [First, "Use {{tool:wide}}"]
  tools: [wide, "r*", {name: inline, description: Inline, parameters: {a: string}}]
  transport: http
  http: {port: 3000, path: /mcp, allowedHosts: [a]}
  auth: {type: bearer, env: TOKEN}
`,
};
