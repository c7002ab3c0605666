// What an author starts a definition from: snippets for whole items. They stand in files of the kind only,
// because inside other files an item needs a name as well.
import { type Schema, snippet } from './shape.js';

const types = '|string,integer,number,boolean,array,object|';

/** Kind -> snippets of a new item. */
export const starters: Readonly<Record<string, readonly Schema[]>> = {
  pack: [
    snippet('pack', 'A pack with one server and one tool', {
      name: '${1:publisher/pack}',
      version: '${2:0.1.0}',
      servers: ['${3:server-name}'],
      tools: ['${4:tool-name}'],
    }),
  ],
  server: [
    snippet('server', 'A server over stdio', { description: '${1:What it is for}', tools: ['${2:tool-name}'] }),
    snippet('http server', 'A server over HTTP with a token', {
      description: '${1:What it is for}',
      transport: 'http',
      http: { port: '${2:3000}' },
      auth: { type: 'bearer', env: '${3:MCP_TOKEN}' },
    }),
  ],
  tool: [
    snippet('tool', 'A tool with one parameter', {
      description: '${1:What it does and returns}',
      effect: '${2|read,write,destructive|}',
      parameters: { '${3:name}': { type: `\${4${types}}`, description: '${5:What it means}' } },
    }),
    snippet('tool with output', 'A tool with structured output and an example', {
      description: '${1:What it does and returns}',
      effect: '${2|read,write,destructive|}',
      parameters: { '${3:name}': { type: `\${4${types}}`, description: '${5:What it means}' } },
      output: { '${6:result}': `\${7${types}}` },
      examples: [{ name: '${8:what it shows}', input: { '${3:name}': '${9:value}' } }],
    }),
  ],
  prompt: [
    snippet('prompt', 'A template with one argument', {
      description: '${1:What it is for}',
      arguments: { '${2:name}': { description: '${3:What it means}', required: true } },
      text: '${4:text}',
    }),
  ],
  resource: [
    snippet('resource', 'A file with an address', {
      uri: '${1:scheme://path}',
      description: '${2:What it holds}',
      file: '${3:docs/file.md}',
    }),
    snippet('resource template', 'A family of addresses', {
      uriTemplate: '${1:scheme://path/{id\\}}',
      description: '${2:What it holds}',
      mimeType: '${3:application/json}',
    }),
  ],
  overlay: [snippet('overlay', 'Another description', { description: '${1:What the model should read}' })],
};

/** Numbers of the cursor stops, one up: the first place is taken by the name. */
function shift(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\$\{(\d+)/g, (_, stop: string) => `\${${Number(stop) + 1}`);
  if (Array.isArray(value)) return value.map(shift);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [shift(key), shift(one)]));
}

/** The same snippets for a combined file: an item name, and the item under it. */
export function namedStarters(kind: string): readonly Schema[] {
  return (starters[kind] ?? []).map(one => ({ ...one, body: { '${1:item-name}': shift(one['body']) } }));
}
