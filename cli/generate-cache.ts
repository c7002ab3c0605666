// What generate need not find out again: hashes of the files it wrote, the declarations of each item, and what they say
// less than its schemas. Two files per pack: declarations are long, and read only where some are to be printed.
// Never needed: whatever is wrong with them, the disk is read as if there were none.
import { join } from 'node:path';
import type { Block } from '../generator/declarations/block.js';
import type { Section } from '../generator/declarations/item.js';
import type { GenerateOptions } from '../generator/generate.js';
import type { ToolKeys } from '../generator/plan.js';
import type { KnownTool } from '../runtime/load/known-tools.js';
import type { Diagnostic } from '../schema/diagnostics.js';
import { isMap } from '../schema/document.js';
import { cacheFile, isStable, readCached, writeCached } from './parse-cache.js';

const layouts = { files: 'generated-3', sections: 'sections-1' };

export interface GenerateCache {
  readonly options: Required<Pick<GenerateOptions, 'memo' | 'sections' | 'known' | 'scans'>>;
  /** Writes what was used in this run, unless nearly all of it is there; the rest is forgotten. */
  save(): void;
}

/**
 * Undefined where nothing is to be kept. `build`: of the compiler, which decides what is found in a tool.
 * `same`: the stamps of what was not touched since the last run, by full path.
 */
export function openGenerateCache(
  pack: string,
  build: string,
  same: ReadonlyMap<string, string> = new Map(),
): GenerateCache | undefined {
  const file = cacheFile(pack, layouts.files);
  const sectionsFile = cacheFile(pack, layouts.sections);
  if (file === undefined || sectionsFile === undefined) return undefined;
  const stored = readCached(file);
  const part = (key: string): unknown => (isMap(stored) ? stored[key] : undefined);
  // Node decides which regular expressions there are.
  const judge = `${build} ${process.version}`;
  const hashes = openEntries(part('hashes'), isHash);
  const widened = openEntries(part('widened'), isList);
  const keys = openEntries(part('keys'), isKeys);
  const scans = openEntries(part('scans'), isScan);
  const tools = openEntries(part('judge') === judge ? part('tools') : undefined, isKnownTool);
  const all = { hashes, widened, keys, scans, tools };
  let opened: Entries<Section> | undefined;
  const sections = (): Entries<Section> => {
    opened ??= openEntries(readCached(sectionsFile), isSection);
    return opened;
  };
  const hashAt = (path: string, stamp: string): string | undefined =>
    hashes.get(path, ([known]) => known === stamp)?.[1];
  return {
    options: {
      memo: {
        known(path) {
          const stamp = same.get(join(pack, path));
          return stamp === undefined ? undefined : hashAt(path, stamp);
        },
        get: hashAt,
        set(path, stamp, hash, changed) {
          if (isStable(changed, Date.now())) hashes.set(path, [stamp, hash]);
        },
      },
      sections: { get: key => sections().get(key), set: (key, section) => sections().set(key, section), widened, keys },
      known: { get: tools.get, set: (key, { hasValues }) => tools.set(key, { hasValues }) },
      scans: {
        get(hash) {
          const [exports, members] = scans.get(`${build} ${hash}`) ?? [];
          return exports && members && { exports: new Map(exports), members: new Set(members) };
        },
        set: (hash, { exports, members }) => scans.set(`${build} ${hash}`, [[...exports], [...members]]),
      },
    },
    save() {
      if (Object.values(all).some(entries => entries.isWorthSaving())) {
        const kept = Object.entries(all).map(([name, entries]) => [name, entries.kept()]);
        writeCached(file, { judge, ...Object.fromEntries(kept) });
      }
      if (opened?.isWorthSaving()) writeCached(sectionsFile, opened.kept());
    },
  };
}

interface Entries<T> {
  get(key: string, isRight?: (entry: T) => boolean): T | undefined;
  set(key: string, entry: T): void;
  /** What was used. */
  kept(): Readonly<Record<string, T>>;
  /** A few entries are found out again sooner than a thousand others are written. */
  isWorthSaving(): boolean;
}

function openEntries<T>(stored: unknown, isEntry: (value: unknown) => value is T): Entries<T> {
  const before = new Map(Object.entries(isMap(stored) ? stored : {}));
  const used = new Map<string, T>();
  let added = 0;
  return {
    get(key, isRight = () => true) {
      const entry = used.get(key) ?? before.get(key);
      if (entry === undefined || !isEntry(entry) || !isRight(entry)) return undefined;
      used.set(key, entry);
      return entry;
    },
    set(key, entry) {
      added += 1;
      used.set(key, entry);
    },
    kept: () => Object.fromEntries(used),
    isWorthSaving() {
      // As by a run that a mistake in the pack ended early.
      if (used.size === 0) return false;
      const forgotten = before.size + added - used.size;
      return (added + forgotten) * 50 > used.size;
    },
  };
}

function isHash(value: unknown): value is readonly [stamp: string, hash: string] {
  return Array.isArray(value) && value.length === 2 && value.every(part => typeof part === 'string');
}

function isList(value: unknown): value is readonly Diagnostic[] {
  return Array.isArray(value);
}

type Scan = readonly [exports: readonly (readonly [string, string])[], members: readonly string[]];

function isScan(value: unknown): value is Scan {
  return Array.isArray(value) && value.length === 2 && value.every(part => Array.isArray(part));
}

function isKeys(value: unknown): value is ToolKeys {
  return Array.isArray(value) && value.length === 3 && value.every(part => typeof part === 'string');
}

function isKnownTool(value: unknown): value is KnownTool {
  return isMap(value) && typeof value['hasValues'] === 'boolean';
}

function isSection(value: unknown): value is Section {
  if (!isMap(value) || !Array.isArray(value['diagnostics'])) return false;
  return isBlock(value['types']) && (value['member'] === undefined || isBlock(value['member']));
}

function isBlock(value: unknown): value is Block {
  if (!isMap(value) || !['text', 'head', 'tail'].every(key => typeof value[key] === 'string')) return false;
  const { sources, start, end } = value;
  if (!Array.isArray(sources) || !sources.every(source => typeof source === 'string')) return false;
  return [start, end].every(one => Array.isArray(one) && one.length === 3 && one.every(Number.isInteger));
}
