// B3. In: `args` of an exec tool. Out: where a value could become an option, for `check`; and a function that fills them in, which
// refuses such a value once more. The words of a program are told apart by their first character alone, so that is what counts.
import type { ExecCall } from '../definitions.js';
import { asList, asMap } from '../document.js';
import { type FillTree, type FillValues, makeFillText, scalarText, UnfitValue, valueFor } from './fill.js';
import { type Part, type Placeholder, parseText, placeholdersOf } from './text.js';

export interface LooseArgument {
  /** Inside `args`. */
  readonly path: readonly (string | number)[];
  readonly placeholder: Placeholder;
  readonly reason: string;
}

/** One word as it was written, and how its value could do harm. */
interface Word {
  readonly text: string;
  readonly path: readonly (string | number)[];
  readonly parts: readonly Part[];
  /** The argument that it is there with. */
  readonly condition: string | undefined;
  readonly isPastOptions: boolean;
  /** Values of the word, where they could become an option or choose which one it is. */
  readonly loose: { readonly placeholders: readonly Placeholder[]; readonly as: 'option' | 'name' } | undefined;
}

/** After these, programs read options no more. The second is what git has where `--` means something else. */
const optionEnds: ReadonlySet<string> = new Set(['--', '--end-of-options']);

const reasons = {
  option: (tag: string): string =>
    `a value that begins with - would be read as an option: put -- before it in the list, or write --name=${tag}`,
  name: (tag: string): string => `the value could choose another option: write = before ${tag}`,
} as const;

/**
 * Values that could become options. `isSafe` says of an argument that its value never begins with `-` and is never free text: an
 * integer from 0, a boolean, one of an enum. What the operator configures may be an option.
 *
 * @example findLooseArguments(['log', '{path}'], () => false) // [{ path: [1], placeholder: { name: 'path', ... }, reason: '...' }]
 */
export function findLooseArguments(
  args: ExecCall['args'],
  isSafe: (name: string) => boolean,
): readonly LooseArgument[] {
  return wordsOf(args).flatMap(({ path, loose }) => {
    const placeholder = loose?.placeholders.find(({ name }) => !isSafe(name));
    if (loose === undefined || placeholder === undefined) return [];
    return [{ path, placeholder, reason: reasons[loose.as](placeholder.tag) }];
  });
}

/**
 * Values of their own behind an option, which is without its value where they are absent and would take the next word, even `--`.
 * What is written as a condition is meant so.
 *
 * @example findLostValues(['log', '--author', '{author}'], () => true) // [{ path: [2], placeholder, option: '--author' }]
 */
export function findLostValues(
  args: ExecCall['args'],
  isOptional: (name: string) => boolean,
): readonly (Omit<LooseArgument, 'reason'> & { readonly option: string })[] {
  const words = wordsOf(args);
  return words.flatMap(({ path, parts, condition }, index) => {
    const [first, ...others] = parts;
    const before = words[index - 1];
    if (condition !== undefined || before === undefined || !takesNext(before) || others.length > 0) return [];
    if (first === undefined || typeof first === 'string' || !isOptional(first.name)) return [];
    return [{ path, placeholder: first, option: before.text }];
  });
}

/** An option that has its value, if it wants one, in the next word. */
function takesNext({ text, parts, isPastOptions }: Word): boolean {
  return !isPastOptions && parts.every(part => typeof part === 'string') && isBareOption(text);
}

function isBareOption(text: string): boolean {
  return /^-[^=]*$/.test(text) && !optionEnds.has(text);
}

/**
 * Compiles a list of arguments. A lone placeholder takes a list as several words; a word whose value is absent or null is left out.
 * The function throws an UnfitValue.
 *
 * @example makeFillArgs(['log', '--max-count={count}', '--', '{paths}'])({ args: { count: 2, paths: ['a', 'b'] }, config: {} })
 */
export function makeFillArgs(args: ExecCall['args']): (values: FillValues) => string[] {
  const words = wordsOf(args).map(word => ({
    ...word,
    fill: word.parts.length === 1 ? makeFillLone(word) : makeFillWord(word),
  }));
  return values => {
    const filled: string[] = [];
    let isOptionAlone = false;
    let isEndLost = false;
    for (const { condition, fill, parts, path, isPastOptions } of words) {
      const isThere = condition === undefined || isGiven(condition, values);
      const made = isThere ? fill(values) : [];
      const [first] = parts;
      if (made.length > 0) {
        // An option whose value was left out may take `--` for its value, and what follows would be read as options.
        isEndLost ||= isOptionAlone && optionEnds.has(made[0] ?? '');
        isOptionAlone = false;
      } else if (!isPastOptions && typeof first !== 'string' && (isThere || path.at(-1) === 0))
        isOptionAlone ||= isBareOption(filled.at(-1) ?? '');
      if (isEndLost && typeof first === 'object') for (const word of made) refuseOption(word, first);
      filled.push(...made);
    }
    return filled;
  };
}

/** In order, those of conditions among the others. What has another form is a mistake that `validate` has reported. */
function wordsOf(args: ExecCall['args']): readonly Word[] {
  const words: Word[] = [];
  let isPastOptions = false;
  for (const [index, item] of asList(args).entries()) {
    if (typeof item === 'string') {
      words.push(readWord(item, [index], isPastOptions));
      isPastOptions ||= optionEnds.has(item);
      continue;
    }
    const { if: condition, args: inner } = asMap(item);
    // What ends the options here is there only with the condition, so that it says nothing about the words after it.
    let isPastHere = isPastOptions;
    for (const [at, text] of asList(inner).entries()) {
      if (typeof text !== 'string') continue;
      words.push(readWord(text, [index, 'args', at], isPastHere, String(condition)));
      isPastHere ||= optionEnds.has(text);
    }
  }
  return words;
}

function readWord(text: string, path: Word['path'], isPastOptions: boolean, condition?: string): Word {
  const { parts } = parseText(text);
  return { text, path, parts, condition, isPastOptions, loose: isPastOptions ? undefined : looseOf(parts) };
}

function looseOf(parts: readonly Part[]): Word['loose'] {
  const [first] = parts;
  const isLiteral = typeof first === 'string';
  // A setting may be empty, and the value behind it then comes first.
  const placeholder = isLiteral ? parts[1] : parts.find(part => typeof part === 'string' || part.of === 'argument');
  if (placeholder === undefined || typeof placeholder === 'string' || placeholder.of === 'config') return undefined;
  if (!isLiteral) return { placeholders: [placeholder], as: 'option' };
  // `-{x}`, `--{x}` and `--out{x}` leave it to the value which option this is; `-n{x}` and `--out={x}` do not.
  if (!/^-(?:-[^=]*)?$/.test(first)) return undefined;
  const end = parts.findIndex(part => typeof part === 'string' && part.includes('='));
  return { placeholders: placeholdersOf(parts.slice(0, end < 0 ? undefined : end)), as: 'name' };
}

type FillWord = (values: FillValues) => readonly string[];

/** Literal text, or a placeholder and nothing else. */
function makeFillLone({ parts: [only], loose }: Word): FillWord {
  if (only === undefined || typeof only === 'string') {
    const words = [only ?? ''];
    return () => words;
  }
  return values => {
    const value = valueFor(only, values);
    if (value === undefined || value === null) return [];
    const words = (Array.isArray(value) ? value : [value]).map(one => scalarText(one, only));
    if (loose !== undefined) for (const word of words) refuseOption(word, only);
    return words;
  };
}

function makeFillWord({ text, parts, loose, isPastOptions }: Word): FillWord {
  const placeholders = placeholdersOf(parts);
  const [start, last] = parts;
  // `-n{x}` without a value would take the next word, even `--`.
  const alone = !isPastOptions && typeof start === 'string' && /^-[^-=][^=]*$/.test(start) ? start : undefined;
  const fill: FillTree = makeFillText(text);
  return values => {
    if (placeholders.some(one => (valueFor(one, values) ?? undefined) === undefined)) return [];
    const word = String(fill(values) ?? '');
    if (loose?.as === 'option') for (const one of loose.placeholders) refuseOption(word, one);
    if (loose?.as === 'name') for (const one of loose.placeholders) refuseName(valueFor(one, values), one);
    if (word === alone && typeof last === 'object')
      throw new UnfitValue(last, 'is empty, and the option would take the next argument');
    return [word];
  };
}

function refuseOption(word: string, placeholder: Placeholder): void {
  if (word.startsWith('-')) throw new UnfitValue(placeholder, 'begins with -, which would make it an option');
}

function refuseName(value: unknown, placeholder: Placeholder): void {
  if (!/^[\p{L}\p{N}][^=]*$/u.test(String(value))) throw new UnfitValue(placeholder, 'is not the name of an option');
}

function isGiven(name: string, { args }: FillValues): boolean {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return value !== undefined && value !== null && value !== false;
}
