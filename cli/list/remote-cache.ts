// What a registry said, kept in the user's cache folder, one file per project, since projects may have registries of their
// own. In: a registry. Out: the same registry, asked only for what is not known; what is old is used where it fails.
import type { FoundPackage, PackageRegistry } from '../../runtime/packs/remote-packs.js';
import { isMap } from '../../schema/document.js';
import { cacheFile, readCached, writeCached } from '../memory/memory.js';

const layout = 'remote-1';
const maxAgeMs = 24 * 3600 * 1000;

export interface CachedRegistry extends PackageRegistry {
  /** In words: where old answers were used. */
  readonly warnings: readonly string[];
  save(): void;
}

/** `refresh`: ask for everything again. */
export function withCache(
  registry: PackageRegistry,
  { project, refresh, now }: { readonly project: string; readonly refresh: boolean; readonly now: number },
): CachedRegistry {
  const file = cacheFile(project, layout);
  const stored = file === undefined ? undefined : readCached(file);
  const known = isMap(stored) ? stored : {};
  const before = isMap(known['manifests']) ? known['manifests'] : {};
  const searched = readSearch(known['searched']);
  const manifests: Record<string, unknown> = {};
  const warnings: string[] = [];
  let latest = searched;

  return {
    warnings,
    async search(keyword) {
      if (searched !== undefined && !refresh && now - searched.at < maxAgeMs && now >= searched.at)
        return searched.found;
      try {
        latest = { at: now, found: await registry.search(keyword) };
        return latest.found;
      } catch (error) {
        if (searched === undefined) throw error;
        const when = new Date(searched.at).toISOString().slice(0, 16).replace('T', ' ');
        const reason = error instanceof Error ? error.message : String(error);
        warnings.push(`the registry could not be searched (${reason}): showing what was known on ${when} UTC`);
        return searched.found;
      }
    },
    async view(name, version) {
      const key = `${name}@${version}`;
      // A published version stays what it is, but `latest` does not.
      const kept = Object.hasOwn(before, key) && version !== 'latest' ? before[key] : undefined;
      let manifest = refresh || !isMap(kept) ? undefined : kept;
      try {
        manifest ??= await registry.view(name, version);
      } catch (error) {
        if (!isMap(kept)) throw error;
        manifest = kept;
      }
      if (manifest !== undefined && version !== 'latest') manifests[key] = manifest;
      return manifest;
    },
    save() {
      if (file !== undefined && latest !== undefined) writeCached(file, { searched: latest, manifests });
    },
  };
}

interface Search {
  readonly at: number;
  readonly found: readonly FoundPackage[];
}

function readSearch(value: unknown): Search | undefined {
  if (!isMap(value) || typeof value['at'] !== 'number' || !Array.isArray(value['found'])) return undefined;
  const found = value['found'].filter(
    (one): one is FoundPackage => isMap(one) && typeof one['name'] === 'string' && typeof one['version'] === 'string',
  );
  return { at: value['at'], found };
}
