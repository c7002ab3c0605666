// A handshake as text, for built servers. In: a handshake. Out: one line of JSON about it, then one line for each entry of a list, ready
// for the wire; and back. Splitting lines is all that a start has to do, however many tools there are.
import type { Handshake, Piece, Pieces } from '../../protocol/handshake.js';
import type { ListName } from '../../surface/surface.js';
import type { Switches } from './switches.js';

export interface StoredHandshake extends Handshake {
  readonly switches: Switches;
}

interface Head extends Omit<StoredHandshake, 'lists'> {
  readonly lists: readonly StoredList[];
}

interface StoredList {
  readonly list: ListName;
  readonly names: readonly string[];
  readonly version?: string;
  readonly isPartial?: true;
  /** Entries that clients of 2026-07-28 get differently, by index. */
  readonly modern: Readonly<Record<string, string>>;
  /** Entries that clients that cannot ask get differently, by index. */
  readonly relay: Readonly<Record<string, NonNullable<Piece['relay']>>>;
}

/** @example readHandshake(printHandshake(handshake)) // equal to handshake */
export function printHandshake({ lists, ...rest }: StoredHandshake): string {
  const all = Object.entries(lists) as [ListName, Pieces][];
  const head: Head = {
    ...rest,
    lists: all.map(([list, { pieces, version, isPartial }]) => ({
      list,
      names: pieces.map(({ name }) => name),
      ...(version === undefined ? {} : { version }),
      ...(isPartial && { isPartial }),
      modern: Object.fromEntries(
        pieces.flatMap(({ modern }, index) => (modern === undefined ? [] : [[String(index), modern]])),
      ),
      relay: Object.fromEntries(
        pieces.flatMap(({ relay }, index) => (relay === undefined ? [] : [[String(index), relay]])),
      ),
    })),
  };
  // JSON has no line breaks of its own.
  return [JSON.stringify(head), ...all.flatMap(([, { pieces }]) => pieces.map(({ text }) => text))].join('\n');
}

export function readHandshake(text: string): StoredHandshake {
  const lines = text.split('\n');
  const { lists, ...rest } = JSON.parse(lines[0] ?? '') as Head;
  let next = 1;
  const opened = lists.map(({ list, names, version, isPartial, modern, relay }): [ListName, Pieces] => {
    const pieces = names.map((name, index): Piece => {
      const [other, relayed] = [modern[index], relay[index]];
      const piece = { name, text: lines[next + index] ?? '' };
      return other === undefined && relayed === undefined
        ? piece
        : { ...piece, ...(other !== undefined && { modern: other }), ...(relayed !== undefined && { relay: relayed }) };
    });
    next += names.length;
    return [list, { pieces, ...(version !== undefined && { version }), ...(isPartial && { isPartial }) }];
  });
  return { ...rest, lists: Object.fromEntries(opened) };
}
