// In: a node and a value. Out: whether the value fits; defaults are filled in. What is wrong is reported elsewhere.
// Throws `outOfSteps` where that would take more steps than a value of its size may.
// Part of toolwright/support: imports only other parts of it.
import type { Default, JoinedRules, ListRules, MapRules, Node, NumberRules, TextRules, ValueRules } from './nodes.js';
import { bitsOf, isPresent, type JsonMap } from './rules.js';
import { costOfText, type Steps } from './steps.js';
import { formsOf } from './tags.js';
import { equal, findSame, ucs2length } from './values.js';

/** A value with more names than this is looked up by them. */
const mostRecent = 32;
/** Alternatives up to this many cost nothing beside the rest. */
const fewForms = 4;
/** Texts up to this length cost nothing beside the rest. */
const longText = 1_000;

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
export function fits(node: Node, value: unknown, steps: Steps): boolean {
  const { allowed } = node;
  switch (typeof value) {
    case 'string':
      if (!(allowed & 1) || !fitsAny(node, value, steps)) return false;
      return node.text === null || fitsText(node.text, value, steps);
    case 'number':
      // Whether it has a fraction is asked only where it matters, since that takes longer than all the rest.
      if (!(allowed & 2) && !(bitsOf(value) & allowed)) return false;
      if (!fitsAny(node, value, steps)) return false;
      return node.number === null || fitsNumber(node.number, value);
    case 'object':
      if (value === null) return (allowed & 16) !== 0 && fitsAny(node, value, steps);
      if (Array.isArray(value)) {
        if (!(allowed & 32) || !fitsAny(node, value, steps)) return false;
        return node.list === null || fitsList(node.list, value, steps);
      }
      if (!(allowed & 64) || !fitsAny(node, value, steps)) return false;
      return node.map === null || fitsMap(node.map, value as JsonMap, steps);
    default:
      return (bitsOf(value) & allowed) !== 0 && fitsAny(node, value, steps);
  }
}

function fitsAny({ joined, values }: Node, value: unknown, steps: Steps): boolean {
  if (joined !== null && !fitsJoined(joined, value, steps)) return false;
  return values === null || fitsValues(values, value, steps);
}

function fitsValues({ few, many, nested }: ValueRules, value: unknown, steps: Steps): boolean {
  if (few !== null) {
    for (let index = 0; index < few.length; index += 1) if (few[index] === value) return true;
  } else if (many?.has(value) === true) return true;
  if (nested.length === 0) return false;
  steps.take(nested.length);
  return nested.some(member => equal(value, member));
}

function fitsNumber({ least, most, above, below, step, format }: NumberRules, value: number): boolean {
  if (!(value >= least && value <= most) || value <= above || value >= below) return false;
  // Dividing is what ajv does, with all its rounding.
  if (step !== 0 && value / step !== Number.parseInt(String(value / step), 10)) return false;
  return format === null || format(value);
}

function fitsText({ least, most, pattern, format }: TextRules, text: string, steps: Steps): boolean {
  const units = text.length;
  if (units > longText) steps.take(costOfText(text));
  // A character is one or two units: mostly they need not be counted.
  if (units < least || (units < 2 * least && ucs2length(text) < least)) return false;
  if (units > most && ucs2length(text) > most) return false;
  return (pattern === null || pattern.test(text)) && (format === null || format(text));
}

function fitsList(rules: ListRules, list: readonly unknown[], steps: Steps): boolean {
  const { first, rest } = rules;
  const { length } = list;
  if (length < rules.least || length > rules.most) return false;
  for (let index = 0; index < first.length && index < length; index += 1)
    if (!fits(first[index] as Node, list[index], steps)) return refuse(index + 1, steps);
  if (rest !== null) {
    const { isSimple, allowed } = rest;
    for (let index = first.length; index < length; index += 1)
      if (!(isSimple ? isOfType(allowed, list[index]) : fits(rest, list[index], steps)))
        return refuse(index + 1, steps);
  }
  steps.take(length + 1);
  return !rules.isUnique || findSame(list, rules.types, steps) === undefined;
}

function fitsMap(rules: MapRules, map: JsonMap, steps: Steps): boolean {
  if (rules.defaults !== null) fillIn(rules.defaults, map, steps);
  const { members, recent, others } = rules;
  const { isBare } = steps;
  const isOpen = rules.names === null && rules.patterns.length === 0;
  let missing = rules.requiredCount;
  let count = 0;
  for (const key in map) {
    if (!isBare && !Object.hasOwn(map, key)) continue;
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
      if (node !== null && !(node.isSimple ? isOfType(node.allowed, value) : fits(node, value, steps)))
        return refuse(count, steps);
    }
    if (isOpen) {
      if (!member.isKnown && others !== null && !fits(others, value, steps)) return refuse(count, steps);
    } else if (!fitsByName(rules, member.isKnown, key, value, steps)) return refuse(count, steps);
  }
  steps.take(count + 1);
  if (missing !== 0 || count < rules.least || count > rules.most) return false;
  return rules.needs.length === 0 || fitsNeeds(rules.needs, map);
}

/** A form that was not meant is work, too. */
function refuse(count: number, steps: Steps): false {
  steps.take(count);
  return false;
}

function fitsByName(rules: MapRules, isKnown: boolean, key: string, value: unknown, steps: Steps): boolean {
  steps.take(rules.patterns.length + 1);
  if (rules.names !== null && !fits(rules.names, key, steps)) return false;
  let isMatched = isKnown;
  for (const { regex, node } of rules.patterns) {
    if (!regex.test(key)) continue;
    isMatched = true;
    if (!fits(node, value, steps)) return false;
  }
  return isMatched || rules.others === null || fits(rules.others, value, steps);
}

function fitsNeeds(needs: MapRules['needs'], map: JsonMap): boolean {
  return needs.every(([name, wanted]) => !isPresent(map, name) || wanted.every(one => isPresent(map, one)));
}

function fillIn(defaults: readonly Default[], map: JsonMap, steps: Steps): void {
  for (const { name, plain, text } of defaults) {
    if (map[name] !== undefined) continue;
    map[name] = text === null ? plain : JSON.parse(text);
    steps.filled.push(map, name);
    steps.forget();
  }
}

function fitsJoined(joined: JoinedRules, value: unknown, steps: Steps): boolean {
  const { also, not, any, one, all } = joined;
  if (also !== null && !fitsReferred(also, value, steps)) return false;
  for (const values of joined.values) if (!fitsValues(values, value, steps)) return false;
  if (not !== null && fits(not, value, steps)) return false;
  if (any !== null && countFitting(formsOf(any, value, joined), value, steps, 1) === 0) return false;
  if (one !== null && countFitting(formsOf(one, value, joined), value, steps, 2) !== 1) return false;
  if (all !== null) {
    steps.take(all.length);
    for (const node of all) if (!fits(node, value, steps)) return false;
  }
  if (joined.if === null) return true;
  const branch = fits(joined.if, value, steps) ? joined.then : joined.else;
  return branch === null || fits(branch, value, steps);
}

/** Only references lead to the same rules again: where a check takes long, their answers are kept. */
function fitsReferred(node: Node, value: unknown, steps: Steps): boolean {
  steps.take(1);
  if (!steps.isKeeping) return fits(node, value, steps);
  const known = steps.known(node, value);
  if (known !== undefined) return known;
  const { length } = steps.filled;
  const answer = fits(node, value, steps);
  // A rule that saw the value before its defaults were filled in may see it differently now.
  if (steps.filled.length === length) steps.learn(node, value, answer);
  return answer;
}

/** How many of the schemas a value fits; `enough` of them are not counted on. */
function countFitting(nodes: readonly Node[], value: unknown, steps: Steps, enough: number): number {
  let count = 0;
  let index = 0;
  for (; index < nodes.length && count < enough; index += 1) if (fits(nodes[index] as Node, value, steps)) count += 1;
  if (nodes.length > fewForms) steps.take(index);
  return count;
}
