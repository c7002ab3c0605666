// In: a port to a registry of packages. Out: the packs in it, each with the summary that was published with it. What can fail
// here is the world outside: every failure is a warning in words, and what is known already is used.
import type { Discovered, DiscoveredPack } from './discover-packs.js';
import { outlineOfSummary, type RemotePack, readSummary } from './pack-summary.js';

/** Packages with this keyword are packs (W52). */
export const packKeyword = 'toolwright-pack';

/** Registries show no more than this at once. */
export const searchLimit = 250;

export interface FoundPackage {
  readonly name: string;
  readonly version: string;
}

/** The registry as the user's own client sees it. Promises are rejected with a reason in words. */
export interface PackageRegistry {
  /** Packages with a keyword, and the version that would be installed. */
  search(keyword: string): Promise<readonly FoundPackage[]>;
  /** The package.json of one version; `latest` is what would be installed. Undefined: there is no such package. */
  view(packageName: string, version: string): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** As many clients as a small machine and a shy registry can stand. */
const atOnce = 4;

/** All packs of the registry. */
export async function remotePacks(registry: PackageRegistry): Promise<Discovered> {
  let found: readonly FoundPackage[];
  try {
    found = await registry.search(packKeyword);
  } catch (error) {
    return { packs: [], warnings: [`the registry could not be searched: ${reasonOf(error)}`] };
  }
  const packs: DiscoveredPack[] = [];
  const warnings =
    found.length < searchLimit
      ? []
      : [`the registry has more packs than the ${searchLimit} it shows: some are not listed`];
  const waiting = [...found];
  const viewAll = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        const pack = await remotePack(registry, next.name, next.version);
        if (pack !== undefined) packs.push({ origin: 'remote', name: pack.name, outline: outlineOfSummary(pack) });
      } catch (error) {
        warnings.push(`the package ${next.name} could not be looked at: ${reasonOf(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, viewAll));
  return { packs, warnings: warnings.sort() };
}

/**
 * One pack that is not installed (W53). Undefined: the registry has no such package; rejected: it could not be asked.
 *
 * @example (await remotePack(registry, '@acme/jira'))?.summary?.tools.map(({ name }) => name)
 */
export async function remotePack(
  registry: PackageRegistry,
  packageName: string,
  version = 'latest',
): Promise<RemotePack | undefined> {
  const manifest = await registry.view(packageName, version);
  return manifest === undefined ? undefined : readSummary(manifest);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
