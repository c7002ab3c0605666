// In: an operation. Out: the definition of a tool that does it, or the reason why there is none.

import type { Diagnostic } from '../../../schema/diagnostics.js';
import { diagnose } from '../../../schema/diagnostics.js';
import { addAccept, errorsOf, outputOf } from './answers.js';
import type { Api, ApiOperation, Placed, SchemaBook } from './api.js';
import { addBody } from './bodies.js';
import { noteOfPages } from './pages.js';
import { addParameter } from './parameters.js';
import { addPath } from './paths.js';
import { LeftOutReason, RequestDraft, type Schema } from './request.js';
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
  const inputSchema = draft.inputSchema();
  const size = book.size(inputSchema);
  if (size > largestInput)
    return new LeftOutReason(`its input has ${shownSize(size)}, more than a model can read`, operation.pointer);
  if (size > largeInput) {
    const params = { name, size: shownSize(size), members: largestMembers(draft.properties, book) };
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
function largestMembers(properties: Readonly<Record<string, Schema>>, book: SchemaBook): readonly string[] {
  return Object.entries(properties)
    .map(([name, schema]) => ({ name, size: book.size(schema) }))
    .sort((a, b) => b.size - a.size)
    .slice(0, 3)
    .map(({ name }) => name);
}
