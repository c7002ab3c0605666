// In: the path of an operation and its parameters. Out: the path of the request, with a placeholder for each; what stands behind `?` is a part
// of the query, and what stands behind `#` is never sent.
import { literalText } from '../literal-text.js';
import type { ApiParameter } from './api.js';
import { addArgument, fixedText } from './parameters.js';
import { decode } from './pointer.js';
import { withoutComma } from './query-style.js';
import { LeftOutReason, type RequestDraft } from './request.js';
import { shapesOf } from './shapes.js';

export function addPath(draft: RequestDraft): LeftOutReason | undefined {
  const { operation } = draft;
  const [whole = ''] = operation.path.split('#');
  const mark = whole.indexOf('?');
  const path = fill(draft, mark < 0 ? whole : whole.slice(0, mark));
  if (path instanceof LeftOutReason) return path;
  draft.path = path.startsWith('/') ? path : `/${path}`;
  for (const pair of mark < 0 ? [] : whole.slice(mark + 1).split('&')) {
    if (pair === '') continue;
    const [name = '', ...rest] = pair.split('=');
    const text = rest.join('=');
    // A parameter of the query that is declared as such says more than its place in the path.
    if (/^\{[^{}]*\}$/.test(text) && operation.parameters.some(one => one.in === 'query' && one.name === decode(name)))
      continue;
    const value = fill(draft, text, decode);
    if (value instanceof LeftOutReason) return value;
    draft.put('query', decode(name), value);
  }
  return undefined;
}

/** Braces without a name in them are text. */
function fill(draft: RequestDraft, text: string, read = (part: string): string => part): string | LeftOutReason {
  const known = new Map<string, string>();
  let made = '';
  let end = 0;
  for (const { 0: tag, 1: name = '', index } of text.matchAll(/\{([^{}/]+)\}/g)) {
    made += literalText(read(text.slice(end, index)));
    end = index + tag.length;
    const before = known.get(name);
    const value = before ?? addSegment(draft, name);
    if (value instanceof LeftOutReason) return value;
    known.set(name, value);
    made += value;
  }
  return made + literalText(read(text.slice(end)));
}

function addSegment(draft: RequestDraft, name: string): string | LeftOutReason {
  const { operation } = draft;
  // `{+path}`, `{id*}` and `{id?}` are templates of other languages.
  const bare = name.replace(/^[+#./;?&]/, '').replace(/[*?]$/, '');
  const declared = operation.parameters.filter(one => one.in === 'path');
  const parameter = declared.find(one => one.name === name) ?? declared.find(one => one.name === bare);
  if (parameter === undefined) {
    const schema = { type: 'string', minLength: 1 };
    return draft.argument({ wire: bare, where: 'path', schema, isRequired: true });
  }
  const required = { ...parameter, isRequired: true };
  const prefix = prefixOf(draft, parameter);
  if (prefix instanceof LeftOutReason) return prefix;
  const fixed = fixedText(draft, required);
  if (fixed !== undefined) return prefix + literalText(encodeURIComponent(fixed));
  if (parameter.allowReserved)
    draft.notes.push(`The document allows slashes in ${JSON.stringify(name)}; they are escaped, as %2F.`);
  return prefix + addArgument(draft, required);
}

/** What stands before the value by its style. */
function prefixOf(draft: RequestDraft, parameter: ApiParameter): string | LeftOutReason {
  const { name, style, explode, schema, contentType, pointer } = parameter;
  const shapes = contentType === undefined ? shapesOf(draft.api, schema) : [];
  const isOnly = (shape: string): boolean => shapes.length > 0 && shapes.every(one => one === shape);
  const shown = `the path parameter ${JSON.stringify(name)}`;
  if (isOnly('object')) return new LeftOutReason(`${shown} is an object`, pointer);
  const separated = contentType === undefined ? withoutComma(draft, parameter) : undefined;
  if (separated !== undefined) return new LeftOutReason(`${shown} ${separated}`, pointer);
  if (style !== 'label' && style !== 'matrix') return '';
  if (shapes.includes('list') && explode)
    return new LeftOutReason(
      `${shown} is a list in the style ${style}, exploded, which the language cannot write`,
      pointer,
    );
  return style === 'label' ? '.' : literalText(`;${encodeURIComponent(name)}=`);
}
