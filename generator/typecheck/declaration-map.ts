// In: a declaration map. Out: where a position of the generated file comes from: a line of a manifest.

export interface MappedPosition {
  /** As the map names it: relative to the folder of the map. */
  readonly source: string;
  /** Both 1-based. */
  readonly line: number;
  readonly column: number;
}

export interface DeclarationMap {
  /** What starts exactly there; 0-based line and column of the generated text. */
  at(line: number, column: number): MappedPosition | undefined;
}

type Segment = readonly [column: number, source?: number, line?: number, sourceColumn?: number];

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Reads a map of version 3. A string that is not one maps nothing.
 *
 * @example readDeclarationMap('{"version":3,"sources":["../a.yaml"],"mappings":"AAAA"}').at(0, 0)
 */
export function readDeclarationMap(text: string): DeclarationMap {
  const { sources, lines } = parse(text);
  return {
    at(line, column) {
      const segment = lines[line]?.find(([start]) => start === column);
      const [, source, sourceLine, sourceColumn] = segment ?? [];
      const file = source === undefined ? undefined : sources[source];
      if (file === undefined || sourceLine === undefined || sourceColumn === undefined) return undefined;
      return { source: file, line: sourceLine + 1, column: sourceColumn + 1 };
    },
  };
}

function parse(text: string): { readonly sources: readonly string[]; readonly lines: readonly (readonly Segment[])[] } {
  try {
    const { sources, mappings } = JSON.parse(text) as { sources?: unknown; mappings?: unknown };
    if (!Array.isArray(sources) || typeof mappings !== 'string') return { sources: [], lines: [] };
    return { sources: sources.map(String), lines: decode(mappings) };
  } catch {
    return { sources: [], lines: [] };
  }
}

function decode(mappings: string): readonly (readonly Segment[])[] {
  let [source, line, sourceColumn] = [0, 0, 0];
  return mappings.split(';').map(group => {
    let column = 0;
    return group.split(',').flatMap((text): Segment[] => {
      const [first, ...rest] = numbers(text);
      if (first === undefined) return [];
      column += first;
      if (rest.length < 3) return [[column]];
      source += rest[0] ?? 0;
      line += rest[1] ?? 0;
      sourceColumn += rest[2] ?? 0;
      return [[column, source, line, sourceColumn]];
    });
  });
}

/** Base 64 VLQ: five bits a digit, the sixth says that more follow; the lowest bit of a number is its sign. */
function numbers(text: string): readonly number[] {
  const found: number[] = [];
  let [value, shift] = [0, 0];
  for (const character of text) {
    const digit = digits.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    found.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return found;
}
