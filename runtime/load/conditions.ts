// X2. In: `when` of an item, or of an entry in a server's list, and the configuration that it speaks of. Out: whether it holds, and whether
// several of them can ever hold together.
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

/** Whether some configuration makes all of them hold. A list has a value for each of them, if it may have as many. */
export function canHoldTogether(whens: readonly (When | undefined)[], config: Config): boolean {
  const all = whens.flatMap(when => (when === undefined ? [] : [when]));
  const keys = new Set(all.flatMap(when => Object.keys(when)));
  return [...keys].every(key => {
    const [first = [], ...others] = all.flatMap(when => (Object.hasOwn(when, key) ? [wantedOf(when[key])] : []));
    return roomOf(config[key]) > others.length || first.some(one => others.every(other => other.includes(one)));
  });
}

/** Of an item in a list: its own, and those of the entries that name it, any of which is enough. */
export interface Conditions {
  readonly when?: When | undefined;
  readonly listed?: readonly When[] | undefined;
}

/** Whether no configuration offers both. Two such items may have one name: they are forms of one item. */
export function excludeEachOther(one: Conditions, other: Conditions, config: Config): boolean {
  const waysOf = ({ when, listed = [{}] }: Conditions) => listed.map(entry => [when, entry]);
  return !waysOf(one).some(way => waysOf(other).some(another => canHoldTogether([...way, ...another], config)));
}

/** A list means any of its values. */
export function wantedOf(wanted: unknown): readonly unknown[] {
  return Array.isArray(wanted) ? wanted : [wanted];
}

/** How many values a key can have at once. Keys that do not exist are reported elsewhere. */
function roomOf(entry: ConfigEntry | undefined): number {
  return entry === undefined || entry.type === 'array' ? (entry?.maxItems ?? Number.POSITIVE_INFINITY) : 1;
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
