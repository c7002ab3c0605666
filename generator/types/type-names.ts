// In: where a schema stands. Out: the name of its type, different from every other name it could be taken for.
import type { Path } from '../../schema/document.js';

// Global types that a declaration of the same name would hide from the code beside it.
const globalTypes: ReadonlySet<string> = new Set(
  (
    'Array ArrayBuffer Awaited BigInt Boolean Buffer DataView Date Error Exclude Extract Function Infinity Iterable Iterator ' +
    'JSON Map Math NaN NonNullable Number Object Omit Parameters Partial Pick Promise PromiseLike Proxy Readonly ReadonlyArray ' +
    'ReadonlyMap ReadonlySet Record RegExp Required ReturnType Set String Symbol TemplateStringsArray This Uint8Array WeakMap ' +
    'WeakSet Config App'
  ).split(' '),
);

const structure: ReadonlySet<string> = new Set(['$defs', 'definitions', 'properties', 'patternProperties']);

/** Hands out names; each only once. */
export interface TypeNames {
  take(path: Path): string;
}

/**
 * Names helper types after the place of their schema: `<prefix><Place>`.
 *
 * @example makeTypeNames('GetIssueArgs', new Set()).take(['$defs', 'user-name']) // 'GetIssueArgsUserName'
 */
export function makeTypeNames(prefix: string, reserved: ReadonlySet<string>): TypeNames {
  const used = new Set([prefix]);
  const isFree = (name: string): boolean => !used.has(name) && !reserved.has(name) && !globalTypes.has(name);
  return {
    take: path => {
      const place = path.filter((key, index) => !(structure.has(String(key)) && index % 2 === 0));
      const base = prefix + (place.map(key => pascalCase(String(key))).join('') || 'Type');
      let name = base;
      for (let number = 2; !isFree(name); number += 1) name = `${base}${number}`;
      used.add(name);
      return name;
    },
  };
}

/** The words of a text joined, each with a capital; what cannot be part of an identifier separates words. */
function pascalCase(text: string): string {
  return text
    .split(/[^\p{ID_Continue}]+|_+/u)
    .map(word => {
      const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
      return word === '' ? '' : first.toUpperCase() + word.slice(first.length);
    })
    .join('');
}
