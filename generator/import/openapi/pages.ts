// In: an operation that reads lists. Out: how its pages could be joined, as a note in the words of the language. Nothing is switched on: a call
// would fetch more than it does now.
import { asList, asMap } from '../../../schema/document.js';
import type { ApiOperation, Placed } from './api.js';
import { isJson } from './media-types.js';
import { below } from './pointer.js';
import type { RequestDraft } from './request.js';
import { followRef, shapesOf } from './shapes.js';

const cursorParameters =
  /^(?:page_?token|next_?page_?token|next_?token|cursor|page_?cursor|continuation_?token|starting_?token|after|marker)$/i;
const cursorMembers =
  /^(?:next_?page_?token|next_?token|next_?cursor|cursor|end_?cursor|continuation_?token|next_?marker)$/i;
const addressMembers = /^(?:next|next_?link|next_?url|next_?page_?url|@odata\.nextLink)$/i;
const holders = /^(?:meta|metadata|paging|pagination|page_?info|response_?metadata|links|_links)$/i;
const pageParameters = /^(?:page|page_?number|page_?no)$/i;
const offsetParameters = /^(?:offset|start|start_?at|skip|\$skip)$/i;
const sizeParameters = /^(?:limit|per_?page|page_?size|max_?results|size|count|top|\$top|rows)$/i;

interface Answer {
  /** Where the list is; empty for the whole answer. */
  readonly list: string;
  readonly members: ReadonlyMap<string, Placed>;
}

export function noteOfPages(draft: RequestDraft): readonly string[] {
  const { operation } = draft;
  if (operation.method !== 'GET') return [];
  const answer = readAnswer(draft);
  if (answer === undefined) return [];
  const paginate = findWay(operation, answer);
  if (paginate === undefined) return [];
  const result = answer.list === '' ? [] : [`  result: { at: ${answer.list} }`];
  const output =
    answer.list === '' || operation.answer === undefined
      ? ''
      : ' (and leave outputSchema out: the result is the list then)';
  return [`The service has pages. To join them, add to http${output}:`, ...result, `  paginate: ${paginate}`];
}

function findWay({ parameters, answer }: ApiOperation, { members }: Answer): string | undefined {
  const query = (pattern: RegExp): string | undefined =>
    parameters.find(one => one.in === 'query' && pattern.test(one.name) && !one.isRequired)?.name;
  const member = (pattern: RegExp): string | undefined =>
    [...members.keys()].find(path => pattern.test(path.split('/').at(-1) ?? ''));
  if (answer?.headers.includes('link') === true) return '{ link: true }';
  const [cursor, at] = [query(cursorParameters), member(cursorMembers)];
  if (cursor !== undefined && at !== undefined) return `{ cursor: ${at}, param: ${JSON.stringify(cursor)} }`;
  const address = member(addressMembers);
  if (address !== undefined) return `{ cursor: ${address} }`;
  const page = query(pageParameters);
  if (page !== undefined) return `{ page: ${JSON.stringify(page)} }`;
  const offset = query(offsetParameters);
  return offset !== undefined && query(sizeParameters) !== undefined
    ? `{ offset: ${JSON.stringify(offset)} }`
    : undefined;
}

/** Undefined where there is no list, or more than one. */
function readAnswer(draft: RequestDraft): Answer | undefined {
  const content = draft.operation.answer?.contents.find(({ type }) => isJson(type));
  if (content === undefined) return undefined;
  if (shapesOf(draft.api, content.schema).includes('list')) return { list: '', members: new Map() };
  const members = membersOf(draft, content.schema, '');
  const lists = [...members].filter(
    ([path, one]) => path.lastIndexOf('/') === 0 && shapesOf(draft.api, one).includes('list'),
  );
  const [only] = lists;
  return lists.length === 1 && only !== undefined ? { list: only[0], members } : undefined;
}

/** Those of the object, of what it is made of, and of members that are about pages. */
function membersOf(draft: RequestDraft, schema: Placed, path: string, depth = 0): ReadonlyMap<string, Placed> {
  const found = new Map<string, Placed>();
  const { value, pointer } = followRef(draft.api, schema);
  const { properties, allOf } = asMap(value);
  if (depth > 4) return found;
  for (const [key, one] of Object.entries(asMap(properties))) {
    const placed = { value: one, pointer: below(pointer, 'properties', key) };
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    found.set(at, placed);
    if (path === '' && holders.test(key))
      for (const [inner, part] of membersOf(draft, placed, at, depth + 1)) found.set(inner, part);
  }
  for (const [index, part] of asList(allOf).entries())
    for (const [key, one] of membersOf(
      draft,
      { value: part, pointer: below(pointer, 'allOf', index) },
      path,
      depth + 1,
    ))
      found.set(key, one);
  return found;
}
