// In: what an entry looks like in each capture, and which flags each capture sets. Out: its forms, each with the condition under which it is offered.
import type { When } from '../../../schema/definitions.js';
import { type Axis, axisId, membersOf, textOf } from './flag-axes.js';
import type { FlagSetting } from './flag-words.js';
import { type Box, boundingBox, type Point, splitBoxes } from './split-boxes.js';

/** One value that a flag may have or not have; the first is that of the capture without words. */
interface Dimension {
  readonly axis: Axis;
  readonly values: readonly (boolean | string)[];
  /** Of a list: whether it has this one. */
  readonly member?: string | undefined;
}

/** An entry under a condition; `form` counts what it looks like. */
export interface Form {
  readonly form: number;
  /** Undefined: always. */
  readonly when: When | undefined;
  /** It is what the server offers without further words. */
  readonly isBase: boolean;
}

export type FoundForms =
  | { readonly forms: readonly Form[]; readonly unclear?: string | undefined }
  /** These flags cannot be lists: a condition has to say that one of them is not set. */
  | { readonly single: readonly string[] };

const absent = -1;
/** Above this a condition would be a guess anyway. */
const mostPoints = 4096;

export class Conditions {
  readonly #dimensions: readonly Dimension[];
  readonly #points: readonly ReadonlyMap<number, number>[];

  constructor(axes: readonly Axis[], captures: readonly (readonly FlagSetting[])[]) {
    this.#dimensions = axes.flatMap((axis): readonly Dimension[] => {
      if (axis.type === 'boolean') return [{ axis, values: [false, true] }];
      if (axis.type === 'string') return [{ axis, values: ['', ...axis.values] }];
      return axis.values.map(member => ({ axis, values: [false, true], member }));
    });
    this.#points = captures.map(settings => this.#pointOf(settings));
  }

  #pointOf(settings: readonly FlagSetting[]): ReadonlyMap<number, number> {
    const point = new Map<number, number>();
    for (const setting of settings) {
      for (const [index, { axis, values, member }] of this.#dimensions.entries()) {
        if (axisId(axis) !== axisId(setting)) continue;
        const value = axis.type === 'string' ? values.indexOf(textOf(setting)) : 1;
        if (member === undefined || membersOf(setting).includes(member)) point.set(index, value);
      }
    }
    return point;
  }

  /** `seen`: for each capture which form the entry has there, or -1. */
  find(seen: readonly number[]): FoundForms {
    const [base = absent] = seen;
    if (seen.every(form => form === base)) return { forms: [{ form: base, when: undefined, isBase: true }] };
    const relevant = this.#relevant(seen);
    const size = relevant.reduce((all, index) => all * (this.#dimensions[index]?.values.length ?? 1), 1);
    if (size > mostPoints) return this.#guess(seen);
    const { formAt, isClear } = this.#fill(seen, relevant);
    const forms: Form[] = [];
    const single = new Set<string>();
    for (const form of new Set(seen)) {
      if (form === absent) continue;
      const points = this.#grid(relevant).filter(point => formAt(point) === form);
      const shared = this.#anyOf(points, relevant);
      if (shared !== undefined) forms.push({ form, when: shared, isBase: false });
      for (const box of shared === undefined ? splitBoxes(points) : []) {
        const isBase = box.every(values => values.includes(0));
        forms.push({ form, when: this.#whenOf(box, relevant, single), isBase });
      }
    }
    if (single.size > 0) return { single: [...single] };
    const unclear = isClear ? undefined : 'two flags change it, and no capture has both of them';
    return { forms, unclear };
  }

  /** Those that make a difference to the entry; what a capture with fewer words shows already is not put down to the others. */
  #relevant(seen: readonly number[]): readonly number[] {
    const [base] = seen;
    const found = new Set<number>();
    for (const [index, form] of seen.entries()) {
      if (form === base) continue;
      const point = this.#points[index] ?? new Map<number, number>();
      const isExplained = this.#points.some(
        (other, at) => at !== 0 && seen[at] === form && other.size < point.size && isWithin(other, point),
      );
      if (!isExplained) for (const dimension of point.keys()) found.add(dimension);
    }
    // A flag may take away what another one brings: then captures differ that would be the same without it.
    for (let index = 1; index < seen.length; index += 1) {
      const other = seen.findIndex((form, at) => form !== seen[index] && this.#isSame(at, index, found));
      const more = other < 0 ? [] : this.#between(other, index).filter(dimension => !found.has(dimension));
      if (more.length === 0) continue;
      for (const dimension of more) found.add(dimension);
      index = 0;
    }
    return [...found].sort((one, other) => one - other);
  }

  #isSame(one: number, other: number, dimensions: ReadonlySet<number>): boolean {
    return this.#between(one, other).every(dimension => !dimensions.has(dimension));
  }

  /** What two captures set in another way. */
  #between(one: number, other: number): readonly number[] {
    const [a, b] = [this.#points[one], this.#points[other]];
    return [...this.#dimensions.keys()].filter(dimension => a?.get(dimension) !== b?.get(dimension));
  }

  #grid(relevant: readonly number[]): readonly Point[] {
    return relevant.reduce<readonly Point[]>(
      (points, index) =>
        points.flatMap(point => (this.#dimensions[index]?.values ?? []).map((_, at) => [...point, at])),
      [[]],
    );
  }

  /** Combinations that no capture has look as the captures say that come nearest. */
  #fill(
    seen: readonly number[],
    relevant: readonly number[],
  ): { formAt(point: Point): number | undefined; readonly isClear: boolean } {
    const projected = this.#points.map(point => relevant.map(index => point.get(index) ?? 0));
    const known = new Map<string, number>();
    for (const [index, point] of projected.entries()) {
      const key = point.join();
      if (!known.has(key)) known.set(key, seen[index] ?? absent);
    }
    let isClear = true;
    for (const point of this.#grid(relevant)) {
      if (known.has(point.join())) continue;
      const below = projected.flatMap((other, index) =>
        other.every((value, at) => value === 0 || value === point[at])
          ? [{ form: seen[index] ?? absent, count: other.filter(value => value !== 0).length }]
          : [],
      );
      const changed = below.filter(({ form }) => form !== seen[0]);
      const candidates = changed.length > 0 ? changed : below;
      const most = Math.max(...candidates.map(({ count }) => count));
      const nearest = candidates.filter(({ count }) => count === most).map(({ form }) => form);
      if (new Set(nearest).size > 1) isClear = false;
      // What one of the flags takes away is not there.
      known.set(point.join(), nearest.includes(absent) ? absent : (nearest[0] ?? absent));
    }
    return { formAt: point => known.get(point.join()), isClear };
  }

  /** One form that any of several values of a list brings. */
  #anyOf(points: readonly Point[], relevant: readonly number[]): When | undefined {
    const lists = relevant.flatMap((index, at) => {
      const one = this.#dimensions[index];
      return one?.member === undefined ? [] : [{ at, key: one.axis.key, member: one.member }];
    });
    const [first] = lists;
    if (first === undefined || lists.length < 2 || lists.some(({ key }) => key !== first.key)) return undefined;
    const others = relevant.flatMap((_, at) => (lists.some(one => one.at === at) ? [] : [at]));
    if (others.length > 0) return undefined;
    const wanted = this.#grid(relevant).filter(point => lists.some(({ at }) => point[at] === 1));
    const isSame =
      wanted.length === points.length && new Set([...wanted, ...points].map(String)).size === wanted.length;
    return isSame ? { [first.key]: lists.map(({ member }) => member) } : undefined;
  }

  #whenOf(box: Box, relevant: readonly number[], single: Set<string>): When | undefined {
    const when: Record<string, unknown> = {};
    for (const [at, indexes] of box.entries()) {
      const dimension = this.#dimensions[relevant[at] ?? 0];
      if (dimension === undefined || indexes.length === dimension.values.length) continue;
      const { axis, member } = dimension;
      const values = indexes.map(index => dimension.values[index]);
      if (member === undefined) when[axis.key] = values.length === 1 ? values[0] : values;
      // A list can only be asked for one value that it has.
      else if (values[0] === true && when[axis.key] === undefined) when[axis.key] = member;
      else single.add(axisId(axis));
    }
    return Object.keys(when).length === 0 ? undefined : when;
  }

  /** Too many combinations: each form is offered with the words of its first capture. */
  #guess(seen: readonly number[]): FoundForms {
    const forms = [...new Set(seen)]
      .filter(form => form !== absent)
      .map((form): Form => {
        const point = this.#points[seen.indexOf(form)] ?? new Map<number, number>();
        const relevant = [...point.keys()];
        const box = boundingBox([relevant.map(index => point.get(index) ?? 0)]);
        return { form, when: this.#whenOf(box, relevant, new Set()), isBase: form === seen[0] };
      });
    return { forms, unclear: 'too many flags change it' };
  }
}

/** All that the smaller one sets, the larger one sets to the same. */
function isWithin(small: ReadonlyMap<number, number>, large: ReadonlyMap<number, number>): boolean {
  return [...small].every(([dimension, value]) => large.get(dimension) === value);
}
