// B5. In: an answer and JSON Pointers. Out: the part that counts, and of each of its elements the members that are asked for.
import { isMap, pathOfPointer, setOwn } from '../../../schema/document.js';
import type { HttpResult } from '../../../schema/support/mcp/backends.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';

/**
 * What a pointer leads to; undefined where there is nothing. A name that meets a list is looked up in each element of it.
 *
 * @example findAt({ labels: [{ name: 'a' }, { name: 'b' }] }, '/labels/name') // ['a', 'b']
 */
export function findAt(value: unknown, pointer: string): unknown {
  return follow(value, pathOfPointer(pointer, undefined).map(String));
}

function follow(value: unknown, steps: readonly string[]): unknown {
  let here = value;
  for (const [index, step] of steps.entries()) {
    if (Array.isArray(here)) {
      if (!/^(?:0|[1-9]\d*)$/.test(step)) {
        const found = here.map(element => follow(element, steps.slice(index))).filter(one => one !== undefined);
        return found.length === 0 && here.length > 0 ? undefined : found;
      }
      here = here[Number(step)];
    } else if (isMap(here) && Object.hasOwn(here, step)) here = here[step];
    else return undefined;
  }
  return here;
}

/** The part at a pointer, which must be there. */
export function partOf(name: string, value: unknown, at: string | undefined): unknown {
  if (at === undefined) return value;
  const part = findAt(value, at);
  if (part === undefined)
    throw new UpstreamFailure('UPSTREAM_INVALID', `The answer of ${name} has nothing at ${at}`, {
      meta: { pointer: at },
    });
  return part;
}

/** What an element lacks is left out. */
export function pickFrom(part: unknown, pick: HttpResult['pick']): unknown {
  if (pick === undefined) return part;
  if (Array.isArray(part)) return part.map(element => pickFrom(element, pick));
  const picked = {};
  for (const [key, pointer] of Object.entries(pick)) {
    const found = findAt(part, pointer);
    if (found !== undefined) setOwn(picked, key, found);
  }
  return picked;
}
