// In: a node and a value. Out: whether the value fits; defaults are filled in. What is wrong is told elsewhere.
// Part of toolwright/support: imports only other parts of it.
import type {
  Default,
  JoinedRules,
  ListRules,
  MapRules,
  Node,
  NumberRules,
  TextRules,
  ValueRules,
} from './support-nodes.js';
import { bitsOf, findSame, isPresent, type JsonMap } from './support-rules.js';
import { equal, ucs2length } from './support-values.js';

/** Where defaults were filled in: maps and names in turn. */
export type Filled = (JsonMap | string)[];

/** A value with more names than this is looked up by them. */
const mostRecent = 32;

/** Most schemas only have a type. This is small enough for the engine to copy it to where it is called. */
function isOfType(allowed: number, value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return (allowed & 1) !== 0;
    case 'boolean':
      return (allowed & 8) !== 0;
    default:
      return (bitsOf(value) & allowed) !== 0;
  }
}

/** Whether a value fits, and its defaults are filled in. The order is ajv's: it decides what a rule sees filled in. */
export function fits(node: Node, value: unknown, filled: Filled): boolean {
  const { allowed } = node;
  switch (typeof value) {
    case 'string':
      if (!(allowed & 1) || !fitsAny(node, value, filled)) return false;
      return node.text === null || fitsText(node.text, value);
    case 'number':
      // Whether it has a fraction is asked only where it matters, since that takes longer than all the rest.
      if (!(allowed & 2) && !(bitsOf(value) & allowed)) return false;
      if (!fitsAny(node, value, filled)) return false;
      return node.number === null || fitsNumber(node.number, value);
    case 'object':
      if (value === null) return (allowed & 16) !== 0 && fitsAny(node, value, filled);
      if (Array.isArray(value)) {
        if (!(allowed & 32) || !fitsAny(node, value, filled)) return false;
        return node.list === null || fitsList(node.list, value, filled);
      }
      if (!(allowed & 64) || !fitsAny(node, value, filled)) return false;
      return node.map === null || fitsMap(node.map, value as JsonMap, filled);
    default:
      return (bitsOf(value) & allowed) !== 0 && fitsAny(node, value, filled);
  }
}

function fitsAny({ joined, values }: Node, value: unknown, filled: Filled): boolean {
  if (joined !== null && !fitsJoined(joined, value, filled)) return false;
  return values === null || fitsValues(values, value);
}

function fitsValues({ few, plain, nested }: ValueRules, value: unknown): boolean {
  if (few !== null) {
    for (let index = 0; index < few.length; index += 1) if (few[index] === value) return true;
  } else if (plain.has(value)) return true;
  return nested.length > 0 && nested.some(member => equal(value, member));
}

function fitsNumber({ least, most, above, below, step, format }: NumberRules, value: number): boolean {
  if (!(value >= least && value <= most) || value <= above || value >= below) return false;
  // Dividing is what ajv does, with all its rounding.
  if (step !== 0 && value / step !== Number.parseInt(String(value / step), 10)) return false;
  return format === null || format(value);
}

function fitsText({ least, most, pattern, format }: TextRules, text: string): boolean {
  const units = text.length;
  // A character is one or two units: mostly they need not be counted.
  if (units < least || (units < 2 * least && ucs2length(text) < least)) return false;
  if (units > most && ucs2length(text) > most) return false;
  return (pattern === null || pattern.test(text)) && (format === null || format(text));
}

function fitsList(rules: ListRules, list: readonly unknown[], filled: Filled): boolean {
  const { first, rest } = rules;
  const { length } = list;
  if (length < rules.least || length > rules.most) return false;
  for (let index = 0; index < first.length && index < length; index += 1)
    if (!fits(first[index] as Node, list[index], filled)) return false;
  if (rest !== null) {
    const { isSimple, allowed } = rest;
    for (let index = first.length; index < length; index += 1)
      if (!(isSimple ? isOfType(allowed, list[index]) : fits(rest, list[index], filled))) return false;
  }
  return !rules.isUnique || findSame(list, rules.items, equal) === undefined;
}

function fitsMap(rules: MapRules, map: JsonMap, filled: Filled): boolean {
  if (rules.defaults !== null) fillIn(rules.defaults, map, filled);
  const { members, recent, others } = rules;
  const isOpen = rules.names === null && rules.patterns.length === 0;
  let missing = rules.requiredCount;
  let count = 0;
  for (const key in map) {
    // Clients mostly send the same names in the same order: comparing them is cheaper than looking them up.
    let member = recent[count];
    if (member === undefined || member.name !== key) {
      member = members.get(key);
      if (member === undefined) member = rules.other;
      // Without gaps, which the engine reads slowly.
      else if (count <= recent.length && count < mostRecent) recent[count] = member;
    }
    count += 1;
    const value = map[key];
    const { node } = member;
    if (value !== undefined) {
      if (member.isRequired) missing -= 1;
      if (node !== null && !(node.isSimple ? isOfType(node.allowed, value) : fits(node, value, filled))) return false;
    }
    if (isOpen) {
      if (!member.isKnown && others !== null && !fits(others, value, filled)) return false;
    } else if (!fitsByName(rules, member.isKnown, key, value, filled)) return false;
  }
  if (missing !== 0 || count < rules.least || count > rules.most) return false;
  return rules.needs.length === 0 || fitsNeeds(rules.needs, map);
}

function fitsByName(rules: MapRules, isKnown: boolean, key: string, value: unknown, filled: Filled): boolean {
  if (rules.names !== null && !fits(rules.names, key, filled)) return false;
  let isMatched = isKnown;
  for (const { regex, node } of rules.patterns) {
    if (!regex.test(key)) continue;
    isMatched = true;
    if (!fits(node, value, filled)) return false;
  }
  return isMatched || rules.others === null || fits(rules.others, value, filled);
}

function fitsNeeds(needs: MapRules['needs'], map: JsonMap): boolean {
  return needs.every(([name, wanted]) => !isPresent(map, name) || wanted.every(one => isPresent(map, one)));
}

function fillIn(defaults: readonly Default[], map: JsonMap, filled: Filled): void {
  for (const { name, plain, text } of defaults) {
    if (map[name] !== undefined) continue;
    map[name] = text === null ? plain : JSON.parse(text);
    filled.push(map, name);
  }
}

function fitsJoined(joined: JoinedRules, value: unknown, filled: Filled): boolean {
  const { also, not, any, one, all } = joined;
  if (also !== null && !fits(also, value, filled)) return false;
  for (const values of joined.values) if (!fitsValues(values, value)) return false;
  if (not !== null && fits(not, value, filled)) return false;
  if (any !== null && countFitting(any, value, filled, 1) === 0) return false;
  if (one !== null && countFitting(one, value, filled, 2) !== 1) return false;
  if (all !== null) for (const node of all) if (!fits(node, value, filled)) return false;
  if (joined.if === null) return true;
  const branch = fits(joined.if, value, filled) ? joined.then : joined.else;
  return branch === null || fits(branch, value, filled);
}

/** How many of the schemas a value fits; `enough` of them are not counted on. */
function countFitting(nodes: readonly Node[], value: unknown, filled: Filled, enough: number): number {
  let count = 0;
  for (let index = 0; index < nodes.length && count < enough; index += 1)
    if (fits(nodes[index] as Node, value, filled)) count += 1;
  return count;
}
