// What a hostile model could send: every named text once for each place, and then texts, lists and objects that are put together at random from
// the same pieces.
import { makeRandom, type Random } from '../../../harness/random.js';
import { keys, numbers, pieces } from './pieces.js';

export interface Values {
  text(): string;
  number(): number;
  /** A string, a number or a boolean. */
  scalar(): string | number | boolean;
  list(make?: () => unknown): unknown[];
  map(make?: () => unknown): Record<string, unknown>;
  /** Anything that JSON has. */
  any(): unknown;
  readonly random: Random;
}

/** The named values come first, so that each place has all of them. */
export function makeValues(seed: number): Values {
  const random = makeRandom(seed);
  let next = 0;

  const randomText = (): string => {
    // Far beyond what a line, a path or a buffer usually holds.
    if (random.chance(0.002))
      return `${random.pick(pieces)}${random.pick(['x', '../', 'é', '\u2028', '%', '"'] as const).repeat(60_000)}`;
    let made = '';
    for (let left = 1 + random.below(5); left > 0; left -= 1) {
      if (random.chance(0.7)) made += random.pick(pieces);
      else if (random.chance(0.5)) made += String.fromCharCode(random.below(0x180));
      else made += String.fromCharCode(random.below(0x10000));
    }
    return made;
  };
  const text = (): string => {
    const named = pieces[next];
    next += 1;
    return named ?? randomText();
  };
  const number = (): number =>
    random.chance(0.7)
      ? random.pick(numbers as readonly [number])
      : (random.below(2 ** 30) - 2 ** 29) / (1 + random.below(1000));
  const scalar = (): string | number | boolean =>
    next < pieces.length || random.chance(0.7) ? text() : random.chance(0.8) ? number() : random.chance(0.5);
  const list = (make: () => unknown = scalar): unknown[] => Array.from({ length: random.below(5) }, make);
  const map = (make: () => unknown = scalar): Record<string, unknown> => {
    const made = Array.from({ length: random.below(4) }, () => [
      random.chance(0.7) ? random.pick(keys) : randomText(),
      make(),
    ]);
    return Object.fromEntries(made) as Record<string, unknown>;
  };
  const any = (depth = 0): unknown => {
    const inner = (): unknown => any(depth + 1);
    if (depth < 3 && random.chance(0.25)) return list(inner);
    if (depth < 3 && random.chance(0.3)) return map(inner);
    return random.chance(0.1) ? null : scalar();
  };
  return { text, number, scalar, list, map, any: () => any(), random };
}

/** Whether it has half of a character, which UTF-8 cannot have. */
export function isBroken(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

/** As a message shows it: short, with escapes. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}... (${text.length})` : text;
}
