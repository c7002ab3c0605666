// What items of a source are called in the pack. In: what belongs together. Out: a name for each: the author's, that of the last import, that of
// the source, or another one where that is taken.
import { type Diagnostic, diagnose, type Site, startOf } from '../../schema/diagnostics.js';
import type { Chosen } from './choices.js';
import { kebabName } from './item-names.js';
import type { Match, SourceItem } from './match-items.js';
import type { PackItems } from './pack-items.js';
import { hashField } from './record/fields.js';
import { countEnd, type RecordedKind } from './record/record.js';
import type { Names } from './translate.js';

interface NameScene {
  readonly pack: PackItems;
  readonly choices: { readonly restore: Chosen };
  /** The name of the source. */
  readonly source: string;
}

export interface Named {
  /** In the pack. */
  readonly pack: ReadonlyMap<SourceItem, string>;
  /** Those of the source that are others in the pack. */
  readonly names: Names;
}

export function nameItems(
  matches: readonly Match[],
  { pack, source, choices }: NameScene,
  diagnostics: Diagnostic[],
): Named {
  const inPack = new Map<SourceItem, string>();
  const names = new Map<RecordedKind, Map<string, string>>();
  for (const { item, found, recorded } of matches) {
    if (item === undefined) continue;
    const { kind } = item;
    const isLeft =
      recorded !== undefined && found === undefined && !choices.restore.has(kind, namesOf({ item, recorded, found }));
    // Deleted by its author: whatever has its name now is something else.
    const before = recorded === undefined || isLeft ? recorded?.name : recorded.name.replace(countEnd, '');
    const old = before !== undefined && (isLeft || !pack.isTaken(kind, before)) ? before : undefined;
    const known = found?.name ?? old;
    const name = known ?? freeName(kind, item.name, pack, source);
    if (known === undefined && name !== item.name)
      diagnostics.push(
        diagnose('import/name-taken', { kind, name: item.name, used: name }, siteOfTaken(kind, item.name)),
      );
    pack.take(kind, name);
    inPack.set(item, name);
    if (name !== item.name) names.set(kind, (names.get(kind) ?? new Map<string, string>()).set(item.name, name));
  }
  return { pack: inPack, names };

  function siteOfTaken(kind: RecordedKind, name: string): Site {
    return pack.get(kind, name)?.site() ?? startOf('toolwright.yaml');
  }
}

/** With the name of the source behind it, and a number where that is taken, too. The name of the source may be any text. */
function freeName(kind: RecordedKind, name: string, pack: PackItems, source: string): string {
  if (!pack.isTaken(kind, name)) return name;
  const isSetting = kind === 'config';
  const words = kebabName(source) ?? 'source';
  const suffix = isSetting ? words.toUpperCase().replaceAll('-', '_') : words;
  for (let count = 1; ; count += 1) {
    const end = `${isSetting ? '_' : '-'}${suffix}${count === 1 ? '' : `${isSetting ? '_' : '-'}${count}`}`;
    const one = `${name.slice(0, Math.max(1, longestName - end.length))}${end}`;
    if (!pack.isTaken(kind, one)) return one;
  }
}

/** Shorter than what clients take: the wire name may have the name of a pack before it. */
const longestName = 64;

/** References to schemas that their author has renamed by hand were changed by nobody: they follow. */
export function renamedHashes(matches: readonly Match[]): ReadonlyMap<string, string> {
  const renamed = matches.filter(
    ({ kind, recorded, found }) =>
      kind === 'schema' && recorded !== undefined && found !== undefined && recorded.name !== found.name,
  );
  return new Map(
    renamed.map(({ recorded, found }) => [hashField(`schema:${recorded?.name}`), hashField(`schema:${found?.name}`)]),
  );
}

export function namesOf({ item, recorded, found }: Pick<Match, 'item' | 'recorded' | 'found'>): readonly string[] {
  const all = [found?.name, item?.name, recorded?.name, item?.from.id, recorded?.from.id];
  return all.filter(one => one !== undefined);
}
