// B9. In: `http` of an item. Out: the code that sends the same request.
import { isFilePart } from '../../schema/backend/calls.js';
import { type Part, parseText } from '../../schema/backend/text.js';
import type { HttpCall } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';
import { Code, printTemplate } from '../render/code.js';
import { orUndefined, printData, printMember, printMembers, printText, printTree, type Values } from './expressions.js';
import { around, type Piece } from './layout.js';

/** These are sent again after a failure in any case. */
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface HttpScene {
  readonly values: Values;
  /** The client of its backend; undefined: the address is its own. */
  readonly client: string | undefined;
  readonly isRead: boolean;
  /** The arguments that nothing else uses. */
  readonly rest: string;
}

export function printHttp(call: HttpCall, { values, client, isRead, rest }: HttpScene): Piece {
  const { method = 'GET', path, url, query, style, headers, cookies, body, form, multipart, file } = call;
  const { optionalBody, result, paginate } = call;
  const members: readonly (readonly [string, Piece | undefined])[] = [
    ['method', method === 'GET' ? undefined : printData(method)],
    ['path', path === undefined ? undefined : printPath(parseText(path).parts, values)],
    ['url', url === undefined ? undefined : printAddress(url, values)],
    ['query', query && printMembers(query, values)],
    ['style', style && printData(style)],
    ['headers', headers && printMembers(headers, values, { isHeader: true })],
    ['cookies', cookies && printMembers(cookies, values)],
    ['body', body === undefined ? undefined : body === 'rest' ? rest : orUndefined(printTree(body, values))],
    ['form', form && printMembers(form, values)],
    ['multipart', multipart && printMultipart(multipart, values)],
    ['file', file && printMembers({ ...file }, values)],
    ['optionalBody', optionalBody === true ? printData(true) : undefined],
    ['result', result && printData(result)],
    ['paginate', paginate && printData(paginate)],
    ['isRead', isRead && !reading.has(method) ? 'true' : undefined],
  ];
  const pieces = members.flatMap(([key, code]) => (code === undefined ? [] : [printMember(key, code)]));
  const request = { open: '{', close: '}', isSpaced: true, pieces };
  if (client !== undefined) return around(`await ${client}.request(`, request, ')');
  return around(`await ${values.use('request')}(`, request, ', ctx)');
}

function printPath(parts: readonly Part[], values: Values): string {
  if (parts.every(part => typeof part === 'string')) return String(printData(parts.join('')));
  const pieces = parts.map(part => (typeof part === 'string' ? part : new Code(values.inputOf(part).code)));
  return values.use('path') + printTemplate(pieces);
}

/** A string in any case: an address that is something else is refused for what it is. */
function printAddress(text: string, values: Values): Piece {
  const { parts } = parseText(text);
  const [only] = parts;
  const input = parts.length === 1 && only !== undefined && typeof only !== 'string' ? values.inputOf(only) : undefined;
  if (input === undefined || (input.kind === 'string' && !input.isNullable))
    return orUndefined(printText(text, values));
  const { code, isOptional } = input;
  return isOptional ? `${code} === undefined ? undefined : String(${code})` : `String(${code})`;
}

/** An object there is a file by the names of its members; any other name makes it data. */
function printMultipart(fields: Readonly<Record<string, unknown>>, values: Values): Piece {
  const pieces = Object.entries(fields).map(([key, one]) => {
    const isDeep = (isMap(one) && !isFilePart(one)) || Array.isArray(one);
    return printMember(key, orUndefined(printTree(one, values, { dropsMembers: isDeep })));
  });
  return { open: '{', close: '}', isSpaced: true, pieces };
}
