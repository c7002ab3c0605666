// What a file is that is not an OpenAPI document. In: its text, or its value. Out: what it seems to be and what its user can do, or nothing.
import { asList, asMap, asText, isMap } from '../../../../schema/document.js';

/** Continues the sentence "it seems to be". */
export interface Recognized {
  readonly name: string;
  readonly hint: string;
}

const giveDocument = 'give the OpenAPI document: it begins with `openapi: 3` or `swagger: "2.0"`';
const export3 = 'export it as OpenAPI 3, and import that';

interface TextRule extends Recognized {
  readonly test: RegExp;
}

/** In order: the first that fits. Only the beginning of the text is looked at. */
const texts: readonly TextRule[] = [
  { test: /^\s*$/, name: 'empty', hint: giveDocument },
  { test: /^(?:PK\x03\x04|\x1f\ufffd?)/, name: 'a compressed file', hint: 'unpack it first' },
  { test: /^%PDF-/, name: 'a PDF file', hint: giveDocument },
  { test: /^\ufffd{0,2}(?:[^\0]\0){2}|^\ufffd{0,2}(?:\0[^\0]){2}/, name: 'text in UTF-16', hint: 'save it as UTF-8' },
  { test: /\0|\ufffd.*\ufffd.*\ufffd/s, name: 'a binary file', hint: giveDocument },
  {
    test: /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i,
    name: 'an HTML page',
    hint: 'give the address of the document itself, not of the page that shows it: such pages load it from an address that ends in .json or .yaml',
  },
  {
    test: /^\s*<[?!\w][\s\S]{0,2000}?(?:wsdl|definitions)/i,
    name: 'a WSDL description (SOAP)',
    hint: 'SOAP cannot be imported: write tools with `http` by hand',
  },
  { test: /^\s*<[?!\w]/, name: 'an XML file', hint: giveDocument },
  { test: /^\s*#%RAML/, name: 'a RAML description', hint: 'convert it to OpenAPI 3 first' },
  { test: /^\s*FORMAT:\s*1A/i, name: 'an API Blueprint', hint: 'convert it to OpenAPI 3 first' },
  {
    test: /^\s*(?:\/\/[^\n]*\n\s*)*syntax\s*=\s*["']proto/,
    name: 'a Protocol Buffers file',
    hint: 'generate an OpenAPI document from it first',
  },
  {
    test: /^(?:\s*(?:#[^\n]*\n|"""(?:(?!""")[\s\S]){0,2000}"""|"[^"\n]*"[ \t]*\n))*\s*(?:extend\s+)?(?:type|interface|input|enum|union|scalar|directive|schema)\s+[@\w{][^\n:]*(?:\{|\n|=)/,
    name: 'a GraphQL schema',
    hint: 'GraphQL has no operations to import: write tools with `http` and a query in `body`',
  },
  {
    test: /^version https:\/\/git-lfs\./,
    name: 'a pointer of Git LFS',
    hint: 'run `git lfs pull` to get the file itself',
  },
];

/** Enough for comments at the top of a file. */
const looked = 10_000;

export function recognizeText(text: string): Recognized | undefined {
  const start = text.slice(0, looked);
  return texts.find(({ test }) => test.test(start));
}

interface ValueRule extends Recognized {
  readonly test: (map: Readonly<Record<string, unknown>>) => boolean;
}

const values: readonly ValueRule[] = [
  { test: map => 'asyncapi' in map, name: 'an AsyncAPI document', hint: 'AsyncAPI describes messages, not requests' },
  {
    test: ({ info, item }) =>
      isMap(info) && ('_postman_id' in info || /postman/i.test(asText(info.schema)) || Array.isArray(item)),
    name: 'a Postman collection',
    hint: export3,
  },
  {
    test: map => 'swaggerVersion' in map || (Array.isArray(map.apis) && !('paths' in map)),
    name: 'a Swagger 1.x description',
    hint: 'convert it to OpenAPI 3 first: 2.0 is the oldest version that is read',
  },
  { test: map => 'arazzo' in map, name: 'an Arazzo description', hint: 'give the OpenAPI document that it uses' },
  {
    test: map => 'overlay' in map && 'actions' in map,
    name: 'an OpenAPI overlay',
    hint: 'apply it to its document, and import the result',
  },
  {
    test: ({ kind }) => kind === 'discovery#restDescription',
    name: 'a Google API discovery document',
    hint: 'convert it to OpenAPI 3 first',
  },
  {
    test: ({ data, __schema }) => isMap(__schema) || '__schema' in asMap(data),
    name: 'a GraphQL schema',
    hint: 'GraphQL has no operations to import: write tools with `http` and a query in `body`',
  },
  {
    test: ({ _type, resources }) => _type === 'export' && Array.isArray(resources),
    name: 'an Insomnia export',
    hint: export3,
  },
  { test: ({ log }) => Array.isArray(asMap(log).entries), name: 'a HAR recording', hint: giveDocument },
  {
    test: map => isMap(map.mcpServers) || (isMap(map.servers) && !('paths' in map)),
    name: 'settings for an MCP client',
    hint: 'give the command or the address of one of its servers',
  },
  {
    test: map => typeof map.apiVersion === 'string' && typeof map.kind === 'string',
    name: 'a Kubernetes manifest',
    hint: giveDocument,
  },
  {
    test: map =>
      typeof map.name === 'string' && ('dependencies' in map || 'devDependencies' in map || 'scripts' in map),
    name: 'a package.json file',
    hint: giveDocument,
  },
  {
    test: map => isJsonSchema(map),
    name: 'a JSON Schema',
    hint: 'a schema has no operations: put it into the folder schemas/ of a pack to use it there',
  },
  {
    test: map => ['message', 'error', 'errors', 'detail', 'status', 'statusCode'].some(key => key in map),
    name: 'the answer of a service',
    hint: 'open the address in a browser to see what it says; it may need a login or an exact path',
  },
];

function isJsonSchema(map: Readonly<Record<string, unknown>>): boolean {
  if (typeof map.$schema === 'string' && map.$schema.includes('json-schema.org')) return true;
  return (typeof map.type === 'string' && isMap(map.properties)) || isMap(map.$defs);
}

/** What could not be parsed, and does not look as if it ought to be an OpenAPI document with a mistake. */
export const unparsed: Recognized = { name: 'text that is neither JSON nor YAML', hint: giveDocument };

const namesVersion = /^[\s{,]*["']?(?:openapi|swagger)["']?\s*:/m;

export function isMeantAsOpenApi(text: string): boolean {
  return namesVersion.test(text.slice(0, looked));
}

/** What the value of a document without a version of OpenAPI is. */
export function recognizeValue(value: unknown): Recognized {
  if (Array.isArray(value)) return { name: `a list of ${asList(value).length}`, hint: giveDocument };
  if (value === null || value === undefined) return { name: 'empty', hint: giveDocument };
  if (!isMap(value)) return { name: 'plain text', hint: giveDocument };
  const found = values.find(({ test }) => test(value));
  const keys = Object.keys(value).slice(0, 5).join(', ');
  return found ?? { name: keys === '' ? 'an empty map' : `other data, with the keys ${keys}`, hint: giveDocument };
}
