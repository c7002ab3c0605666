// X12: tags, for lists. In: the definitions of a pack. Out: which of its items have a tag. Definitions are read only where a
// server picks by a tag, or somebody asks for one.
import { discover } from '../load/discover.js';
import { groupByTag, type ListedKind } from '../load/link-server.js';
import type { Manifest } from '../load/manifest.js';
import type { Reader } from '../load/read.js';
import { resolve } from '../load/resolve.js';

export type TagsOf = (kind: ListedKind) => ReadonlyMap<string, readonly string[]>;

export function makeTagsOf({ root, declarations }: Manifest, reader: Reader): TagsOf {
  const made = new Map<ListedKind, ReadonlyMap<string, readonly string[]>>();
  return kind => {
    const known = made.get(kind);
    if (known !== undefined) return known;
    const isThere = root !== undefined && reader.folder.status(root) === 'folder';
    const refs = isThere ? discover(reader.folder, root).value.filter(ref => ref.kind === kind) : [];
    const declared = declarations[kind];
    const { value } = resolve({
      root: root ?? '',
      refs,
      reader,
      declarations: declared === undefined ? {} : { [kind]: declared },
    });
    const groups = groupByTag(value[kind].flatMap(({ winner }) => winner ?? []));
    made.set(kind, groups);
    return groups;
  };
}
