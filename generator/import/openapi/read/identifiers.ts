// `$id`, `$anchor` and `$dynamicAnchor` of the schemas of a file. In: its root. Out: what references that use them mean.
import { isMap } from '../../../../schema/document.js';
import type { Placed } from '../api.js';
import { below, keysOf } from '../pointer.js';
import { joinUrl } from './addresses.js';

export interface Identifiers {
  find(reference: { readonly typed: string; readonly fragment: string; readonly from: string }): Placed | undefined;
}

interface Named extends Placed {
  /** The nearest `$id` around it, whole. */
  readonly base: string;
}

/**
 * Finds the schemas that have names of their own.
 *
 * @example listIdentifiers({ value, pointer: '#' }).find({ typed: '', fragment: 'pet', from: '#/paths' })
 */
export function listIdentifiers(root: Placed): Identifiers {
  const resources = new Map<string, Named>();
  const anchors = new Map<string, Named>();
  visit(root.value, root.pointer, '');
  return {
    find({ typed, fragment, from }) {
      const base = baseOf(from);
      const uri = typed === '' ? base : base === '' ? typed : joinUrl(base, typed);
      if (fragment !== '' && !fragment.startsWith('/')) return anchors.get(`${uri}#${fragment}`);
      const resource = resources.get(uri) ?? resources.get(typed);
      if (resource === undefined) return undefined;
      return keysOf(fragment).reduce<Placed | undefined>((here, key) => here && memberOf(here, key), resource);
    },
  };

  function visit(value: unknown, pointer: string, outer: string): void {
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) if (typeof one === 'object') visit(one, below(pointer, index), outer);
      return;
    }
    if (!isMap(value)) return;
    const base = typeof value.$id === 'string' && value.$id !== '' ? joinUrl(outer, value.$id) : outer;
    if (base !== outer) resources.set(base, { value, pointer, base });
    for (const name of [value.$anchor, value.$dynamicAnchor])
      if (typeof name === 'string') anchors.set(`${base}#${name}`, { value, pointer, base });
    for (const key in value) {
      const one = value[key];
      if (typeof one === 'object' && one !== null) visit(one, below(pointer, key), base);
    }
  }

  /** Of the innermost schema with an `$id` that a place is in. */
  function baseOf(from: string): string {
    let found: Named | undefined;
    for (const one of resources.values()) {
      const isInside = from === one.pointer || from.startsWith(`${one.pointer}/`);
      if (isInside && (found === undefined || one.pointer.length > found.pointer.length)) found = one;
    }
    return found?.base ?? '';
  }
}

function memberOf({ value, pointer }: Placed, key: string): Placed | undefined {
  const part = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return part === undefined ? undefined : { value: part, pointer: below(pointer, key) };
}
