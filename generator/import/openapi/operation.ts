// In: an operation. Out: the definition of a tool that does it, or the reason why there is none.

import type { Diagnostic } from '../../../schema/diagnostics.js';
import { diagnose } from '../../../schema/diagnostics.js';
import { sharedName } from '../../../schema/json-schema/refs.js';
import { addAccept, errorsOf, outputOf } from './answers.js';
import type { Api, ApiOperation, Placed, SchemaBook } from './api.js';
import { addBody } from './bodies.js';
import { noteOfPages } from './pages.js';
import { addParameter } from './parameters.js';
import { addPath } from './paths.js';
import { LeftOutReason, RequestDraft, type Schema } from './request.js';
import { firstSentence } from './schema-text.js';
import { describe } from './words.js';

export interface OperationScope {
  readonly api: Api;
  readonly book: SchemaBook;
  readonly diagnostics: Diagnostic[];
  readonly outputs: boolean;
  backendOf(operation: ApiOperation): string;
}

export interface ImportedOperation {
  readonly definition: Schema;
  readonly notes: readonly string[];
}

/** In characters. */
const largeInput = 64 * 1024;
const largestInput = 1024 * 1024;
/** Of a member that is cut. */
const longestAbout = 200;

export function importOperation(
  name: string,
  operation: ApiOperation,
  scope: OperationScope,
): ImportedOperation | LeftOutReason {
  const { api, book, diagnostics, outputs, backendOf } = scope;
  const broken = findBroken(operation, book);
  if (broken !== undefined) return broken;
  // What is said of an operation that is left out helps nobody.
  const found: Diagnostic[] = [];
  const draft = new RequestDraft(api, book, operation, found);
  const reason =
    addPath(draft) ??
    addParameters(draft) ??
    (operation.body === undefined ? undefined : addBody(draft, operation.body));
  if (reason !== undefined) return reason;
  const size = book.size(draft.inputSchema());
  const cut = size > largestInput ? cutInput(draft, book) : [];
  const inputSchema = draft.inputSchema();
  if (size > largestInput && book.size(inputSchema) > largestInput)
    return new LeftOutReason(`its input has ${shownSize(size)}, more than a model can read`, operation.pointer);
  if (cut.length > 0) {
    draft.notes.push(`Not described, because all of the input would have ${shownSize(size)}: ${cut.join(', ')}.`);
    const params = { name, size: shownSize(size), members: cut };
    found.push(diagnose('import/cut-input', params, api.site(operation.pointer, 'key')));
  } else if (size > largeInput) {
    const members = membersBySize(draft.properties, book).slice(0, 3);
    const params = { name, size: shownSize(size), members };
    found.push(diagnose('import/large-input', params, api.site(operation.pointer, 'key')));
  }
  const { answer } = operation;
  if (answer !== undefined) addAccept(draft, answer);
  const outputSchema = outputs && answer !== undefined ? outputOf(draft, answer) : undefined;
  const pages = noteOfPages(draft);
  const words = describe(operation, draft.notes);
  diagnostics.push(...found);
  const errors = errorsOf(draft);
  const definition = {
    ...words,
    effect: effectOf(operation),
    inputSchema,
    http: draft.call(backendOf(operation)),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(errors === undefined ? {} : { errors }),
  };
  return { definition, notes: [...draft.notes, ...pages] };
}

function addParameters(draft: RequestDraft): LeftOutReason | undefined {
  for (const parameter of draft.operation.parameters) {
    const reason = addParameter(draft, parameter);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function findBroken({ parameters, body }: ApiOperation, book: SchemaBook): LeftOutReason | undefined {
  const schemas: readonly Placed[] = [...parameters, ...(body?.contents ?? [])].map(({ schema }) => schema);
  for (const schema of schemas) {
    const broken = book.broken(schema);
    if (broken !== undefined)
      return new LeftOutReason(`the reference ${JSON.stringify(broken.ref)} is broken`, broken.pointer);
  }
  return undefined;
}

function effectOf({ method }: ApiOperation): 'read' | 'write' | 'destructive' {
  if (method === 'DELETE') return 'destructive';
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'read' : 'write';
}

function shownSize(characters: number): string {
  return `${Math.ceil(characters / 1024)} KB`;
}

/** What to cut first. */
function membersBySize(properties: Readonly<Record<string, Schema>>, book: SchemaBook): readonly string[] {
  return Object.entries(properties)
    .map(([name, schema]) => ({ name, size: book.size(schema) }))
    .sort((a, b) => b.size - a.size)
    .map(({ name }) => name);
}

/** No model reads a million characters: of the largest members only the type is said, of as few as will do. Out: their names. */
function cutInput(draft: RequestDraft, book: SchemaBook): readonly string[] {
  const names = membersBySize(draft.properties, book);
  const cutOff = (count: number): Readonly<Record<string, Schema>> => {
    const cut = new Set(names.slice(0, count));
    const members = Object.entries(draft.properties);
    return Object.fromEntries(members.map(([name, one]) => [name, cut.has(name) ? openForm(one, book) : one]));
  };
  const fits = (count: number): boolean =>
    book.size({ ...draft.inputSchema(), properties: cutOff(count) }) <= largeInput;
  // There may be thousands of them.
  let [least, most] = [1, names.length];
  while (least < most) {
    const middle = (least + most) >> 1;
    if (fits(middle)) most = middle;
    else least = middle + 1;
  }
  Object.assign(draft.properties, cutOff(least));
  return names.slice(0, least);
}

function openForm({ type, description, $ref: ref }: Schema, book: SchemaBook): Schema {
  const shared = sharedName(ref);
  const root = type ?? (shared === undefined ? undefined : book.definition(shared)?.['type']);
  const about = typeof description === 'string' ? firstSentence(description, longestAbout) : '';
  return { ...(root === undefined ? {} : { type: root }), ...(about === '' ? {} : { description: about }) };
}
