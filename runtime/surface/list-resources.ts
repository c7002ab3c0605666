// X13. In: a resource whose addresses code knows (`list:` beside `uriTemplate`). Out: its entries in `resources/list`, as they are now.
import { isMap } from '../../schema/document.js';
import { makeUriMatcher } from '../../schema/uri-template-match.js';
import { salvageJson } from '../call/plain-json.js';
import type { CallServices, Request, ServedResource } from '../call/ports.js';
import { redactionOf } from '../call/redact.js';
import { handlerRefOf } from '../load/folder.js';
import type { Wire } from '../packs/list-entries.js';
import { problemOf } from './problems.js';
import { runHandler } from './run-handler.js';

/** Members of an entry that its function may give, and their types; the template's own entry gives the others. */
const members: readonly (readonly [name: string, type: 'string' | 'number' | 'object'])[] = [
  ['uri', 'string'],
  ['name', 'string'],
  ['title', 'string'],
  ['description', 'string'],
  ['mimeType', 'string'],
  ['size', 'number'],
  ['annotations', 'object'],
  ['icons', 'object'],
  ['_meta', 'object'],
];

/** `entry` is that of the template. A function that fails fails the whole list: half a list would pass for a whole one. */
export async function listByCode(
  { resource, host }: ServedResource,
  entry: Wire,
  request: Request,
  services: CallServices,
): Promise<readonly Wire[]> {
  const { list = '', uriTemplate = '' } = resource.definition;
  const name = `The list of ${resource.name}`;
  try {
    const handler = handlerRefOf(list);
    if (handler === undefined) throw new Error(`${list} is outside the pack`);
    const call = { host, handler, name, subject: `list:${resource.name}`, args: {} };
    const outcome = await runHandler({ ...call, isAlone: true }, request, services);
    if ('asking' in outcome) throw new Error('a list cannot ask questions');
    const { result } = outcome;
    if (!Array.isArray(result)) throw new Error('it did not return a list');
    const { uriTemplate: _, ...shared } = entry;
    const matches = makeUriMatcher(uriTemplate);
    const redaction = redactionOf(host);
    return result.map((one: unknown) => {
      const own = toEntry(salvageJson(one));
      const { uri } = own;
      if (matches(String(uri)) === undefined)
        throw new Error(`it returned ${uri}, which ${uriTemplate} does not match`);
      const listed = { ...shared, name: uri, ...own };
      return redaction === undefined ? listed : (redaction.value(listed) as Wire);
    });
  } catch (error) {
    throw problemOf(error, { name, host, services });
  }
}

/** An address alone is an entry, too. */
function toEntry(one: unknown): Wire {
  const given: Wire = isMap(one) ? one : { uri: one };
  const own = members.flatMap(([key, type]) => {
    const value = given[key];
    if (value === undefined || value === null) return [];
    if (typeof value !== type) throw new Error(`it returned an entry whose ${key} is not of type ${type}`);
    return [[key, value]];
  });
  if (given['uri'] === undefined) throw new Error('it returned an entry without a uri');
  return Object.fromEntries(own);
}
