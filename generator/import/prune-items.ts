// In: what the source does not give any more. Out: the same merge without it: what is as it was imported and not used is deleted,
// everything else stays, with a warning.
import type { LoadedPack } from '../../runtime/load/load.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { type Diagnostic, diagnose, hasErrors } from '../../schema/diagnostics.js';
import { asMap, isMap, setOwn } from '../../schema/document.js';
import { parse } from '../../schema/parse/parse.js';
import { type ChangeBook, notEditable } from '../author/change-book.js';
import { aroundMark } from '../edit/byte-order-mark.js';
import { changeYaml } from '../edit/change-yaml.js';
import { removeItem } from '../remove/plan-remove.js';
import type { ItemReport } from './import-plan.js';
import type { Match } from './match-items.js';
import type { MergedItems } from './merge-items.js';
import type { PackItem, PackItems } from './pack-items.js';
import { isAsImported } from './record/fields.js';
import { type RecordedItem, recordedKinds } from './record/record.js';

export interface PrunedItems {
  readonly items: readonly ItemReport[];
  readonly recorded: readonly RecordedItem[];
  /** How many there were. */
  readonly removed: number;
  readonly diagnostics: readonly Diagnostic[];
}

interface Scene {
  readonly loaded: LoadedPack;
  readonly pack: PackItems;
  readonly book: ChangeBook;
}

type Gone = Match & { readonly found: PackItem; readonly recorded: RecordedItem };

export function pruneItems(merged: MergedItems, { loaded, pack, book }: Scene): PrunedItems {
  const diagnostics: Diagnostic[] = [];
  const stays = ({ kind, found }: Gone, reason: string): void => {
    const hint = found.file === manifestFile ? `remove it from ${manifestFile} by hand` : undefined;
    diagnostics.push(diagnose('import/not-pruned', { kind, name: found.name, reason }, found.site(), { hint }));
  };
  const all = merged.gone.map(({ match }) => match).filter(isGone);
  const unchanged = all.filter(one => isAsImported(one.recorded.fields, one.found.definition));
  for (const one of all) if (!unchanged.includes(one)) stays(one, 'its author has changed it');
  const unused = withoutUsed(unchanged, merged, pack);
  for (const one of unchanged) if (!unused.includes(one)) stays(one, 'it is still used');
  for (const one of unused) diagnostics.push(...remove(one));
  const gone = new Set(unused.map(({ kind, found }) => `${kind} ${found.name}`));
  return {
    items: merged.items.map(item =>
      gone.has(`${item.kind} ${item.name}`) && item.from !== undefined ? { ...item, state: 'pruned' } : item,
    ),
    recorded: merged.recorded.filter(({ kind, name }) => !gone.has(`${kind} ${name}`)),
    removed: unused.length,
    diagnostics,
  };

  function remove({ kind, found }: Gone): readonly Diagnostic[] {
    if (kind === 'backend' || kind === 'config') return removeEntry(found, book);
    const wrong = removeItem({ kind, item: found.name }, loaded, book);
    return hasErrors(wrong) ? wrong : [];
  }
}

function isGone(match: Match): match is Gone {
  return match.found !== undefined && match.recorded !== undefined && match.kind !== 'server';
}

/** Until nothing that stays uses something that goes: of schemas, one may be used by another that stays for its part. */
function withoutUsed(candidates: readonly Gone[], merged: MergedItems, pack: PackItems): readonly Gone[] {
  const going = new Set(candidates.map(({ found }) => found));
  const now = new Map(merged.changed.map(({ found, definition }) => [found, definition]));
  const staying = recordedKinds
    .flatMap(kind => pack.all(kind))
    .filter(one => !going.has(one))
    .map(one => now.get(one) ?? one.definition);
  const texts = [
    ...staying,
    ...merged.created.map(({ definition }) => definition),
    ...Object.values(merged.entries.backends),
  ];
  const words = new Set<string>();
  for (const one of texts) collectWords(one, words);
  const used = candidates.filter(one => isUsed(one, words, pack));
  if (used.length === 0) return candidates;
  return withoutUsed(
    candidates.filter(one => !used.includes(one)),
    merged,
    pack,
  );
}

/** Whatever could name a schema, a backend or a setting. */
function collectWords(value: unknown, words: Set<string>): void {
  if (typeof value === 'string') {
    if (value.length > longestWord) return;
    words.add(value);
    for (const [name] of value.matchAll(/\{config\.\w+\}/g)) words.add(name);
  } else if (Array.isArray(value)) for (const one of value) collectWords(one, words);
  else if (isMap(value))
    for (const [key, one] of Object.entries(value)) {
      if (key === 'when' && isMap(one)) for (const setting of Object.keys(one)) words.add(setting);
      collectWords(one, words);
    }
}

/** Addresses with settings in them are shorter. */
const longestWord = 2000;

function isUsed({ kind, found: { name } }: Gone, words: ReadonlySet<string>, pack: PackItems): boolean {
  switch (kind) {
    case 'schema':
      return words.has(`schema:${name}`);
    case 'backend':
      // Without a name the only backend is meant.
      return words.has(name) || pack.all('backend').length === 1;
    case 'config':
      // Handlers read settings, too.
      return words.has(name) || words.has(`{config.${name}}`) || pack.all('tool').some(isHandled);
    default:
      return false;
  }
}

function isHandled({ definition }: PackItem): boolean {
  return !['http', 'sql', 'exec', 'mcp'].some(key => asMap(definition)[key] !== undefined);
}

function removeEntry({ path, name }: PackItem, book: ChangeBook): readonly Diagnostic[] {
  const [key = ''] = path ?? [];
  const edited = aroundMark(book.text(manifestFile) ?? '', text => {
    const [document] = parse({ path: manifestFile, format: 'yaml', text, hash: '' }).documents;
    const map = asMap(document?.value);
    const entries = without(asMap(map[key]), name);
    return changeYaml(text, 0, Object.keys(entries).length === 0 ? without(map, key) : { ...map, [key]: entries });
  });
  if (edited === undefined) return [notEditable(manifestFile, `${name} cannot be removed from it safely`)];
  book.put(manifestFile, edited);
  return [];
}

function without(map: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const next: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(map)) if (key !== name) setOwn(next, key, one);
  return next;
}
