// In: a loaded pack. Out: a diagnostic for each function that still only says that nobody has written it. Modules are read, not run.
import { type Diagnostic, diagnose } from '../../../schema/diagnostics.js';
import { memberName } from '../../../schema/names.js';
import { makeLines } from '../../../schema/parse/lines.js';
import type { Folder } from '../../load/folder.js';
import type { LoadedPack } from '../../load/load.js';
import { type Modules, type WantedHandler, wantedHandlers } from './find-handler.js';
import { modulesOf } from './missing-handlers.js';

export interface Unwritten {
  readonly wanted: WantedHandler;
  /** Of its module. */
  readonly path: string;
  readonly diagnostic: Diagnostic;
}

/**
 * Functions with the statement that stubs have, wherever it came from.
 *
 * @example findUnwritten(load('packs/jira'), nodeFolder('packs/jira')).map(({ path }) => path)
 */
export function findUnwritten(
  loaded: Pick<LoadedPack, 'program'> & Partial<Pick<LoadedPack, 'catalog'>>,
  folder: Folder,
): readonly Unwritten[] {
  if (loaded.program === undefined) return [];
  const modules = modulesOf(loaded.program, folder);
  const byModule = new Map<string, WantedHandler[]>();
  for (const wanted of wantedHandlers(loaded)) {
    const found = modules.find(wanted.path);
    if (found.found !== 'module') continue;
    byModule.set(found.path, [...(byModule.get(found.path) ?? []), wanted]);
  }
  return [...byModule].flatMap(([path, wanted]) => findInModule(path, wanted, modules));
}

const statement = /^[ \t]*(throw\s+\w+\.notImplemented\(\))/gm;

function findInModule(path: string, wanted: readonly WantedHandler[], modules: Modules): readonly Unwritten[] {
  const text = tryToRead(path, modules);
  if (text === undefined || !text.includes('.notImplemented()')) return [];
  const places = [...text.matchAll(statement)].map(({ index, 0: whole, 1: thrown = '' }) => {
    const end = index + whole.length;
    return { owner: ownerOf(text.slice(0, index)), span: { start: end - thrown.length, end } };
  });
  const names = new Set(wanted.map(({ export: name }) => name));
  const lines = makeLines(path, text);
  return wanted.flatMap(one => {
    const place = places.find(({ owner }) => names.size === 1 || isOwn(one, owner));
    if (place === undefined) return [];
    const { what } = one;
    return [
      { wanted: one, path, diagnostic: diagnose('generate/unwritten', { what, path }, lines.siteOf(place.span)) },
    ];
  });
}

function tryToRead(path: string, modules: Modules): string | undefined {
  try {
    return modules.text(path);
  } catch {
    return undefined;
  }
}

/** The name of the last declaration at the left edge: all that stubs and formatted code need. */
function ownerOf(before: string): string {
  const declaration =
    /^(?:export\s+(default)\b|(?:export\s+)?(?:const|let|var|(?:async\s+)?function\s*\*?)\s+([\w$]+))/gm;
  const last = [...before.matchAll(declaration)].at(-1);
  return last?.[1] ?? last?.[2] ?? '';
}

/** A name that no variable can have starts with an underscore in a stub; the default of CommonJS is called after its item. */
function isOwn({ export: name, serves }: WantedHandler, owner: string): boolean {
  if (owner === name || owner === `_${name}`) return true;
  return name === 'default' && serves !== undefined && owner === memberName(serves.item);
}
