// In: a parameter of an operation. Out: an argument of the tool and its place in the request, a fixed value, or the reason why there is no way
// to write it.

import { nameForm, ownHeaders } from '../../../runtime/backends/http/header-values.js';
import { literalText } from '../literal-text.js';
import type { ApiParameter } from './api.js';
import { queryStyle, withoutComma } from './query-style.js';
import type { LeftOutReason, RequestDraft, Schema } from './request.js';
import { cleanText } from './schema-text.js';
import { constantOf, isFlat, shapesOf } from './shapes.js';

/** What every request says anyway: what it is sent with, and by whom. */
const standard: ReadonlySet<string> = new Set(['accept-encoding', 'user-agent']);

/** Query, headers and cookies; the path has its own. */
export function addParameter(draft: RequestDraft, parameter: ApiParameter): LeftOutReason | undefined {
  const reason = placeOf(draft, parameter);
  if (reason === undefined) return undefined;
  const { name, isRequired, pointer } = parameter;
  const what = `the ${parameter.in} parameter ${JSON.stringify(name)}`;
  return draft.leaveOut({ name, what, reason, isRequired, pointer });
}

/** Undefined: it has its place. */
function placeOf(draft: RequestDraft, parameter: ApiParameter): string | undefined {
  switch (parameter.in) {
    case 'query':
      return addQuery(draft, parameter);
    case 'querystring':
      return addQueryString(draft, parameter);
    case 'header':
      return addHeader(draft, parameter);
    case 'cookie':
      return addCookie(draft, parameter);
    case 'path':
      return undefined;
    default:
      return parameter.in satisfies never;
  }
}

function addQuery(draft: RequestDraft, parameter: ApiParameter): string | undefined {
  const { name, contentType } = parameter;
  if (draft.has('query', name)) return undefined;
  const fixed = fixedText(draft, parameter);
  if (fixed !== undefined) return draft.put('query', name, literalText(fixed));
  if (contentType !== undefined) return draft.put('query', name, addArgument(draft, parameter));
  const style = queryStyle(draft, parameter);
  if (typeof style !== 'string') return style.reason;
  draft.put('query', name, addArgument(draft, parameter));
  if (style !== 'form') draft.style(name, style);
  return undefined;
}

/** 3.2: the whole query is one value. */
function addQueryString(draft: RequestDraft, parameter: ApiParameter): string | undefined {
  const { name, contentType, schema } = parameter;
  const isForm = contentType === undefined || contentType === 'application/x-www-form-urlencoded';
  const shapes = shapesOf(draft.api, schema);
  if (!isForm || !shapes.includes('object')) return 'is a whole query that is not made of members';
  // Its members are what the content is made of: no text of its own.
  draft.put('query', name, addArgument(draft, { ...parameter, contentType: undefined }));
  draft.style(name, 'members');
  return undefined;
}

function addHeader(draft: RequestDraft, parameter: ApiParameter): string | undefined {
  const { name, schema, contentType } = parameter;
  const lower = name.toLowerCase();
  if (ownHeaders.has(lower) || standard.has(lower)) return undefined;
  if (!nameForm.test(name)) return 'has a name that no header can have';
  // By the specification the security of an operation says it.
  if (lower === 'authorization') return undefined;
  const fixed = fixedText(draft, parameter);
  if (fixed !== undefined) return draft.put('headers', name, literalText(fixed));
  if (contentType === undefined && isOnly(draft, parameter, 'object')) return 'is an object';
  if (shapesOf(draft.api, schema).includes('list') && !isFlat(draft.api, schema)) return 'is a list of objects';
  const separated = contentType === undefined ? withoutComma(draft, parameter) : undefined;
  if (separated !== undefined) return separated;
  return draft.put('headers', name, addArgument(draft, parameter));
}

function addCookie(draft: RequestDraft, parameter: ApiParameter): string | undefined {
  const { name, contentType } = parameter;
  if (!nameForm.test(name)) return 'has a name that no cookie can have';
  const fixed = fixedText(draft, parameter);
  if (fixed !== undefined) return draft.put('cookies', name, literalText(fixed));
  if (contentType === undefined && isOnly(draft, parameter, 'object', 'list')) return 'is a list or an object';
  return draft.put('cookies', name, addArgument(draft, parameter));
}

function isOnly(draft: RequestDraft, { schema }: ApiParameter, ...kinds: readonly string[]): boolean {
  const shapes = shapesOf(draft.api, schema);
  return shapes.length > 0 && shapes.every(shape => kinds.includes(shape));
}

/** A required parameter with one value: nobody has to be asked for it. */
export function fixedText(draft: RequestDraft, { schema, isRequired, contentType }: ApiParameter): string | undefined {
  const value = isRequired && contentType === undefined ? constantOf(draft.api, schema) : undefined;
  return value === undefined || value === '' ? undefined : String(value);
}

/** Out: its placeholder. */
export function addArgument(draft: RequestDraft, parameter: ApiParameter): string {
  const { name, isRequired } = parameter;
  const where = parameter.in === 'querystring' ? 'query' : parameter.in;
  return draft.argument({ wire: name, where, schema: schemaOf(draft, parameter), isRequired });
}

function schemaOf(draft: RequestDraft, { schema, contentType, description, isDeprecated }: ApiParameter): Schema {
  const { book } = draft;
  const written = book.input(schema);
  const about = cleanText(description);
  // Content is text of its own type, which the model writes.
  const value: Schema =
    contentType === undefined
      ? written
      : {
          type: 'string',
          contentMediaType: contentType,
          ...(/json/i.test(contentType) ? { contentSchema: written } : {}),
        };
  return {
    ...value,
    ...(about === '' ? {} : { description: about }),
    ...(isDeprecated ? { deprecated: true } : {}),
  };
}
