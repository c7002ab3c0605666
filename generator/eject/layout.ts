// In: code as pieces, some of them lists in brackets. Out: its lines: a list stays on one line where it fits, else each of its parts has one.

export type Piece = string | Group;

/** What stands in brackets, divided by commas. */
export interface Group {
  readonly open: string;
  readonly close: string;
  readonly pieces: readonly Piece[];
  /** Braces have spaces inside. */
  readonly isSpaced?: boolean;
  /** A pattern that ends with a rest element has no comma after it. */
  readonly hasNoLastComma?: boolean;
}

const width = 110;

/** Puts code before the first line of a piece, and after its last. */
export function around(before: string, piece: Piece, after = ''): Piece {
  if (typeof piece === 'string') return before + piece + after;
  return { ...piece, open: before + piece.open, close: piece.close + after };
}

/** Without the indentation of the first line. */
export function layOut(piece: Piece, indent = ''): string {
  const flat = flatten(piece);
  if (typeof piece === 'string' || piece.pieces.length === 0) return flat;
  // The lines of a template literal would hide what comes after them.
  if (!flat.includes('\n') && indent.length + flat.length <= width) return flat;
  const inner = `${indent}  `;
  const lines = piece.pieces.map(one => `${inner}${layOut(one, inner)}`);
  const last = piece.hasNoLastComma ? '' : ',';
  return `${piece.open}\n${lines.join(',\n')}${last}\n${indent}${piece.close}`;
}

function flatten(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  const gap = piece.isSpaced === true && piece.pieces.length > 0 ? ' ' : '';
  return `${piece.open}${gap}${piece.pieces.map(flatten).join(', ')}${gap}${piece.close}`;
}
