// X3: configuration on a command line. In: the keys that have a flag or an argument, and words. Out: what the words set, as variables
// of the environment, where everything else looks for configuration. Built servers read their words with it before anything is loaded.
import { readList } from '../../schema/config-list.js';
import type { ConfigEntry } from '../../schema/definitions.js';

/** What the words need to know of a key. */
type WordKey = Pick<ConfigEntry, 'type' | 'flag' | 'argument'>;
export type WordKeys = Readonly<Record<string, WordKey>>;

/** How a word was read: up to which word, or what is wrong with it. Undefined where it belongs to nobody. */
type Taken = { readonly next: number } | { readonly problem: string } | undefined;

export interface ConfigWords {
  /** Reads the word at an index, and its value where that is the next word. */
  take(words: readonly string[], index: number): Taken;
  /** By the name of the key; lists are JSON. */
  variables(): Readonly<Record<string, string>>;
}

/**
 * Reads words one after the other, so that those of others may stand between them.
 *
 * @example
 * const words = openConfigWords({ CAPS: { type: 'array', flag: 'caps' } });
 * words.take(['--caps', 'pdf'], 0); // { next: 2 }
 * words.variables(); // { CAPS: '["pdf"]' }
 */
export function openConfigWords(keys: WordKeys): ConfigWords {
  const flags = new Map<string, readonly [name: string, key: WordKey, isOff: boolean]>();
  for (const [name, key] of Object.entries(keys)) {
    if (key.flag === undefined) continue;
    if (!flags.has(key.flag)) flags.set(key.flag, [name, key, false]);
    if (key.type === 'boolean' && !flags.has(`no-${key.flag}`)) flags.set(`no-${key.flag}`, [name, key, true]);
  }
  const places = placesOf(keys);
  const rest = restOf(keys);
  const texts = new Map<string, string>();
  const lists = new Map<string, string[]>();
  let place = 0;
  let isPlain = false;

  function set(name: string, { type }: WordKey, text: string, shown: string): string | undefined {
    if (type !== 'array') {
      if (text === '' && type !== 'string') return `${shown} needs a value`;
      texts.set(name, text);
      return undefined;
    }
    const items = readList(text);
    if (items === undefined)
      return `${shown} needs a list, as a,b or as a JSON array of strings, not ${JSON.stringify(text)}`;
    lists.set(name, [...(lists.get(name) ?? []), ...items]);
    return undefined;
  }

  function takeFlag(words: readonly string[], index: number): Taken {
    const word = words[index] ?? '';
    const equals = word.indexOf('=');
    const typed = equals < 0 ? word : word.slice(0, equals);
    const [name, key, isOff] = flags.get(typed.slice(2)) ?? [];
    if (name === undefined || key === undefined) return undefined;
    const given = equals < 0 ? undefined : word.slice(equals + 1);
    if (key.type === 'boolean') {
      if (isOff && given !== undefined) return { problem: `${typed} takes no value` };
      const problem = set(name, key, given ?? String(isOff !== true), typed);
      return problem === undefined ? { next: index + 1 } : { problem };
    }
    const next = words[index + 1];
    if (given === undefined && (next === undefined || next.startsWith('--')))
      return { problem: `${typed} needs a value: ${printFlag(key)}` };
    const problem = set(name, key, given ?? next ?? '', typed);
    return problem === undefined ? { next: index + (given === undefined ? 2 : 1) } : { problem };
  }

  return {
    take(words, index) {
      const word = words[index] ?? '';
      const mayBeFlag = !isPlain && word.startsWith('-') && word !== '-' && !/^-\.?\d/.test(word);
      if (mayBeFlag && word === '--') {
        isPlain = true;
        return { next: index + 1 };
      }
      if (mayBeFlag) return word.startsWith('--') ? takeFlag(words, index) : undefined;
      const [name, key] = places[place] ?? [];
      if (name !== undefined && key !== undefined) {
        place += 1;
        const problem = set(name, key, word, `argument ${place}`);
        return problem === undefined ? { next: index + 1 } : { problem };
      }
      if (rest === undefined) return undefined;
      // A path may have commas.
      lists.set(rest, [...(lists.get(rest) ?? []), word]);
      return { next: index + 1 };
    },
    variables: () =>
      Object.fromEntries([...texts, ...[...lists].map(([name, items]) => [name, JSON.stringify(items)] as const)]),
  };
}

/** Keys with a place, in order. */
function placesOf(keys: WordKeys): readonly (readonly [name: string, key: WordKey])[] {
  const found = Object.entries(keys).filter(([, { argument }]) => typeof argument === 'number');
  return found.sort(([, a], [, b]) => Number(a.argument) - Number(b.argument));
}

function restOf(keys: WordKeys): string | undefined {
  return Object.entries(keys).find(([, { argument, type }]) => argument === 'rest' && type === 'array')?.[0];
}

/** Whether a key can stand on a command line. */
export function hasWords({ flag, argument }: WordKey): boolean {
  return flag !== undefined || argument !== undefined;
}

/** The flags that there are, with their dashes. */
export function flagNames(keys: WordKeys): readonly string[] {
  return Object.values(keys).flatMap(({ flag, type }) =>
    flag === undefined ? [] : [`--${flag}`, ...(type === 'boolean' ? [`--no-${flag}`] : [])],
  );
}

/** @example printFlag({ type: 'array', flag: 'caps' }) // '--caps <a,b>' */
function printFlag({ flag, type }: WordKey): string {
  const value = { string: ' <text>', integer: ' <n>', number: ' <n>', boolean: '', array: ' <a,b>' }[type];
  return `--${flag}${value}`;
}

function printPlace(name: string, { argument }: WordKey): string {
  return argument === 'rest' ? `[${name.toLowerCase()}...]` : `[${name.toLowerCase()}]`;
}

/** `[url] [dirs...]`, or nothing. */
export function printPlaces(keys: WordKeys): string {
  const rest = restOf(keys);
  const all = [...placesOf(keys), ...(rest === undefined ? [] : [[rest, keys[rest] as WordKey] as const])];
  return all.map(([name, key]) => printPlace(name, key)).join(' ');
}

/** Rows of a help: how it is typed, and what it means. */
export function helpRows(config: Readonly<Record<string, ConfigEntry>>): readonly (readonly [string, string])[] {
  return Object.entries(config)
    .filter(([, entry]) => hasWords(entry))
    .map(([name, entry]) => {
      const { flag, argument, type, description, enum: allowed, default: initial, secret } = entry;
      const shown = [
        ...(flag === undefined ? [] : [printFlag(entry), ...(type === 'boolean' ? [`--no-${flag}`] : [])]),
        ...(argument === undefined ? [] : [printPlace(name, entry)]),
      ].join(', ');
      const values = allowed === undefined ? [] : [`${type === 'array' ? 'any of ' : ''}${allowed.join(', ')}`];
      const isShown = initial !== undefined && secret !== true && !(Array.isArray(initial) && initial.length === 0);
      const facts = [
        ...values,
        ...(isShown ? [`default: ${Array.isArray(initial) ? initial.join(',') : String(initial)}`] : []),
      ];
      const says = [description ?? '', ...(facts.length === 0 ? [] : [`(${facts.join('; ')})`]), `[${name}]`];
      return [shown, says.filter(one => one !== '').join(' ')] as const;
    });
}
