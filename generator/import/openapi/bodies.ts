// In: the body of an operation. Out: its place in the request: JSON, a form or a file, with the arguments that it is made of.
import type { ApiBody, ApiContent } from './api.js';
import { addForm, addMultipart } from './forms.js';
import { isExactType, isJson } from './media-types.js';
import { isUsableArgument } from './names.js';
import type { LeftOutReason, RequestDraft, Schema } from './request.js';
import { cleanText } from './schema-text.js';
import { shapesOf } from './shapes.js';

type Form = 'json' | 'form' | 'multipart' | 'text' | 'bytes';

const textTypes =
  /^(?:text\/|application\/(?:.+\+)?(?:xml|yaml|x-yaml|javascript|graphql|sql|toml|text|jose|jwt)$|plain\/text$)/;

/** Which kind of body a type is; undefined where there is no way to write it. */
function formOf(type: string): Form | undefined {
  // A stream of JSON is text.
  if (/json/.test(type)) return isJson(type) ? 'json' : 'text';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  if (type.startsWith('multipart/')) return undefined;
  return textTypes.test(type) || type === 'text' ? 'text' : 'bytes';
}

const preferred: readonly Form[] = ['json', 'form', 'multipart', 'text', 'bytes'];

interface Choice {
  readonly content: ApiContent;
  readonly form: Form;
}

/** The type that tells most about its members. */
function chooseContent(draft: RequestDraft, contents: readonly ApiContent[]): Choice | undefined {
  const choices = contents.flatMap((content): Choice[] => {
    // Anything goes: an object is best said in JSON.
    const isObject =
      /^(?:\*|application)\/\*$/.test(content.type) && shapesOf(draft.api, content.schema).includes('object');
    const form = isObject ? 'json' : formOf(content.type);
    return form === undefined ? [] : [{ content, form }];
  });
  const rank = ({ content, form }: Choice): number => {
    // A form of which nobody knows the fields cannot be written.
    const isUnknown = form === 'multipart' && draft.book.inputMembers(content.schema) === undefined;
    const turn = isUnknown ? preferred.length : preferred.indexOf(form);
    return turn * 2 + (content.type === 'application/json' || !isJson(content.type) ? 0 : 1);
  };
  return choices.reduce<Choice | undefined>(
    (best, one) => (best === undefined || rank(one) < rank(best) ? one : best),
    undefined,
  );
}

export function addBody(draft: RequestDraft, body: ApiBody): LeftOutReason | undefined {
  const choice = chooseContent(draft, body.contents);
  if (choice === undefined) {
    if (body.contents.length === 0) return undefined;
    const types = body.contents.map(({ type }) => type).join(', ');
    return leaveOutBody(draft, body, `is ${types}, which the language cannot write`);
  }
  const { content, form } = choice;
  switch (form) {
    case 'json':
      return addJson(draft, body, content);
    case 'form':
      return addForm(draft, body, content);
    case 'multipart':
      return addMultipart(draft, body, content);
    case 'text':
    case 'bytes':
      return addFile(draft, body, content, form);
    default:
      return form satisfies never;
  }
}

export function leaveOutBody(draft: RequestDraft, body: ApiBody, reason: string): LeftOutReason | undefined {
  const { isRequired, pointer } = body;
  return draft.leaveOut({ name: 'body', what: 'its body', reason, isRequired, pointer });
}

function addJson(draft: RequestDraft, body: ApiBody, content: ApiContent): undefined {
  const type = isExactType(content.type) ? content.type + content.parameters : 'application/json';
  if (type !== 'application/json') draft.put('headers', 'Content-Type', type);
  const members = draft.book.inputMembers(content.schema);
  const required = members?.required ?? [];
  // Where a body is unusual, what it requires is not required of every call.
  const isUnusual =
    !body.isRequired && required.length > 0 && /^(?:GET|HEAD|DELETE|OPTIONS)$/.test(draft.operation.method);
  if (members === undefined || isUnusual || !canSpread(draft, [...members.members.keys()], members.others ?? false)) {
    const schema = draft.book.input(content.schema);
    draft.more['body'] = draft.argument({
      wire: 'body',
      where: 'request',
      schema: described(schema, body),
      isRequired: body.isRequired,
    });
    return undefined;
  }
  // Where nothing is said, a name that nobody knows is a mistake.
  const { others = false } = members;
  if (members.members.size === 0 && others === false) {
    if (body.isRequired) draft.more['body'] = {};
    return undefined;
  }
  const tree: [string, string][] = [];
  for (const [wire, schema] of members.members)
    tree.push([wire, draft.argument({ wire, where: 'body', schema, isRequired: required.includes(wire) })]);
  draft.others = others;
  draft.more['body'] = tree.every(([wire, value]) => value === `{${wire}}`) ? 'rest' : Object.fromEntries(tree);
  if (!body.isRequired && required.length === 0) draft.more['optionalBody'] = true;
  return undefined;
}

/** Members that nobody has named have their place only where no other name has to change. */
function canSpread({ names }: RequestDraft, members: readonly string[], others: boolean | Schema): boolean {
  return others === false || members.every(wire => isUsableArgument(wire) && !names.has(wire));
}

export function described(schema: Schema, { description }: Pick<ApiBody, 'description'>): Schema {
  const about = cleanText(description);
  return about === '' || schema['description'] !== undefined ? schema : { ...schema, description: about };
}

/** The whole body is one value. */
function addFile(draft: RequestDraft, body: ApiBody, content: ApiContent, form: 'text' | 'bytes'): undefined {
  const isText = form === 'text';
  const type = isExactType(content.type)
    ? content.type + content.parameters
    : isText
      ? 'text/plain'
      : 'application/octet-stream';
  const about = cleanText(body.description);
  const kind = isText ? `The body, as ${type}.` : 'The bytes of the body, in base64.';
  const schema = {
    type: 'string',
    ...(isText ? {} : { contentEncoding: 'base64' }),
    contentMediaType: type,
    description: about === '' ? kind : `${about} ${kind}`,
  };
  const value = draft.argument({ wire: 'body', where: 'request', schema, isRequired: body.isRequired });
  draft.more['file'] = isText ? { text: value, type } : { base64: value, type };
  return undefined;
}
