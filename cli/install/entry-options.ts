// W88. In: what was typed after --option. Out: the variable that sets these options of tools, beside those that are set already.

import { optionExpectation } from '../../runtime/call/context/options.js';
import type { Server, Tool } from '../../runtime/load/program.js';
import type { OptionEntry } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';
import { parseJson } from '../../schema/json-text.js';
import { didYouMean } from '../../schema/nearest.js';
import { fitsOption } from '../../schema/scalar-types.js';
import type { LoadedFolder } from '../start/load-server.js';
import { UsageError } from '../terminal/usage-error.js';
import { settableTools } from './entry-tools.js';

/** By the tool's name and the option's. */
type SetOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** @example readOptionWords(['get-issue.limit=5'], { loaded, server, cwd }) // { 'get-issue': { limit: 5 } } */
export function readOptionWords(
  words: readonly string[],
  { loaded, server, cwd }: { readonly loaded: LoadedFolder; readonly server: Server; readonly cwd: string },
): SetOptions {
  if (words.length === 0) return {};
  const tools = settableTools(loaded, server, cwd);
  const set: Record<string, Record<string, unknown>> = {};
  for (const word of words) {
    const { tool, option, value } = readWord(word, server, tools);
    set[tool] = { ...set[tool], [option]: value };
  }
  return set;
}

/**
 * What a client has set already stays, unless it is set again.
 *
 * @example mergeOptions('{"a": {"x": 1}}', { a: { y: 2 } }) // '{"a":{"x":1,"y":2}}'
 */
export function mergeOptions(known: string | undefined, set: SetOptions): string {
  const before = parseJson(known ?? '');
  const merged: Record<string, unknown> = isMap(before) ? { ...before } : {};
  for (const [tool, values] of Object.entries(set)) {
    const own = merged[tool];
    merged[tool] = { ...(isMap(own) ? own : {}), ...values };
  }
  return JSON.stringify(merged);
}

function readWord(word: string, server: Server, tools: ReadonlyMap<string, Tool | undefined>) {
  const at = word.indexOf('=');
  const left = word.slice(0, Math.max(at, 0));
  // Both names may have dots: the longest tool that there is.
  const dots = [...left].flatMap((letter, index) => (letter === '.' ? [index] : [])).reverse();
  if (at < 1 || dots.length === 0) throw new UsageError(`--option needs tool.option=value, not "${word}"`);
  const dot = dots.find(index => tools.has(left.slice(0, index))) ?? dots.at(-1) ?? 0;
  const name = left.slice(0, dot);
  const option = left.slice(dot + 1);
  if (!tools.has(name)) {
    const list = tools.size === 0 ? 'it has none' : `it has ${[...tools.keys()].join(', ')}`;
    throw new UsageError(`--option: ${server.item} has no tool "${name}": ${didYouMean(name, tools.keys()) ?? list}`);
  }
  const declared = tools.get(name)?.definition.options ?? {};
  const entry = Object.hasOwn(declared, option) ? declared[option] : undefined;
  if (entry === undefined) {
    const names = Object.keys(declared);
    const list = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
    throw new UsageError(`--option: ${name} has no option "${option}": ${didYouMean(option, names) ?? list}`);
  }
  const value = toValue(entry, word.slice(at + 1));
  if (!fitsOption(entry, value))
    throw new UsageError(
      `--option: ${name}.${option} must be ${optionExpectation(entry)}, not "${word.slice(at + 1)}"`,
    );
  return { tool: name, option, value };
}

/** Text stays text; what else there is, is written as in JSON. */
function toValue({ type }: OptionEntry, text: string): unknown {
  return type === 'string' ? text : parseJson(text);
}
