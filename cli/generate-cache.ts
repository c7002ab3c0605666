// What generate need not find out again: the declarations of each item, what they say less than its schemas, what
// handler modules export. Two files per pack: declarations are long, and read only where some are to be printed.
// Never needed: whatever is wrong with them, the disk is read as if there were none.
import type { Section } from '../generator/declarations/item.js';
import type { GenerateOptions } from '../generator/generate.js';
import type { ToolKeys } from '../generator/plan.js';
import type { KnownTool } from '../runtime/load/known-tools.js';
import { type Diagnostic, isDiagnostic } from '../schema/diagnostics.js';
import { isMap } from '../schema/document.js';
import {
  cacheFile,
  circumstances,
  isListOf,
  readCached,
  readCachedText,
  writeCached,
  writeCachedText,
} from './cache-file.js';
import { parseSections, printSections } from './section-texts.js';

const layouts = { files: 'generated-4', sections: 'sections-2' };

export interface GenerateCache {
  readonly options: Required<Pick<GenerateOptions, 'sections' | 'known' | 'scans'>>;
  /** Writes what was used in this run, unless nearly all of it is there; the rest is forgotten. */
  save(): void;
}

/** Undefined where nothing is to be kept. `build`: of the compiler, which decides what is found in a tool. */
export function openGenerateCache(pack: string, build: string): GenerateCache | undefined {
  const file = cacheFile(pack, layouts.files);
  const sectionsFile = cacheFile(pack, layouts.sections);
  if (file === undefined || sectionsFile === undefined) return undefined;
  const stored = readCached(file);
  const isUsable = isMap(stored) && stored['circumstances'] === circumstances(build);
  const part = (key: string): unknown => (isUsable ? stored[key] : undefined);
  const widened = openEntries(part('widened'), only(isFound));
  const keys = openEntries(part('keys'), only(isKeys));
  const scans = openEntries(part('scans'), only(isScan));
  const tools = openEntries(part('tools'), only(isKnownTool));
  const all = { widened, keys, scans, tools };
  let opened: Entries<Section> | undefined;
  const sections = (): Entries<Section> => {
    opened ??= openSections(readCachedText(sectionsFile));
    return opened;
  };
  return {
    options: {
      sections: { get: key => sections().get(key), set: (key, section) => sections().set(key, section), widened, keys },
      known: { get: tools.get, set: (key, { hasValues }) => tools.set(key, { hasValues }) },
      scans: {
        get(hash) {
          const [exports, members] = scans.get(hash) ?? [];
          return exports && members && { exports: new Map(exports), members: new Set(members) };
        },
        set: (hash, { exports, members }) => scans.set(hash, [[...exports], [...members]]),
      },
    },
    save() {
      if (Object.values(all).some(entries => entries.isWorthSaving())) {
        const kept = Object.entries(all).map(([name, entries]) => [name, entries.kept()]);
        writeCached(file, { circumstances: circumstances(build), ...Object.fromEntries(kept) });
      }
      if (opened?.isWorthSaving()) writeCachedText(sectionsFile, printSections(opened.kept()));
    },
  };
}

interface Entries<T> {
  get(key: string): T | undefined;
  set(key: string, entry: T): void;
  /** What was used. */
  kept(): Readonly<Record<string, T>>;
  /** A few entries are found out again sooner than a thousand others are written. */
  isWorthSaving(): boolean;
}

function openSections(text: string | undefined): Entries<Section> {
  const stored = text === undefined ? undefined : parseSections(text);
  return openEntries(stored?.places, place => stored?.read(place));
}

/** `read` makes an entry of what was stored; undefined where that is damaged. */
function openEntries<T>(stored: unknown, read: (value: unknown) => T | undefined): Entries<T> {
  const before = new Map(Object.entries(isMap(stored) ? stored : {}));
  const used = new Map<string, T>();
  let added = 0;
  return {
    get(key) {
      const known = used.get(key);
      if (known !== undefined) return known;
      const entry = before.has(key) ? read(before.get(key)) : undefined;
      if (entry !== undefined) used.set(key, entry);
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

function only<T>(isEntry: (value: unknown) => value is T): (value: unknown) => T | undefined {
  return value => (isEntry(value) ? value : undefined);
}

function isFound(value: unknown): value is readonly Diagnostic[] {
  return isListOf(value, isDiagnostic);
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
