// X3: what stands after `--` on a command line, as in `toolwright start main -- --caps=pdf dir`. In: the words, and the configuration of
// the server's own pack. Out: variables of this process; or what is wrong with the words.
import type { ConfigEntry } from '../../schema/definitions.js';
import { didYouMean } from '../../schema/nearest.js';
import { ownFlags } from '../../schema/own-flags.js';
import { visible } from '../../schema/print/visible.js';
import { UsageError } from '../terminal/usage-error.js';
import { flagNames, hasWords, helpRows, openConfigWords, printPlaces } from './config-words.js';

type Config = Readonly<Record<string, ConfigEntry>>;

export interface WordFlags {
  /** What follows `--`; absent where no `--` was typed. */
  readonly words?: readonly string[] | undefined;
}

/**
 * The variables that words set.
 *
 * @example readServerWords({ CAPS: { type: 'array', flag: 'caps' } }, ['--caps=pdf']) // { CAPS: '["pdf"]' }
 */
export function readServerWords(config: Config, words: readonly string[]): Readonly<Record<string, string>> {
  const read = openConfigWords(config);
  for (let index = 0; index < words.length; ) {
    const taken = read.take(words, index);
    if (taken === undefined) throw new UsageError(unknownWord(words[index] ?? '', config));
    if ('problem' in taken) throw new UsageError(taken.problem);
    index = taken.next;
  }
  return read.variables();
}

function unknownWord(word: string, config: Config): string {
  const shown = visible(JSON.stringify(word));
  const known = flagNames(config);
  const list = helpRows(config).length === 0 ? 'it has no flags' : `it has ${namesOf(config)}`;
  if (!word.startsWith('-')) return `the server takes no argument ${shown} (${list})`;
  const name = word.replace(/=.*$/s, '');
  if (ownFlags.has(name.slice(2))) return `${name} is an option of toolwright: write it before --`;
  const own = [...ownFlags].map(one => `--${one}`);
  const meant = didYouMean(name, [...known, ...own]);
  return `the server has no flag ${visible(name)}${meant === undefined ? '' : `: ${meant}`} (${list})`;
}

function namesOf(config: Config): string {
  return [...flagNames(config), printPlaces(config)].filter(one => one !== '').join(', ');
}

/** Puts them into the environment of this process: what is typed counts most. */
export function applyWords(config: Config, { words = [] }: WordFlags): void {
  for (const [name, value] of Object.entries(readServerWords(config, words))) process.env[name] = value;
}

export function asksForHelp({ words = [] }: WordFlags): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? words.length : end).some(word => word === '--help' || word === '-h');
}

/** What the server adds to a help; nothing where it takes no words. */
export function printWordsHelp(config: Config, server: string): string {
  if (!Object.values(config).some(hasWords)) return '';
  const rows = helpRows(config);
  const width = Math.max(...rows.map(([shown]) => shown.length));
  const lines = rows.map(([shown, says]) => `  ${shown.padEnd(width)}  ${visible(says)}`);
  return `Flags of ${visible(server)}, after "--":\n${lines.join('\n')}\n`;
}
