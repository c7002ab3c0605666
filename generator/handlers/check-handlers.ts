// In: a loaded pack. Out: every function that its manifests name and that is not there, and handlers that fit no item (P15).
// Runs no code of the pack. The parser is loaded only for modules that a quick look does not clear.
import {
  type Modules,
  openModules,
  type WantedHandler,
  wantedHandlers,
} from '../../runtime/call/handlers/find-handler.js';
import { afterStubs, diagnoseMissing } from '../../runtime/call/handlers/missing-handlers.js';
import { findUnwritten } from '../../runtime/call/handlers/unwritten-handlers.js';
import type { Folder } from '../../runtime/load/folder.js';
import { inlineItems } from '../../runtime/load/link-server.js';
import type { LoadedPack } from '../../runtime/load/load.js';
import { type Diagnostic, diagnose, type Related, sortDiagnostics, startOf } from '../../schema/diagnostics.js';
import { memberName } from '../../schema/names.js';
import { didYouMean, makeSuggester } from '../../schema/nearest.js';
import { loadParser } from './bind-sources.js';
import type { Collection } from './generated-uses.js';
import { createExportReader, type ExportReader, type PlacedMember } from './read-exports.js';
import { type ScannedModule, scanModule } from './scan-module.js';

type Members = Readonly<Record<Collection, ReadonlySet<string>>>;

export interface HandlerCheck {
  /** `generate` has just written the stubs that it can. */
  readonly hasStubs?: boolean;
}

/**
 * Checks that every handler module exists and exports what the manifest names, for the right item.
 *
 * @example await checkHandlers(load('packs/jira'), nodeFolder('packs/jira'))
 */
export async function checkHandlers(
  loaded: Pick<LoadedPack, 'program' | 'catalog'>,
  folder: Folder,
  { hasStubs = false }: HandlerCheck = {},
): Promise<readonly Diagnostic[]> {
  const { program } = loaded;
  if (program === undefined) return [];
  const { handlers, dist, generated, root } = program.pack;
  const modules = openModules(folder, { handlers, dist });
  const members = membersOf(loaded);
  const all = wantedHandlers(loaded);
  const diagnostics: Diagnostic[] = [];
  const report = (one: WantedHandler, found: Missing): void => {
    const scene = { pack: program.pack, wanted: all, advice: hasStubs ? afterStubs : undefined };
    diagnostics.push(diagnoseMissing(one, found, scene));
  };
  const byModule = findAll(all, modules, report);
  const others = modules.below(handlers, new Set([generated, dist, root])).filter(path => !byModule.has(path));
  const doubtful = [...byModule].filter(([path, wanted]) => !isClear(scan(path, modules), wanted, members));
  const orphans = others.filter(path => mayBeOrphan(path, modules, generated, members));
  if (doubtful.length > 0 || orphans.length > 0) {
    const reader = createExportReader(await loadParser(), modules, generated);
    reader.read([...doubtful.map(([path]) => path), ...orphans]);
    for (const [path, wanted] of doubtful) checkModule(path, wanted, { reader, members, diagnostics });
    for (const path of orphans) checkOrphan(path, { reader, members, diagnostics });
  }
  for (const { diagnostic } of findUnwritten(loaded, folder)) diagnostics.push(diagnostic);
  return sortDiagnostics(diagnostics);
}

/** All items, broken ones too: a handler whose item has a mistake is not an orphan. */
function membersOf({ catalog, program }: Pick<LoadedPack, 'program' | 'catalog'>): Members {
  const inline = catalog.server.flatMap(({ winner }) => (winner === undefined ? [] : inlineItems(winner)));
  const named = (kind: 'tool' | 'prompt' | 'resource'): ReadonlySet<string> => {
    const found = [...catalog[kind], ...inline.filter(item => item.kind === kind)].map(({ name }) => name);
    const linked = program?.[`${kind}s`].map(({ item }) => item) ?? [];
    return new Set([...new Set([...found, ...linked])].map(memberName));
  };
  return { tools: named('tool'), prompts: named('prompt'), resources: named('resource') };
}

type Missing = Exclude<ReturnType<Modules['find']>, { readonly found: 'module' }>;

/** The module of each handler; those that have none are reported. */
function findAll(
  wanted: readonly WantedHandler[],
  modules: Modules,
  report: (one: WantedHandler, found: Missing) => void,
): ReadonlyMap<string, readonly WantedHandler[]> {
  const byModule = new Map<string, WantedHandler[]>();
  for (const one of wanted) {
    const found = modules.find(one.path);
    if (found.found !== 'module') {
      report(one, found);
      continue;
    }
    const known = byModule.get(found.path);
    if (known === undefined) byModule.set(found.path, [one]);
    else known.push(one);
  }
  return byModule;
}

function scan(path: string, modules: Modules): ScannedModule | undefined {
  try {
    return scanModule(modules.text(path));
  } catch {
    return undefined;
  }
}

/** Everything wanted is there, and nothing looks like a mistake. */
function isClear(scanned: ScannedModule | undefined, wanted: readonly WantedHandler[], members: Members): boolean {
  if (scanned === undefined) return false;
  for (const used of scanned.members) if (!isKnown(used, members)) return false;
  return wanted.every(({ export: name, serves }) => {
    const made = scanned.exports.get(name);
    return made !== undefined && (made === '' || serves === undefined || fits(made, name, wanted));
  });
}

function isKnown(used: string, members: Members): boolean {
  const [collection, member = ''] = used.split('.');
  return members[collection as Collection].has(member);
}

function mayBeOrphan(path: string, modules: Modules, generated: string, members: Members): boolean {
  try {
    const text = modules.text(path);
    if (!text.includes(generated.slice(generated.lastIndexOf('/') + 1))) return false;
    const scanned = scanModule(text);
    return scanned === undefined || [...scanned.members].some(used => !isKnown(used, members));
  } catch {
    // A file that nobody names and that cannot be read is nobody's business.
    return false;
  }
}

/** One function may serve several items; it has the types of one of them. */
function fits(made: string, name: string, wanted: readonly WantedHandler[]): boolean {
  return wanted.some(one => one.export === name && one.serves !== undefined && memberOf(one.serves) === made);
}

interface Check {
  readonly reader: ExportReader;
  readonly members: Members;
  readonly diagnostics: Diagnostic[];
}

function checkModule(path: string, wanted: readonly WantedHandler[], check: Check): void {
  const { reader, members, diagnostics } = check;
  for (const one of wanted) checkExport(path, one, wanted, check);
  for (const used of reader.members(path)) {
    if (!members[used.collection].has(used.member)) diagnostics.push(unknownMember(used, members));
  }
}

function checkExport(
  path: string,
  wanted: WantedHandler,
  all: readonly WantedHandler[],
  { reader, members, diagnostics }: Check,
): void {
  const { export: name, serves, isNamed } = wanted;
  const result = reader.lookUp(path, name);
  const related: readonly Related[] = [{ ...wanted.site(), message: `${wanted.what} is named here` }];
  switch (result.found) {
    case 'broken':
      diagnostics.push({ ...result.diagnostic, related });
      return;
    case 'type':
    case 'nothing': {
      const names = result.found === 'nothing' ? result.names : [];
      const hint =
        result.found === 'type' ? 'what it exports under this name is only a type' : exportHint(path, name, names);
      const place = isNamed
        ? { site: wanted.site(), extras: { hint } }
        : { site: startOf(path), extras: { hint, related } };
      diagnostics.push(diagnose('generate/missing-export', { path, name }, place.site, place.extras));
      return;
    }
    case 'value': {
      const { made } = result;
      if (made === undefined || serves === undefined || fits(shown(made), name, all)) return;
      // A name that no item has is reported as that, once.
      if (!members[made.collection].has(made.member)) return;
      const params = { kind: serves.kind, item: serves.item, used: shown(made), wanted: memberOf(serves) };
      diagnostics.push(diagnose('generate/wrong-tool', params, made.site, { related }));
      return;
    }
    case 'unknown':
      return;
    default:
      result satisfies never;
  }
}

function exportHint(path: string, name: string, names: readonly string[]): string | undefined {
  const [only, ...others] = names;
  if (name !== 'default' && only !== undefined) return didYouMean(name, names) ?? `it exports ${names.join(', ')}`;
  if (only === undefined) return 'it exports no function';
  return others.length === 0 ? `it exports "${only}": write handler: ${path}#${only}` : undefined;
}

function unknownMember(used: PlacedMember, members: Members): Diagnostic {
  const hint = makeSuggester(members[used.collection]).didYouMean(used.member);
  const params = { used: shown(used), kind: used.collection.slice(0, -1) };
  return diagnose('generate/unknown-member', params, used.site, { hint });
}

/** A module that nothing names, made for an item that is gone. */
function checkOrphan(path: string, { reader, members, diagnostics }: Check): void {
  const gone = reader.made(path).find(({ collection, member }) => !members[collection].has(member));
  if (gone === undefined) return;
  const hint = makeSuggester(members[gone.collection]).didYouMean(gone.member);
  const params = { path, used: shown(gone), kind: gone.collection.slice(0, -1) };
  diagnostics.push(diagnose('generate/orphan-stub', params, gone.site, { hint }));
}

function shown({ collection, member }: Pick<PlacedMember, 'collection' | 'member'>): string {
  return `${collection}.${member}`;
}

/** `tools.getIssue`, as a handler of the item names it. */
export function memberOf({ kind, item }: NonNullable<WantedHandler['serves']>): string {
  return `${kind}s.${memberName(item)}`;
}
