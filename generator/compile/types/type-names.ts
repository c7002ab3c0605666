// In: where a schema stands. Out: the name of its type, different from every other name it could be taken for.
import type { Path } from '../../../schema/document.js';

const structure: ReadonlySet<string> = new Set(['$defs', 'definitions', 'properties', 'patternProperties']);

/** Hands out names; each only once. */
export interface TypeNames {
  take(path: Path): string;
}

/**
 * Names helper types after the place of their schema: `<prefix>_<Place>`. No place has an underscore, so that helpers of
 * different prefixes never have the same name, nor that of anything else: all items of a kind share one file.
 *
 * @example makeTypeNames('GetIssueArgs').take(['$defs', 'user-name']) // 'GetIssueArgs_UserName'
 */
export function makeTypeNames(prefix: string): TypeNames {
  const used = new Set<string>();
  return {
    take: path => {
      const place = path.filter((key, index) => !(structure.has(String(key)) && index % 2 === 0));
      const base = `${prefix}_${place.map(key => pascalCase(String(key))).join('') || 'Type'}`;
      let name = base;
      for (let number = 2; used.has(name); number += 1) name = `${base}${number}`;
      used.add(name);
      return name;
    },
  };
}

/** The words of a string joined, each with a capital; what cannot be part of an identifier separates words. */
function pascalCase(text: string): string {
  return text
    .split(/[^\p{ID_Continue}]+|_+/u)
    .map(word => {
      const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
      return word === '' ? '' : first.toUpperCase() + word.slice(first.length);
    })
    .join('');
}
