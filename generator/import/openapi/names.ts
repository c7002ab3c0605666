// In: operations, titles and wire names of a document. Out: what items, backends, settings and arguments are called.
import { hashText } from '../../compile/ledger.js';
import { ItemNames, kebabName } from '../item-names.js';
import type { Api, ApiOperation } from './api.js';
import type { NamedOperation } from './filters.js';

/** Of all operations: which of them are imported makes no difference to their names. */
export function nameOperations(operations: readonly ApiOperation[]): readonly NamedOperation[] {
  const names = new ItemNames();
  return operations.map(operation => {
    const { operationId, method, path } = operation;
    const own = operationId === undefined ? undefined : kebabName(operationId);
    const name = own ?? kebabName(`${method} ${wordsOfPath(path)}`) ?? `${method}-${hashText(path).slice(0, 6)}`;
    return { operation, name: names.give(name.toLowerCase()) };
  });
}

/** `/users/{id}/posts` -> `users by id posts` */
function wordsOfPath(path: string): string {
  return path.replaceAll(/\{([^{}]*)\}/g, ' by $1 ');
}

/** Words of titles that say nothing about what an API is for. */
const fillers = new Set(
  'the a an api apis rest restful http https web service services server client swagger openapi open public official documentation docs reference specification spec definition definitions version for of and to with namespace odata'.split(
    ' ',
  ),
);

/**
 * A short name for an API, from its title. Where the title names the host, words that the address does not have say less.
 *
 * @example nameOfTitle('GitHub v3 REST API', 'https://api.github.com') // 'github'
 */
function nameOfTitle(title: string, url = ''): string | undefined {
  const words = title
    .toLowerCase()
    .replaceAll(/['’]s\b/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '' && !fillers.has(word) && !/^v?\d+$/.test(word));
  const [first = ''] = words;
  const ofAddress = new Set(wordsOfAddress(url));
  const kept = ofAddress.has(first) ? words.filter(word => ofAddress.has(word)) : words;
  const name = kebabName([...new Set(kept)].slice(0, 3).join(' ')) ?? kebabName(title);
  return name === undefined ? undefined : name.slice(0, 40).replace(/-+$/, '');
}

function wordsOfAddress(url: string): readonly string[] {
  return url.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Without a title that can be read, the host of the first address. */
export function nameOfApi(api: Api, given: string | undefined, documentUrl: string | undefined): string {
  const url = api.operations[0]?.servers[0]?.url;
  const own = given === undefined ? undefined : kebabName(given);
  return own ?? nameOfTitle(api.title, url) ?? nameOfHost(url) ?? nameOfHost(documentUrl) ?? 'api';
}

function nameOfHost(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const parts = new URL(url).hostname.split('.').filter(part => part !== 'www' && part !== 'api');
  return kebabName(parts[0] ?? '');
}

/** `GITHUB` of `github`, as the beginning of names of settings. */
export function settingName(...words: readonly string[]): string {
  const name = words
    .map(word => kebabName(word) ?? '')
    .filter(word => word !== '')
    .join('-')
    .replaceAll('-', '_')
    .toUpperCase();
  return /^[A-Z]/.test(name) ? name : `API_${name}`;
}

/** What model providers take as the name of an argument, and what is free for it. */
const usableName = /^[A-Za-z0-9_.-]{1,64}$/;
/** Answers of users come back under these, `config.` begins settings, and the last is no member of its own. */
const reservedName = /^(?:_answers|_state|confirmed|config\..*|__proto__)$/;

/** Names of the arguments of one tool: each once. */
export class ArgumentNames {
  readonly #taken = new Set<string>();

  /** `where` stands in front of a name that is taken: `query_id`. */
  give(wire: string, where: string): string {
    const usable = isUsableArgument(wire) ? wire : toArgument(wire, where);
    let name = this.#taken.has(usable) ? toArgument(`${where}_${usable}`, where) : usable;
    for (let number = 2; this.#taken.has(name); number += 1) name = toArgument(`${where}_${usable}_${number}`, where);
    this.#taken.add(name);
    return name;
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }
}

/** Whether a member of a body can be an argument under its own name. */
export function isUsableArgument(wire: string): boolean {
  return usableName.test(wire) && !reservedName.test(wire);
}

/**
 * @example toArgument('filter[name]', 'query') // 'filter_name'
 */
function toArgument(wire: string, where: string): string {
  const words = wire
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .match(/[A-Za-z0-9_.-]+/g);
  const name = (words ?? []).join('_').replaceAll(/^[_.-]+|[_.-]+$/g, '');
  const whole =
    name === '' || reservedName.test(name) ? `${where}_${name === '' ? hashText(wire).slice(0, 6) : name}` : name;
  const plain = whole.replace(/^config\./, 'config_');
  return plain.length <= 64 ? plain : `${plain.slice(0, 57)}_${hashText(wire).slice(0, 6)}`;
}
