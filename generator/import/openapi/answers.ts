// In: what an operation answers. Out: the output of the tool, the header that asks for the right type, and the errors that it declares.
import { asMap } from '../../../schema/document.js';
import { sharedName } from '../../../schema/json-schema/refs.js';
import type { ApiAnswer, ApiContent } from './api.js';
import { isExactType, isJson } from './media-types.js';
import type { RequestDraft, Schema } from './request.js';
import { cleanText, firstSentence } from './schema-text.js';

function jsonOf({ contents }: ApiAnswer): ApiContent | undefined {
  return contents.find(({ type }) => type === 'application/json') ?? contents.find(({ type }) => isJson(type));
}

/** JSON is asked for anyway. */
export function addAccept(draft: RequestDraft, answer: ApiAnswer): void {
  const chosen = jsonOf(answer) ?? answer.contents[0];
  if (chosen === undefined || !isExactType(chosen.type)) return;
  const type = chosen.type + chosen.parameters;
  if (type !== 'application/json') draft.put('headers', 'Accept', type);
}

/** Of JSON that is an object or a list; undefined where the tool promises nothing. */
export function outputOf(draft: RequestDraft, answer: ApiAnswer): Schema | undefined {
  const content = jsonOf(answer);
  if (content === undefined || draft.operation.method === 'HEAD') return undefined;
  if (hasOtherAnswers(draft, answer)) {
    draft.notes.push('No output is promised: the service has several answers of success.');
    return undefined;
  }
  const output = draft.book.output(content.schema);
  if (output === undefined) return undefined;
  const { schema, cut } = output;
  const root = typeOf(draft, schema);
  if (root === 'object' || root === 'array') draft.notes.push(...noteOfCut(cut));
  if (root === 'object') return schema;
  // The runtime puts a list into the only member that can have it.
  if (root === 'array') return { type: 'object', properties: { items: schema }, required: ['items'] };
  return undefined;
}

const mostNamed = 8;

/** Of an output, or of a shared schema. */
export function noteOfCut(cut: readonly string[]): readonly string[] {
  if (cut.length === 0) return [];
  const named = cut.slice(0, mostNamed).join(', ');
  const more = cut.length > mostNamed ? ` and ${cut.length - mostNamed} more` : '';
  return [`Not described, and returned as it comes: ${named}${more}.`];
}

/** The root has to say its type; a shared schema says it for those that refer to it. */
function typeOf({ book }: RequestDraft, schema: Schema): unknown {
  const { type, $ref } = schema;
  const name = type === undefined ? sharedName($ref) : undefined;
  return name === undefined ? type : book.definition(name)?.['type'];
}

function hasOtherAnswers({ api, operation }: RequestDraft, answer: ApiAnswer): boolean {
  const answers = asMap(api.resolve(`${operation.pointer}/responses`)?.value);
  return Object.keys(answers).some(status => /^2/.test(status) && status !== answer.status);
}

interface DeclaredError {
  readonly status: string;
  readonly code: string;
  readonly more?: Schema;
}

/** What a model can do something about. */
const declared: readonly DeclaredError[] = [
  { status: '404', code: 'NOT_FOUND' },
  { status: '409', code: 'CONFLICT' },
  { status: '410', code: 'GONE' },
  { status: '412', code: 'PRECONDITION_FAILED' },
  { status: '429', code: 'RATE_LIMITED', more: { retryable: true } },
];

export function errorsOf({ operation }: RequestDraft): Schema | undefined {
  const found = declared.flatMap(({ status, code, more }) => {
    const error = operation.errors.find(one => one.status === status);
    if (error === undefined) return [];
    const said = firstSentence(cleanText(error.description), 200).replaceAll(/\{\{|\}\}|\\/g, '');
    const message = said === '' ? '{{error.message}}' : `${/[.!?…]$/.test(said) ? said : `${said}.`} {{error.message}}`;
    return [[code, { match: [Number(status)], message, ...more }] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
