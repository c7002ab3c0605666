// In: points of a grid. Out: boxes that hold these and no others, each point in one of them: a condition of an item is a box, and forms of one item
// must exclude each other.

import { groupBy } from '../../../schema/group-by.js';

/** For each dimension the index of a value. */
export type Point = readonly number[];

/** For each dimension the indexes of values, ascending. */
export type Box = readonly (readonly number[])[];

/**
 * @example splitBoxes([[0, 0], [0, 1], [1, 0]]) // [[[0], [0, 1]], [[1], [0]]]
 */
export function splitBoxes(points: readonly Point[]): readonly Box[] {
  const box = boundingBox(points);
  if (sizeOf(box) === points.length) return points.length === 0 ? [] : [box];
  for (const dimension of box.keys()) {
    const groups = groupByRest(points, dimension);
    if (groups.length > 1) return groups.flatMap(splitBoxes);
  }
  return [box];
}

export function boundingBox(points: readonly Point[]): Box {
  const [first = []] = points;
  return first.map((_, dimension) =>
    [...new Set(points.map(point => point[dimension] ?? 0))].sort((one, other) => one - other),
  );
}

function sizeOf(box: Box): number {
  return box.reduce((size, values) => size * values.length, 1);
}

/** Values of a dimension for which the rest is the same stay together. */
function groupByRest(points: readonly Point[], dimension: number): readonly (readonly Point[])[] {
  const byValue = groupBy(points, point => point[dimension] ?? 0);
  const restOf = (group: readonly Point[]): string =>
    group
      .map(point => point.toSpliced(dimension, 1).join())
      .sort()
      .join(' ');
  const groups = groupBy(byValue.values(), restOf);
  return [...groups.values()].map(group => group.flat());
}
