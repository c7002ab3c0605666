// In: items, and the entries of toolwright.yaml that they need. Out: those that no pack can have, each with the reason: they are loaded as a pack
// would load them, so that there is no second set of rules.
import { load } from '../../../runtime/load/load.js';
import { manifestFile } from '../../../runtime/load/manifest.js';
import { noFiles } from '../../../runtime/server/stored/stored-folder.js';
import { keyOf } from '../../../schema/definitions.js';
import { plannedFolder } from '../../author/change-book.js';
import type { Imported, ImportedItem } from '../imported.js';

export function findUnusable(
  items: readonly ImportedItem[],
  { config, backends }: Pick<Imported, 'config' | 'backends'>,
): ReadonlyMap<ImportedItem, string> {
  const files = new Map(items.map(item => [`mcp/${keyOf(item.kind)}/${item.name}.json`, item]));
  const texts = [...files].map(([path, { definition }]) => [path, definition] as const);
  const planned = [[manifestFile, { config, backends }] as const, ...texts].map(([path, value]) => ({
    path,
    before: undefined,
    after: JSON.stringify(value),
  }));
  const { diagnostics } = load(plannedFolder(noFiles, planned));
  const found = new Map<ImportedItem, string>();
  for (const { severity, file, message } of diagnostics) {
    const item = files.get(file);
    if (severity === 'error' && item !== undefined && !found.has(item)) found.set(item, message);
  }
  return found;
}
