// Bodies of requests. In: `requestBody` of 3.x, or the parameters of 2.0 that are sent in the body. Out: ApiBody.
import type { ApiBody, ApiContent } from '../api.js';
import { below } from '../pointer.js';
import { fileAsText, isFile, schemaOfParameter } from './flat-schemas.js';
import { partOf, referenceOf } from './library.js';
import { contentsOf, plainType, readContents } from './media.js';
import { Broken, type Declared, followMap, ignore, isYes, type PlacedMap, type Reader, textOf } from './reader.js';
import { readStyle } from './styles.js';

export function readBody(reader: Reader, operation: PlacedMap): ApiBody | Broken | undefined {
  const written = partOf(operation, 'requestBody');
  if (written === undefined || written.value === null) return undefined;
  const body = followMap(reader, written, 'requestBody');
  if (body === undefined && referenceOf(written.value) === undefined) return undefined;
  if (body === undefined) return new Broken('the reference of its body cannot be followed');
  return {
    isRequired: isYes(body.value.required),
    description: textOf(body.value.description),
    contents: readContents(reader, body),
    pointer: body.pointer,
  };
}

const urlencoded = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data';

/** `consumes`: the types of the operation, or of the document. */
export function readOldBody(
  reader: Reader,
  declared: readonly Declared[],
  { consumes, pointer }: { readonly consumes: readonly string[]; readonly pointer: string },
): ApiBody | undefined {
  const [body] = declared.filter(({ place }) => place === 'body');
  const fields = declared.filter(({ place }) => place === 'formData');
  if (body === undefined) return fields.length === 0 ? undefined : formOf(reader, fields, { consumes, pointer });
  for (const { name, parameter } of fields)
    ignore(reader, parameter.pointer, name, 'an operation has either a body or a form');
  const { value, pointer: place } = body.parameter;
  const types = consumes.length > 0 ? consumes : ['application/json'];
  return {
    isRequired: isYes(value.required),
    description: textOf(value.description),
    contents: contentsOf(types, schemaOfParameter(body.parameter), place),
    pointer: place,
  };
}

function formOf(
  reader: Reader,
  fields: readonly Declared[],
  { consumes, pointer }: { readonly consumes: readonly string[]; readonly pointer: string },
): ApiBody {
  const written = consumes.map(plainType).filter(type => type === urlencoded || type === multipart);
  const hasFile = fields.some(({ parameter }) => isFile(parameter.value));
  // Only one of them can have bytes.
  const fits = hasFile ? written.filter(type => type === multipart) : written;
  const types = fits.length > 0 ? fits : [hasFile ? multipart : urlencoded];
  const required = fields.filter(({ parameter }) => isYes(parameter.value.required)).map(({ name }) => name);
  const place = below(pointer, 'parameters');
  const schema = {
    value: {
      type: 'object',
      properties: Object.fromEntries(fields.map(field => [field.name, schemaOfField(field)])),
      ...(required.length === 0 ? {} : { required }),
    },
    pointer: place,
  };
  const encoding: ApiContent['encoding'] = Object.fromEntries(
    fields
      .filter(({ parameter }) => parameter.value.type === 'array')
      .map(({ name, parameter }) => [name, readStyle(reader, parameter, 'query')]),
  );
  return {
    isRequired: required.length > 0,
    contents: types.map(type => ({ type, parameters: '', schema, encoding, pointer: place })),
    pointer: place,
  };
}

function schemaOfField({ parameter }: Declared): unknown {
  const { value } = fileAsText(schemaOfParameter(parameter));
  const description = textOf(parameter.value.description);
  return description === undefined || typeof value !== 'object' ? value : { description, ...value };
}
