// In: what a source calls its items, in order. Out: names that items can have: kebab-case, each once, also without regard to case and as
// identifiers of generated code.
import { camelCase, isItemName } from '../../schema/names.js';
import { hashText } from '../compile/ledger.js';

const longest = 64;

/**
 * The words of a name in kebab-case; undefined where it has none that an item name can have.
 *
 * @example kebabName('getUserById') // 'get-user-by-id'
 * @example kebabName('repos/get-content') // 'repos-get-content'
 */
export function kebabName(text: string): string | undefined {
  const words = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words === null ? undefined : cut(words.join('-'), text);
}

/** Two names with the same beginning stay two names. */
function cut(name: string, of: string): string {
  if (name.length <= longest) return name;
  const hash = hashText(of).slice(0, 6);
  return `${name.slice(0, longest - hash.length - 1).replace(/-+$/, '')}-${hash}`;
}

/** Names of one kind: each is given once. */
export class ItemNames {
  readonly #taken = new Set<string>();

  /** The name itself where it is free, else with the first number that is. */
  give(wanted: string): string {
    const base = isUsable(wanted) ? wanted : `${wanted}-item`;
    let name = base;
    for (let number = 2; this.#taken.has(keyOf(name)); number += 1)
      name = cut(`${base}-${number}`, `${base}-${number}`);
    this.#taken.add(keyOf(name));
    return name;
  }
}

/** Devices of Windows cannot be files. */
function isUsable(name: string): boolean {
  return isItemName(name) && !/^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(name.split('.')[0] ?? '');
}

function keyOf(name: string): string {
  return camelCase(name).toLowerCase();
}
