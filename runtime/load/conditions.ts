// X2. In: `when` of an item, or of an entry in a server's list, and the configuration that it speaks of. Out: whether it holds, and whether two
// of them can ever hold together.
import type { ConfigEntry, When } from '../../schema/definitions.js';

type Config = Readonly<Record<string, ConfigEntry>>;

/** All keys must hold; a list means any of its values; a key with many values needs one of them among these. */
export function holds(when: When | undefined, config: Config, values: Readonly<Record<string, unknown>>): boolean {
  if (when === undefined) return true;
  return Object.entries(when).every(([key, wanted]) => {
    const value = Object.hasOwn(values, key) ? values[key] : absentValue(config[key]);
    return wantedOf(wanted).some(one => (Array.isArray(value) ? value.includes(one) : value === one));
  });
}

/** A switch that nobody has set is off. */
function absentValue(entry: ConfigEntry | undefined): unknown {
  return entry?.type === 'boolean' ? false : undefined;
}

/** Whether some configuration makes both hold. A list can have a value for each of them, if it may have two. */
export function canHoldTogether(one: When | undefined, other: When | undefined, config: Config): boolean {
  if (one === undefined || other === undefined) return true;
  return Object.entries(one).every(([key, wanted]) => {
    if (!Object.hasOwn(other, key) || hasRoomForTwo(config[key])) return true;
    const also = wantedOf(other[key]);
    return wantedOf(wanted).some(value => also.includes(value));
  });
}

/** A list means any of its values. */
export function wantedOf(wanted: unknown): readonly unknown[] {
  return Array.isArray(wanted) ? wanted : [wanted];
}

function hasRoomForTwo(entry: ConfigEntry | undefined): boolean {
  return entry === undefined || (entry.type === 'array' && (entry.maxItems ?? 2) > 1);
}

/** @example printWhen({ READ_ONLY: false, REGION: ['eu', 'us'] }) // 'READ_ONLY is false and REGION is eu or us' */
export function printWhen(when: When): string {
  return Object.entries(when)
    .map(([key, wanted]) => `${key} is ${wantedOf(wanted).map(String).join(' or ')}`)
    .join(' and ');
}

/** The same for entries of a list, any of which is enough. */
export function printListed(whens: readonly When[]): string {
  return whens.map(printWhen).join(', or ');
}
