// In: a word that is not one of those a key takes. Out: how to write what was probably meant.
import { didYouMean } from '../nearest.js';
import { typeWords } from './hints.js';

/** What other languages call the types of parameters. */
const foreignTypes: Readonly<Record<string, string>> = {
  str: 'string',
  text: 'string',
  char: 'string',
  uuid: '{ type: string, format: uuid }',
  email: '{ type: string, format: email }',
  any: 'the types it may have under anyOf, or leave the parameter out and set additionalParameters: true',
  int: 'integer',
  int32: 'integer',
  int64: 'integer',
  decimal: 'number',
  enum: '{ type: string, enum: [a, b] }',
  long: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  list: '{ type: array, items: string }',
  dict: 'object',
  map: 'object',
  date: '{ type: string, format: date }',
  datetime: '{ type: string, format: date-time }',
  url: '{ type: string, format: uri }',
};

/** How to write a word that is not one of those a key takes. */
export function wordHint(word: string, allowed: readonly string[]): string | undefined {
  const bare = /^[“„‘](.*)[”“’]$/.exec(word)?.[1];
  if (bare !== undefined && allowed.includes(bare))
    return `write ${bare}, without the quotes: “ and ” are text in YAML`;
  const isType = allowed.includes('string') && allowed.includes('integer');
  return (isType ? typeNameHint(word) : undefined) ?? foreignWordHint(word, allowed) ?? didYouMean(word, allowed);
}

function typeNameHint(text: string): string | undefined {
  const [, base = '', suffix] = /^(\w+)(\[\]|\?| *\| *null)$/.exec(text) ?? [];
  if (suffix === '[]') return `write { type: array, items: ${base} }`;
  if (suffix !== undefined) return `write { type: ${base}, required: false }`;
  const [, outer = '', inner = ''] = /^(\w+) *[[(<]([^[\](){}<>]{1,80})[\])>]$/.exec(text) ?? [];
  if (/^(?:enum|literal)$/i.test(outer)) return enumHint(inner.split(','));
  if (/^(?:array|list|set)$/i.test(outer)) return `write { type: array, items: ${foreignType(inner) ?? inner} }`;
  if (text.length <= 80 && text.includes('|') && !text.includes('||')) return enumHint(text.split('|'));
  const known = foreignType(text);
  return known === undefined ? undefined : `write ${known}`;
}

function foreignType(text: string): string | undefined {
  const type = text.toLowerCase();
  return Object.hasOwn(foreignTypes, type) ? foreignTypes[type] : undefined;
}

/** Words only: what has other characters would need quotes of its own. Of types there is no enum. */
function enumHint(written: readonly string[]): string | undefined {
  const words = written.map(one => one.trim().replace(/^(["'])(.*)\1$/, '$2'));
  const areWords = words.every(one => /^[\w.-]+$/.test(one) && !typeWords.includes(one));
  return areWords ? `write { type: string, enum: [${words.join(', ')}] }` : undefined;
}

/** What others call a value of a fixed set, by the value that is meant. */
const foreignWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  http: {
    sse: 'write http: it is Streamable HTTP, which replaced the older SSE transport',
    'streamable-http': 'write http: it is Streamable HTTP',
    streamablehttp: 'write http: it is Streamable HTTP',
    streamable_http: 'write http: it is Streamable HTTP',
    https: 'write http: leave TLS to a proxy in front of the server',
  },
  stdio: { local: 'did you mean "stdio"?', command: 'did you mean "stdio"?' },
  read: { readonly: 'did you mean "read"?', none: 'did you mean "read"?', get: 'did you mean "read"?' },
  destructive: { delete: 'did you mean "destructive"?' },
  write: { update: 'did you mean "write"?', create: 'did you mean "write"?' },
  user: { human: 'did you mean "user"?' },
  assistant: {
    system: 'prompts have no system role: write user',
    model: 'did you mean "assistant"?',
    ai: 'did you mean "assistant"?',
  },
};

function foreignWordHint(word: string, allowed: readonly string[]): string | undefined {
  const key = word.toLowerCase().replaceAll(' ', '-');
  for (const one of allowed) {
    const hints = Object.hasOwn(foreignWords, one) ? foreignWords[one] : undefined;
    if (hints !== undefined && Object.hasOwn(hints, key)) return hints[key];
  }
  return undefined;
}
