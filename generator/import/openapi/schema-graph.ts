// The schemas of a document as a graph. In: the document. Out: each schema once, converted when somebody asks for it, and what refers to what;
// none refers to itself for the same value, which would have no end.
import { asList, isMap } from '../../../schema/document.js';
import { isOddFormat } from '../../../schema/json-schema/check-keywords.js';
import { type JsonSchemaObject, own, schemaKeywords } from '../../../schema/json-schema/keywords.js';
import type { Api, Placed } from './api.js';
import { splitPointer } from './pointer.js';
import { toJsonSchema } from './schema-convert.js';
import type { Converting } from './schema-converting.js';
import { findGroups } from './schema-groups.js';
import { placeAt, pointerOf, rootOf } from './schema-place.js';

export interface SchemaGraph {
  /** The schema at a place of the document, converted. A component is given as a reference to itself. */
  read(placed: Placed): JsonSchemaObject;
  /** What a pointer of a converted `$ref` means. */
  at(pointer: string): JsonSchemaObject;
  /** Whether it refers to itself, mostly by way of others. */
  isRecursive(pointer: string): boolean;
  /** Whether any reference so far leads nowhere: see `brokenRefOf`. */
  hasBroken(): boolean;
}

/** What of the document means nothing, and where it is. */
export interface Ignored {
  readonly pointer: string;
  readonly what: string;
  readonly reason: string;
}

export function openSchemaGraph(api: Api, ignored: (one: Ignored) => void): SchemaGraph {
  const followed = new Map<string, string>();
  const values = new Map<string, unknown>();
  const converted = new Map<string, JsonSchemaObject>();
  const ended = new Map<string, JsonSchemaObject>();
  const odd = new Map<string, boolean>();
  let hasBroken = false;

  const converting: Converting = {
    isAloneWithRef: api.version === '2.0' || api.version === '3.0',
    known: new WeakMap(),
    follow(ref, at) {
      const root = rootOf(at);
      const local = localRef(ref, root);
      const key = local ?? `${splitPointer(root).address}\n${ref}`;
      const known = followed.get(key);
      if (known !== undefined) return known;
      const target = local === undefined ? api.resolve(ref, pointerOf(at)) : api.resolve(local);
      if (target === undefined) {
        hasBroken = true;
        return undefined;
      }
      if (!values.has(target.pointer)) values.set(target.pointer, target.value);
      followed.set(key, target.pointer);
      return target.pointer;
    },
    isOddFormat(format) {
      const known = odd.get(format) ?? isOddFormat(format);
      odd.set(format, known);
      return known;
    },
    valueAt: pointer => values.get(pointer),
    ignored: (at, what, reason) => ignored({ pointer: pointerOf(at), what, reason }),
  };

  /** Definitions inside a schema are often referred to as if it were a document of its own. */
  function localRef(ref: string, root: string): string | undefined {
    const [, keyword = ''] = /^#\/(\$defs|definitions)\//.exec(ref) ?? [];
    if (keyword === '' || api.version === '2.0') return undefined;
    // One definition may refer to another beside it.
    for (let home = root; home !== ''; home = home.slice(0, Math.max(home.lastIndexOf(`/${keyword}/`), 0))) {
      const value = values.get(home);
      if (isMap(value) && isMap(own(value, keyword))) return `${home}${ref.slice(1)}`;
    }
    return undefined;
  }

  function convertAt(pointer: string): JsonSchemaObject {
    const known = converted.get(pointer);
    if (known !== undefined) return known;
    const made = toJsonSchema(values.get(pointer), placeAt(pointer), converting);
    converted.set(pointer, made);
    return made;
  }

  const groups = findGroups(pointer => [...new Set(refsIn(convertAt(pointer)))]);
  /** Circles for one and the same value, and those that go through alternatives only. */
  const sameValue = findGroups(pointer => refsInPlace(convertAt(pointer)).map(one => one.pointer));
  const alternatives = findGroups(pointer =>
    refsInPlace(convertAt(pointer)).flatMap(one => (one.isAlternative ? [one.pointer] : [])),
  );

  function at(pointer: string): JsonSchemaObject {
    const known = ended.get(pointer);
    if (known !== undefined) return known;
    const schema = convertAt(pointer);
    const made = sameValue.isRecursive(pointer) ? end(schema, pointer, new Set([pointer])) : schema;
    ended.set(pointer, made);
    return made;
  }

  /**
   * `Dog: { allOf: [Pet] }` and `Pet: { oneOf: [Dog] }` is how many say that a dog is a pet: a dog has what all pets have, and a pet is one of
   * its kinds. So what comes by `allOf` comes without its alternatives, and then no circle is left.
   */
  function end(schema: JsonSchemaObject, home: string, passed: ReadonlySet<string>): JsonSchemaObject {
    const isTaken = passed.size > 1 || !passed.has(home);
    const closes = (one: unknown): boolean =>
      isMap(one) &&
      refsInPlace(one).some(({ pointer }) => (isTaken ? sameValue : alternatives).areTogether(pointer, home));
    const made: Record<string, unknown> = {};
    const parts: JsonSchemaObject[] = [];
    for (const [key, value] of Object.entries(schema)) {
      switch (key) {
        case '$ref': {
          const pointer = String(value);
          if (!sameValue.areTogether(pointer, home)) made[key] = value;
          else if (!passed.has(pointer)) parts.push(end(convertAt(pointer), home, new Set([...passed, pointer])));
          break;
        }
        case 'allOf':
          for (const one of asList(value)) if (isMap(one)) parts.push(end(one, home, passed));
          break;
        case 'anyOf':
        case 'oneOf': {
          const kept = asList(value).filter(one => !closes(one));
          if (kept.length > 0) made[key] = kept;
          break;
        }
        case 'not':
        case 'if':
        case 'then':
        case 'else':
          if (isMap(value) && !refsInPlace(value).some(one => sameValue.areTogether(one.pointer, home)))
            made[key] = value;
          break;
        default:
          made[key] = value;
      }
    }
    const filled = parts.filter(part => Object.keys(part).length > 0);
    return filled.length === 0 ? made : { ...made, allOf: filled };
  }

  return {
    read({ value, pointer }) {
      values.set(pointer, value);
      return isComponent(pointer) ? { $ref: pointer } : convertAt(pointer);
    },
    at,
    isRecursive: groups.isRecursive,
    hasBroken: () => hasBroken,
  };
}

/** What has a name in the document; in another file, what stands at its root or is the file. */
function isComponent(pointer: string): boolean {
  const { address, fragment } = splitPointer(pointer);
  if (/^\/(?:components\/schemas|definitions)\/[^/]+$/.test(fragment)) return true;
  return address !== '' && /^(?:\/[^/]*)?$/.test(fragment);
}

const shapes = schemaKeywords('2020-12');

/** The schemas directly below a schema. */
export function* partsOf(schema: JsonSchemaObject): Generator<JsonSchemaObject> {
  for (const key in schema) {
    const shape = shapes.get(key);
    const value = shape === undefined ? undefined : schema[key];
    if (Array.isArray(value)) yield* value.filter(isMap);
    else if (!isMap(value)) continue;
    else if (shape === 'map') yield* Object.values(value).filter(isMap);
    else yield value;
  }
}

function refsIn(schema: JsonSchemaObject, found: string[] = []): string[] {
  const { $ref: ref } = schema;
  if (typeof ref === 'string') found.push(ref);
  for (const part of partsOf(schema)) refsIn(part, found);
  return found;
}

interface RefInPlace {
  readonly pointer: string;
  /** Below `anyOf` or `oneOf`. */
  readonly isAlternative: boolean;
}

/** References of a schema for its own value. */
function refsInPlace(schema: JsonSchemaObject, isAlternative = false): readonly RefInPlace[] {
  const { $ref: ref } = schema;
  return [
    ...(typeof ref === 'string' ? [{ pointer: ref, isAlternative }] : []),
    ...['allOf', 'not', 'if', 'then', 'else'].flatMap(key => refsBelow(schema, key, isAlternative)),
    ...['anyOf', 'oneOf'].flatMap(key => refsBelow(schema, key, true)),
  ];
}

function refsBelow(schema: JsonSchemaObject, key: string, isAlternative: boolean): readonly RefInPlace[] {
  if (!Object.hasOwn(schema, key)) return [];
  return [schema[key]].flat().flatMap(one => (isMap(one) ? refsInPlace(one, isAlternative) : []));
}
