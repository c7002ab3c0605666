// In: a body that is a form. Out: its fields, each with the argument that it is made of.

import { asList, asMap } from '../../../schema/document.js';
import type { ApiBody, ApiContent, InputMembers, Placed } from './api.js';
import { described, leaveOutBody } from './bodies.js';
import { isExactType } from './media-types.js';
import { below } from './pointer.js';
import { noteBrackets, queryStyle } from './query-style.js';
import { LeftOutReason, type RequestDraft, type Schema } from './request.js';
import { followAlone, followRef, isFile, isFlat, shapesOf } from './shapes.js';

type Encoding = ApiContent['encoding'][string];

export function addForm(draft: RequestDraft, body: ApiBody, content: ApiContent): LeftOutReason | undefined {
  const members = draft.book.inputMembers(content.schema);
  if (members === undefined) return addWhole(draft, body, content);
  const { size } = members.members;
  if (size === 0 && !body.isRequired) return undefined;
  draft.begin('form');
  for (const [wire, schema] of members.members) {
    const encoding = encodingOf(content, wire);
    const isJsonText = encoding.contentType !== undefined && /json/i.test(encoding.contentType);
    const written = isJsonText ? jsonText(schema) : schema;
    const isRequired = members.required.includes(wire);
    draft.put('form', wire, draft.argument({ wire, where: 'body', schema: written, isRequired }));
    const placed = isJsonText ? undefined : findMember(draft, content.schema, wire);
    const reason = placed === undefined ? undefined : addStyle(draft, wire, placed, encoding);
    if (reason !== undefined) return new LeftOutReason(`${JSON.stringify(wire)} ${reason}`, content.pointer);
  }
  return finish(draft, body, members);
}

/** One object of which nobody knows the members. */
function addWhole(draft: RequestDraft, body: ApiBody, content: ApiContent): LeftOutReason | undefined {
  const shapes = shapesOf(draft.api, content.schema);
  if (shapes.length === 1 && shapes[0] === 'scalar') return addWritten(draft, body, content);
  if (shapes.length > 0 && !shapes.includes('object'))
    return leaveOutBody(draft, body, 'is a form that is not an object');
  const schema = described({ type: 'object', ...draft.book.input(content.schema) }, body);
  const value = draft.argument({ wire: 'body', where: 'request', schema, isRequired: body.isRequired });
  draft.put('form', 'body', value);
  draft.style('body', 'members');
  if (!body.isRequired) draft.more['optionalBody'] = true;
  return undefined;
}

/** A form that is text already: `a=1&b=2`. */
function addWritten(draft: RequestDraft, body: ApiBody, { schema, type }: ApiContent): undefined {
  const about = described({ ...draft.book.input(schema), contentMediaType: type }, body);
  draft.more['file'] = {
    text: draft.argument({ wire: 'body', where: 'request', schema: about, isRequired: body.isRequired }),
    type,
  };
  return undefined;
}

export function addMultipart(draft: RequestDraft, body: ApiBody, content: ApiContent): LeftOutReason | undefined {
  const members = draft.book.inputMembers(content.schema);
  if (members === undefined) return leaveOutBody(draft, body, 'is a form with fields that the document does not name');
  if (members.members.size === 0 && !body.isRequired) return undefined;
  draft.begin('multipart');
  for (const [wire, schema] of members.members) {
    const isRequired = members.required.includes(wire);
    const placed = findMember(draft, content.schema, wire);
    const type = partType(encodingOf(content, wire).contentType);
    const items = placed === undefined ? undefined : itemsOf(draft, placed);
    if (placed !== undefined && isFile(draft.api, placed)) addFilePart(draft, { wire, schema, isRequired, type });
    else if (items !== undefined && isFile(draft.api, items)) {
      const files = { type: 'array', items: filePart, ...descriptionOf(schema) };
      draft.put('multipart', wire, draft.argument({ wire, where: 'body', schema: files, isRequired }));
    } else {
      const value = draft.argument({ wire, where: 'body', schema, isRequired });
      const isText =
        type !== undefined && placed !== undefined && shapesOf(draft.api, placed).every(one => one === 'scalar');
      draft.put('multipart', wire, isText ? { text: value, type } : value);
    }
  }
  return finish(draft, body, members);
}

function finish(draft: RequestDraft, body: ApiBody, { required }: InputMembers): undefined {
  if (!body.isRequired && required.length === 0) draft.more['optionalBody'] = true;
  return undefined;
}

const base64 = { type: 'string', contentEncoding: 'base64' };

/** As parts of forms are given to the runtime. */
const filePart: Schema = {
  type: 'object',
  properties: { base64, filename: { type: 'string' }, type: { type: 'string' } },
  required: ['base64'],
  additionalProperties: false,
};

interface FileField {
  readonly wire: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly type: string | undefined;
}

function addFilePart(draft: RequestDraft, { wire, schema, isRequired, type }: FileField): void {
  const { description } = descriptionOf(schema);
  const about = [description, 'The bytes of the file, in base64.'].filter(text => text !== undefined).join(' ');
  const value = draft.argument({ wire, where: 'body', schema: { ...base64, description: about }, isRequired });
  const filename = draft.argument({
    wire: `${value.slice(1, -1)}_filename`,
    where: 'body',
    schema: { type: 'string', description: `The name of the file ${wire}.` },
    isRequired: false,
  });
  draft.put('multipart', wire, { base64: value, filename, ...(type === undefined ? {} : { type }) });
}

function descriptionOf({ description }: Schema): { readonly description?: string } {
  return typeof description === 'string' && description !== '' ? { description } : {};
}

/** Text that is JSON inside: the model writes it. */
function jsonText(schema: Schema): Schema {
  return { type: 'string', contentMediaType: 'application/json', contentSchema: schema, ...descriptionOf(schema) };
}

function encodingOf({ encoding }: ApiContent, wire: string): Encoding {
  return Object.hasOwn(encoding, wire) ? (encoding[wire] ?? {}) : {};
}

/** Of several types that a part may have, the first; patterns say nothing. */
function partType(contentType: string | undefined): string | undefined {
  const first = contentType?.split(',', 1)[0]?.trim();
  return first !== undefined && isExactType(first) ? first : undefined;
}

/** Out: why a field cannot be written. What forms do by themselves is not said. */
function addStyle(draft: RequestDraft, name: string, schema: Placed, encoding: Encoding): string | undefined {
  const shapes = shapesOf(draft.api, schema);
  const isList = shapes.includes('list');
  if (!isList && !shapes.includes('object')) return undefined;
  const usual = isList && isFlat(draft.api, schema) ? 'form' : 'deepObject';
  const { style: written, explode = false } = encoding;
  if (written === undefined && usual === 'deepObject') noteBrackets(draft, name, isList);
  const style = written === undefined ? usual : queryStyle(draft, { name, style: written, explode, schema });
  if (typeof style !== 'string') return style.reason;
  if (draft.has('query', name) && (draft.styleOf(name) ?? 'form') !== style)
    return 'is written differently in the query and in the form';
  if (style !== usual) draft.style(name, style);
  return undefined;
}

function itemsOf(draft: RequestDraft, schema: Placed): Placed | undefined {
  const { value, pointer } = followAlone(draft.api, schema);
  const items = asMap(value)['items'];
  return items === undefined ? undefined : { value: items, pointer: below(pointer, 'items') };
}

/** A member of an object, or of the parts that it is made of. */
function findMember(draft: RequestDraft, schema: Placed, name: string, depth = 0): Placed | undefined {
  const { value, pointer } = followRef(draft.api, schema);
  const { properties, allOf } = asMap(value);
  const own = asMap(properties);
  if (Object.hasOwn(own, name)) return { value: own[name], pointer: below(pointer, 'properties', name) };
  if (depth > 8) return undefined;
  for (const [index, part] of asList(allOf).entries()) {
    const found = findMember(draft, { value: part, pointer: below(pointer, 'allOf', index) }, name, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
