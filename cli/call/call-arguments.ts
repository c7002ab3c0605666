// In: the words after `toolwright call`. Out: which tool of which server, and its arguments as data.
import type { JsonSchema } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';
import { parseJson } from '../../schema/json-text.js';
import { parse } from '../../schema/parse/parse.js';
import { formatDiagnostics } from '../../schema/print/diagnostics.js';
import { shellLine } from '../../schema/print/shell-words.js';
import { readStdin } from '../terminal/read-stdin.js';
import { UsageError } from '../terminal/usage-error.js';

export interface CallWords {
  readonly server?: string | undefined;
  readonly tool: string;
  /** Text of JSON; `-` stands for stdin. */
  readonly json?: string | undefined;
}

/**
 * `[server] <tool> [json]`. Two words are a server and a tool, or a tool and its arguments: JSON looks like JSON, and else
 * the names of the servers decide.
 *
 * @example readWords(['get-issue', '{"issueKey": "PROJ-1"}'], () => []) // { tool: 'get-issue', json: '{...}' }
 */
export function readWords(words: readonly string[], serverNames: () => readonly string[]): CallWords {
  const [first = '', second, third, ...more] = words;
  const pairs = words.slice(1).filter(word => /^[\w.-]+=/.test(word));
  if (pairs.length > 0)
    throw new UsageError(
      `arguments are given with --arg: did you mean ${shellLine(pairs.flatMap(pair => ['--arg', pair]))}?`,
    );
  if (more.length > 0) throw new UsageError(`too many arguments: put the JSON in quotes, as in '{"key": "value"}'`);
  if (second === undefined) return { tool: first };
  if (third !== undefined) return { server: first, tool: second, json: third };
  if (looksLikeJson(second)) return { tool: first, json: second };
  const isServer = first.includes('/') || serverNames().includes(first);
  return isServer ? { server: first, tool: second } : { tool: first, json: second };
}

function looksLikeJson(word: string): boolean {
  return word === '-' || /^\s*[[{"']/.test(word);
}

/** The arguments of a call; `pairs` are `--arg key=value`, and win over the JSON. */
export function readArguments(
  json: string | undefined,
  pairs: readonly string[],
  schema: JsonSchema,
): Readonly<Record<string, unknown>> {
  const given = json === undefined ? {} : parseArguments(json === '-' ? readStdin(expectedOnStdin) : json);
  const named = new Map<string, unknown>();
  for (const pair of pairs) {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (key === '') throw new UsageError(`--arg needs key=value, not "${pair}"`);
    named.set(key, readValue(value, propertyOf(schema, key), named.get(key)));
  }
  return { ...given, ...Object.fromEntries(named) };
}

const expectedOnStdin = `the arguments as a JSON object, as in echo '{"key": "value"}' | toolwright call ...`;

function parseArguments(text: string): Readonly<Record<string, unknown>> {
  const name = 'arguments';
  const { documents, diagnostics } = parse({ path: name, format: 'json', text, hash: '' });
  if (diagnostics.length > 0) {
    const shown = formatDiagnostics(diagnostics, {
      format: 'text',
      textOf: file => (file === name ? text : undefined),
    });
    // There is only one file, which is none.
    const frames = shown.replace(/\n\d+ errors? in 1 file\n$/, '');
    throw new UsageError(`the arguments are not JSON\n${frames}${hintFor(text)}`);
  }
  const value = documents[0]?.value;
  if (!isMap(value)) throw new UsageError(`a tool's arguments are a JSON object, as in '{"key": "value"}'`);
  return value;
}

function hintFor(text: string): string {
  const quotes = /^\s*\{\s*[A-Za-z_]/.test(text)
    ? 'keys and strings need double quotes, and shells remove those unless everything is in single quotes: '
    : 'write ';
  return `hint: ${quotes}'{"key": "value"}', or use --arg key=value`;
}

function propertyOf({ properties }: JsonSchema, key: string): Readonly<Record<string, unknown>> {
  const property = isMap(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return isMap(property) ? property : {};
}

/**
 * A string stays one where the tool wants a string; anything else may be written as JSON. Where it wants an array, each `--arg` of
 * the name is one element, unless it is an array itself. `before`: what earlier ones have made.
 *
 * @example readValue('a', { type: 'array', items: { type: 'string' } }, ['b']) // ['b', 'a']
 */
function readValue(value: string, { type, items }: Readonly<Record<string, unknown>>, before: unknown): unknown {
  if (type === 'string') return value;
  const json = parseJson(value);
  const parsed = json === undefined ? value : json;
  if (type !== 'array' || Array.isArray(parsed)) return parsed;
  const element = isMap(items) ? readValue(value, items, undefined) : parsed;
  return [...(Array.isArray(before) ? before : []), element];
}
