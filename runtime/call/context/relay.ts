// Questions to users of clients that cannot ask. The tool's answer is then text that asks the model to pass the question on;
// the model brings the user's words back by calling again with two more arguments:
//   _answers  what the user said, by question: {"size": {"size": "M"}}, or {"size": "decline"}
//   _state    only where something must not be lost or repeated: results of ctx.once, answers of the model, destructive tools
// They are taken off the arguments before these are validated, and only where the client really cannot ask: a client that can
// is the only one to speak for its user. Consent to a `confirm` tool never comes this way (see confirm.ts), and a destructive
// tool takes `_answers` only with the sealed `_state` that came with the question, so that no model answers what it was not asked.

import type { JsonSchema } from '../../../schema/definitions.js';
import { isMap, type Path } from '../../../schema/document.js';
import { isSchemaObject, type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import { indexRefs, type RefIndex } from '../../../schema/json-schema/refs.js';
import type { ElicitAnswer } from '../../../schema/support/mcp/client.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';
import type { Program, Tool } from '../../load/program.js';
import type { CallServices, Request, ServedTool } from '../ports.js';
import { type Reading, readContent, readElicitAnswer, type UserAsk } from './ask.js';
import { canElicit } from './can-elicit.js';
import { choicesOf, type Field } from './form.js';

/** Thrown by `ctx.elicit` where the client cannot ask; `text` is the answer of the tool. */
export class RelayQuestion extends Error {
  override readonly name = 'RelayQuestion';
  readonly text: string;

  constructor(text: string) {
    super('The question is passed on by the model');
    this.text = text;
  }
}

/** What a model brought back; anything may be in it. */
export interface Relayed {
  /** The arguments of the tool itself. */
  readonly args: unknown;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly state: string | undefined;
}

/** Takes `_answers` and `_state` off: no tool has parameters of these names. */
export function takeRelayed(args: unknown, request: Request): Relayed {
  const nothing = { args, answers: {}, state: undefined };
  if (!isMap(args) || (!Object.hasOwn(args, '_answers') && !Object.hasOwn(args, '_state'))) return nothing;
  if ((request.depth ?? 0) > 0) return nothing;
  if (canElicit(request.client, 'form') && canElicit(request.client, 'url')) return nothing;
  const { _answers, _state, ...rest } = args;
  const answers = fromText(_answers);
  return {
    args: rest,
    answers: isMap(answers) ? answers : {},
    state: typeof _state === 'string' && _state !== '' ? _state : undefined,
  };
}

/** Models write maps as texts now and then. */
function fromText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The fields themselves, `"decline"`, or an answer as the protocol has it. */
export function readRelayed(raw: unknown, ask: UserAsk): Reading<ElicitAnswer> {
  const value = fromText(raw);
  if (value === 'decline' || value === 'cancel') return { answer: { action: value } };
  if (value === 'accept') return readElicitAnswer({ action: value }, ask.form);
  const isWhole =
    isMap(value) &&
    Object.hasOwn(value, 'action') &&
    ask.form?.fields.has('action') !== true &&
    Object.keys(value).every(key => key === 'action' || key === 'content');
  if (isWhole || ask.form === undefined) return readElicitAnswer(value, ask.form);
  return readContent(value, ask.form);
}

export interface Open {
  readonly ask: UserAsk;
  /** Why the last answer was none. */
  readonly problem?: string | undefined;
}

/** The text that makes a model ask the user and come back. */
export function printRelay(input: {
  readonly name: string;
  readonly open: readonly Open[];
  /** Answers that were taken; they must come again, since nobody remembers them. */
  readonly answered: Readonly<Record<string, unknown>>;
  readonly state: string | undefined;
}): string {
  const { name, open, answered, state } = input;
  const examples = open.map(({ ask }): [string, unknown] => [ask.key, exampleAnswer(ask)]);
  const further = {
    _answers: { ...answered, ...Object.fromEntries(examples) },
    ...(state === undefined ? {} : { _state: state }),
  };
  return [
    `${name} needs an answer from the user before it can go on. Ask the user; do not answer for them.`,
    ...open.map(({ ask, problem }) => describeQuestion(ask, problem)),
    `Then call ${name} again with the same arguments and, in addition, these (with the user's answers filled in):\n${JSON.stringify(further)}`,
    `If the user does not want to answer, write "decline" in place of the answer: ${JSON.stringify({ _answers: { [open[0]?.ask.key ?? '']: 'decline' } })}`,
  ].join('\n\n');
}

/**
 * A string in place of the tool's result. Clients refuse results without data where the tool has an output schema, unless they
 * are errors.
 *
 * @example return relayResult(served, problem.text);
 */
export function relayResult({ tool }: Pick<ServedTool, 'tool'>, text: string): CallToolResult {
  const said = { content: [{ type: 'text', text }], _meta: { [unfinishedKey]: true } } as const;
  return tool.outputSchema === undefined ? said : { ...said, isError: true };
}

/** Under it a result says that the tool did not do its work: a question is open, or the user declined. */
export const unfinishedKey = 'toolwright/unfinished';

/** The message, and a line for each field. */
function describeQuestion({ key, message, form, url }: UserAsk, problem?: string): string {
  const lines = [`Question ${JSON.stringify(key)}: ${message}`];
  if (problem !== undefined) lines.push(`(The last answer did not fit: ${problem}.)`);
  if (url !== undefined) lines.push(`The user must open this page and finish there: ${url}`);
  for (const [name, field] of form?.fields ?? [])
    lines.push(describeField(name, field, form?.required.has(name) === true));
  return lines.join('\n');
}

function describeField(name: string, field: Field, isRequired: boolean): string {
  const facts = [typeOf(field), ...limitsOf(field), isRequired ? 'required' : 'optional'];
  if (field.default !== undefined) facts.push(`default ${JSON.stringify(field.default)}`);
  const words = [field.title, field.description].filter(text => text !== undefined).join('. ');
  return `- ${name} (${facts.join(', ')})${words === '' ? '' : `: ${words}`}`;
}

function typeOf(field: Field): string {
  const choices = choicesOf(field);
  if (choices === undefined) return field.format ?? field.type ?? 'string';
  const listed = choices
    .map(choice => JSON.stringify(choice.const) + (choice.title === undefined ? '' : ` = ${choice.title}`))
    .join(', ');
  return field.type === 'array' ? `a list with any of ${listed}` : `one of ${listed}`;
}

function limitsOf(field: Field): readonly string[] {
  const limits: readonly [string, unknown][] = [
    ['at least', field.minimum],
    ['at most', field.maximum],
    ['characters at least', field.minLength],
    ['characters at most', field.maxLength],
    ['choices at least', field.minItems],
    ['choices at most', field.maxItems],
    ['matching', field.pattern],
  ];
  return limits.flatMap(([words, limit]) => (limit === undefined ? [] : [`${words} ${limit}`]));
}

/** The shape of the answer, with types in the place of values. */
function exampleAnswer({ form }: UserAsk): unknown {
  if (form === undefined || form.fields.size === 0) return 'accept';
  return Object.fromEntries(
    [...form.fields].map(([name, field]) => [
      name,
      field.type === 'array' ? ['<choice>'] : `<${field.type ?? 'string'}>`,
    ]),
  );
}

/**
 * The arguments that the tool itself takes: what is meant for us is taken off.
 *
 * @example const args = ownArguments(served, request.params.arguments, request);
 */
export function ownArguments(served: ServedTool, args: unknown, request: Request): unknown {
  const { args: rest } = takeRelayed(args, request);
  if (served.tool.definition.confirm !== true || !isMap(rest) || !Object.hasOwn(rest, 'confirmed')) return rest;
  const { confirmed, ...others } = rest;
  return others;
}

/** By `effect`, unless `annotations` says otherwise. */
export function isDestructive({ definition }: Tool): boolean {
  const hint = definition.annotations?.['destructiveHint'];
  return typeof hint === 'boolean' ? hint : definition.effect === 'destructive';
}

// Clients that cannot ask their user bring answers back as arguments (C6). In: a tool. Out: its input schema with these arguments, so that
// hosts that validate arguments, and models that keep to a schema, can send them.

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

const reported = new WeakSet<Tool>();

/** Clients learn from the manifest only that a tool asks: without it, those that keep to the listed schema cannot answer. */
export function reportUnsaid({ tool, name, host }: ServedTool, { report }: Pick<CallServices, 'report'>): void {
  if (reported.has(tool) || saysThatItAsks(tool, host.program.pack.config)) return;
  reported.add(tool);
  report(
    `${name} asks the user, and this client cannot: add "requires: { elicitation: suggested }" to the tool, so that lists for such clients have the argument "_answers"`,
  );
}

/** Whether its manifest says that a tool asks its user, and can do without. */
function saysThatItAsks({ definition }: Tool, config: Program['pack']['config']): boolean {
  return definition.requires?.['elicitation'] === 'suggested' && !Object.hasOwn(config, 'elicitation');
}

/**
 * Undefined where nothing is asked that way: then the tool has one schema for all clients.
 *
 * @example relayedInput(served)?.properties // { ..., confirmed: { type: 'boolean' } }
 */
export function relayedInput({
  tool,
  host,
  bound,
}: Pick<ServedTool, 'tool' | 'host' | 'bound'>): JsonSchema | undefined {
  const { config } = host.program.pack;
  const members = {
    ...(tool.definition.confirm === true ? confirmed : {}),
    ...(saysThatItAsks(tool, config) ? answers : {}),
  };
  return Object.keys(members).length === 0 ? undefined : withMembers(bound?.input ?? tool.inputSchema, members);
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
