// Clients that cannot ask their user bring answers back as arguments (C6). In: a tool. Out: its input schema with these arguments, so that
// hosts that validate arguments, and models that keep to a schema, can send them.
import type { JsonSchema } from '../../../schema/definitions.js';
import { isMap, type Path } from '../../../schema/document.js';
import { isSchemaObject, type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import { indexRefs, type RefIndex } from '../../../schema/json-schema/refs.js';
import type { Program, Tool } from '../../load/program.js';

const confirmed = {
  confirmed: {
    type: 'boolean',
    description: 'true once the user has agreed to this very call. Ask the user first; never agree for them.',
  },
} as const;

const answers = {
  _answers: {
    type: 'object',
    description: "The user's answers by question. Only in a call that repeats one whose result asked for them.",
  },
  _state: { type: 'string', description: 'As the result that asked gave it.' },
} as const;

/** Whether its manifest says that a tool asks its user, and can do without. */
export function saysThatItAsks({ definition }: Tool, config: Program['pack']['config']): boolean {
  return definition.requires?.['elicitation'] === 'suggested' && !Object.hasOwn(config, 'elicitation');
}

/**
 * Undefined where nothing is asked that way: then the tool has one schema for all clients.
 *
 * @example relayedInput(tool, program.pack.config)?.properties // { ..., confirmed: { type: 'boolean' } }
 */
export function relayedInput(tool: Tool, config: Program['pack']['config']): JsonSchema | undefined {
  const members = {
    ...(tool.definition.confirm === true ? confirmed : {}),
    ...(saysThatItAsks(tool, config) ? answers : {}),
  };
  return Object.keys(members).length === 0 ? undefined : withMembers(tool.inputSchema, members);
}

/** Every schema that speaks of the arguments as a whole and refuses what it does not know is given the members. */
function withMembers(schema: JsonSchema, members: JsonSchemaObject): JsonSchema {
  const copy = structuredClone(schema) as JsonSchemaObject;
  for (const path of closedPlaces(schema)) {
    let at: unknown = copy;
    for (const key of path) at = isMap(at) || Array.isArray(at) ? (at as JsonSchemaObject)[key] : undefined;
    if (!isMap(at)) continue;
    const properties = own(at, 'properties');
    (at as Record<string, unknown>)['properties'] = { ...(isMap(properties) ? properties : {}), ...members };
  }
  return copy;
}

const mostPlaces = 500;

/** The root, and what it applies to the same value. */
function closedPlaces(root: JsonSchema): readonly Path[] {
  let refs: RefIndex | undefined;
  const found: Path[] = [[]];
  const seen = new Set<unknown>([root]);
  const waiting: { readonly schema: JsonSchemaObject; readonly path: Path }[] = [{ schema: root, path: [] }];
  for (const { schema, path } of waiting) {
    if (waiting.length > mostPlaces) break;
    if (path.length > 0 && closing.some(keyword => isClosing(own(schema, keyword)))) found.push(path);
    const ref = own(schema, '$ref');
    if (typeof ref === 'string') {
      refs ??= indexRefs(root);
      const target = refs.resolve(ref, schema);
      if (target.kind === 'found') add(target.schema, target.path);
    }
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const all = own(schema, keyword);
      if (Array.isArray(all)) for (const [index, one] of all.entries()) add(one, [...path, keyword, index]);
    }
    for (const keyword of ['then', 'else']) add(own(schema, keyword), [...path, keyword]);
  }
  return found;

  function add(schema: unknown, path: Path): void {
    if (!isSchemaObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    waiting.push({ schema, path });
  }
}

const closing = ['additionalProperties', 'unevaluatedProperties'];

function isClosing(rule: unknown): boolean {
  return rule === false || isSchemaObject(rule);
}
