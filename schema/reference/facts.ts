// What published schemas say about a key in `x-toolwright`, and how its description says it.

/** Facts about one key, for editors, the reference and `toolwright schema`. */
export interface KeyFacts {
  /** In words, where the default is not one value: `the item name`. */
  readonly default?: string;
  /** The keys beside it that may not be written together with it. */
  readonly excludes?: readonly string[];
  /** What it has an effect with: `transport: http`. */
  readonly needs?: readonly string[];
  /** The version in which it may change. */
  readonly experimental?: string;
  /** Codes of diagnostics about it. */
  readonly codes?: readonly string[];
  /** Page of docs/ that shows its use. */
  readonly guide?: string;
}

/**
 * The sentences that descriptions end with, where there are such facts; empty where there are none.
 *
 * @example printFacts({ default: 'the item name' }) // ' Default: the item name.'
 */
export function printFacts({ default: value, excludes, needs, experimental }: KeyFacts): string {
  return [
    ...(value === undefined ? [] : [`Default: ${value}.`]),
    ...(excludes === undefined ? [] : [`Either this${joinNames(excludes)}.`]),
    ...(needs === undefined ? [] : [`Only with ${needs.map(name => `\`${name}\``).join(' or ')}.`]),
    ...(experimental === undefined ? [] : [`Experimental: may change in ${experimental}.`]),
  ]
    .map(sentence => ` ${sentence}`)
    .join('');
}

/** ` or text`, `, text or handler`. */
function joinNames(names: readonly string[]): string {
  const before = names.slice(0, -1).map(name => `, ${name}`);
  return `${before.join('')} or ${names.at(-1)}`;
}
