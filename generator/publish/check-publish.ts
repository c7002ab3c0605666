// In: a pack, and what npm would put into its package. Out: everything that would keep the published pack from being found,
// read and run; and package.json with what can be fixed safely. Runs none of the pack's code.
import { openModules, type WantedHandler, wantedHandlers } from '../../runtime/call/handlers/find-handler.js';
import { findUnwritten } from '../../runtime/call/handlers/unwritten-handlers.js';
import {
  type Entry,
  type Folder,
  isBelow,
  isLinkIn,
  nameOf,
  nodeFolder,
  noteFiles,
  parentOf,
} from '../../runtime/load/folder.js';
import { type LoadedPack, load } from '../../runtime/load/load.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import type { Program } from '../../runtime/load/program.js';
import { createReader } from '../../runtime/load/read.js';
import { placeholdersOf } from '../../runtime/packs/check.js';
import { summarizePack } from '../../runtime/packs/pack-summary.js';
import { type Diagnostic, diagnose, hasErrors, type Site, sortDiagnostics, startOf } from '../../schema/diagnostics.js';
import { asMap, type Document, isMap } from '../../schema/document.js';
import { firstDescription } from '../../schema/placeholders.js';
import { type Generated, generate } from '../compile/generate.js';
import { isEditorSchema } from '../compile/pack-schemas.js';
import { isChange } from '../compile/reconcile.js';
import { checkBuilds, checkManifest, checkPacks, type Finding, packageFile } from './package-findings.js';

export interface PublishOptions {
  /** The paths that `npm pack` would put into the package of a folder; rejected with a reason in words. */
  readonly packedFiles: (folder: string) => Promise<readonly string[]>;
  /** Of the compiler, as for `generate`. */
  readonly build?: string;
}

/** A safe change of package.json. */
export interface PackageFix {
  readonly before: string;
  readonly after: string;
  /** In words: `the summary`. */
  readonly what: readonly string[];
}

export interface PublishReport {
  /** Of publishing alone; those of the pack itself are found by `checkPack`. */
  readonly diagnostics: readonly Diagnostic[];
  readonly fix: PackageFix | undefined;
}

/**
 * Checks a pack as npm would publish it.
 *
 * @example const { diagnostics, fix } = await checkPublish('packs/jira', { packedFiles });
 */
export async function checkPublish(path: string, options: PublishOptions): Promise<PublishReport> {
  const disk = nodeFolder(path);
  const noted = noteFiles(disk);
  const loaded = load(noted.folder);
  const reader = createReader(disk);
  const isThere = disk.status(packageFile) === 'file';
  const document = isThere ? reader.documents(packageFile, 'json').value?.[0] : undefined;
  if (loaded.program === undefined || (isThere && !isMap(document?.value))) return { diagnostics: [], fix: undefined };
  if (document === undefined)
    return { diagnostics: [diagnose('publish/no-package', {}, startOf(manifestFile))], fix: undefined };
  const generated = await generate(disk, options.build === undefined ? {} : { build: options.build });
  // A summary of half a pack would be wrong.
  const summary = hasErrors(loaded.diagnostics) ? undefined : summarizePack(loaded);
  const inManifest = checkManifest(document, summary);
  // npm packs nothing that has no name or no version, which is said already.
  const isPackable = !inManifest.some(({ diagnostic }) => diagnostic.code === 'publish/incomplete');
  const files = { disk, document, needed: noted.files() };
  const findings = [
    ...inManifest,
    ...checkPacks(document, loaded, disk.path),
    ...checkGenerated(generated),
    ...checkUnfinished(loaded, disk, document),
    ...(isPackable ? await checkFiles(loaded.program, generated, files, options) : []),
  ];
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(readBytes(disk));
  const fixes = findings.flatMap(({ fix }) => fix ?? []);
  const after = fixes.reduce((text, { edit }) => edit(text), before);
  return {
    diagnostics: sortDiagnostics(findings.map(({ diagnostic }) => diagnostic)),
    fix: after === before ? undefined : { before, after, what: [...new Set(fixes.map(({ what }) => what))] },
  };
}

function readBytes(disk: Folder): Uint8Array {
  const bytes = disk.read(packageFile, Number.POSITIVE_INFINITY);
  return typeof bytes === 'number' ? new Uint8Array() : bytes;
}

function checkGenerated({ operations, loaded: { program } }: Generated): readonly Finding[] {
  if (program === undefined) return [];
  const stale = operations
    .filter(op => op.role === 'generated' && isChange(op) && !isEditorSchema(op.path, program))
    .map(({ path }) => path);
  if (stale.length === 0) return [];
  const hint = 'run toolwright generate';
  return [{ diagnostic: diagnose('publish/stale-generated', { paths: stale }, startOf(manifestFile), { hint }) }];
}

/** What the author has not written: functions, texts, and what the package and its servers are for. */
function checkUnfinished(loaded: LoadedPack, disk: Folder, document: Document): readonly Finding[] {
  const isFirst = (definition: unknown): boolean => isMap(definition) && definition['description'] === firstDescription;
  const servers = loaded.catalog.server.flatMap(({ winner }) =>
    winner !== undefined && isFirst(winner.definition) ? [winner.at.site(['description'])] : [],
  );
  const described = [...(isFirst(document.value) ? [document.site(['description'])] : []), ...servers];
  return [
    ...findUnwritten(loaded, disk).map(({ wanted: { what }, path, diagnostic }) =>
      diagnose('publish/unwritten', { what, path }, diagnostic),
    ),
    ...placeholdersOf(loaded).map(({ text, site }) => diagnose('publish/placeholder', { text }, site)),
    ...described.map(site => diagnose('publish/first-description', { text: firstDescription }, site)),
  ].map(diagnostic => ({ diagnostic }));
}

interface PackFiles {
  readonly disk: Folder;
  readonly document: Document;
  /** What loading the pack has read. */
  readonly needed: readonly string[];
}

async function checkFiles(
  program: Program,
  { operations, loaded }: Generated,
  { disk, document, needed }: PackFiles,
  { packedFiles }: PublishOptions,
): Promise<readonly Finding[]> {
  let packed: ReadonlySet<string>;
  try {
    packed = new Set(await packedFiles(disk.path));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ diagnostic: diagnose('publish/not-packed', { reason }, startOf(packageFile)) }];
  }
  const { handlers, dist } = program.pack;
  const here = openModules(disk, { handlers, dist, isInstalled: true });
  const there = openModules(packedFolder(disk, packed), { handlers, dist, isInstalled: true });
  const builds: string[] = [];
  const unbuilt: WantedHandler[] = [];
  for (const wanted of wantedHandlers(loaded)) {
    if (there.find(wanted.path).found === 'module') continue;
    const built = here.find(wanted.path);
    if (built.found === 'module') builds.push(built.path);
    else unbuilt.push(wanted);
  }
  const code = operations.filter(({ role, path }) => role === 'generated' && /\.[cm]?js$/.test(path));
  const wanted = new Set([...needed, ...code.map(({ path }) => path), ...builds]);
  const missing = [...wanted].filter(path => !packed.has(path) && disk.status(path) === 'file');
  const links = missing.filter(path => isLinkIn(disk, path));
  return [
    ...explainUnbuilt(unbuilt, dist, document),
    ...checkBuilds(document, packed),
    ...links.map(path => ({
      diagnostic: diagnose('publish/missing-files', { paths: [path] }, startOf(path), {
        hint: 'npm does not pack links',
      }),
    })),
    ...explainMissing(missing.filter(path => !links.includes(path)).sort(), program, document),
  ];
}

/** One finding for all of them: they have one cause, a build that did not run. */
function explainUnbuilt(unbuilt: readonly WantedHandler[], dist: string, { value }: Document): readonly Finding[] {
  const [first] = unbuilt;
  if (first === undefined) return [];
  const paths = [...new Set(unbuilt.map(({ path }) => path))];
  const prepack = String(asMap(asMap(value)['scripts'])['prepack']);
  const how = prepack.includes('build --pack')
    ? 'the script "prepack" does that, before npm packs'
    : 'let the script "prepack" begin with it';
  const hint = `toolwright build --pack compiles them into "${dist}": ${how}`;
  return [{ diagnostic: diagnose('publish/not-built', { paths }, first.site(), { hint }) }];
}

/** One finding for each entry that `files` should have. */
function explainMissing(missing: readonly string[], { pack }: Program, document: Document): readonly Finding[] {
  const folders = [pack.root, pack.generated, pack.dist].filter(folder => folder !== '');
  const groups = new Map<string, string[]>();
  for (const path of missing) {
    const entry = folders.find(folder => isBelow(path, folder)) ?? path;
    groups.set(entry, [...(groups.get(entry) ?? []), path]);
  }
  const files = isMap(document.value) && Array.isArray(document.value['files']) ? document.value['files'] : undefined;
  const site: Site = files === undefined ? startOf(packageFile) : document.site(['files'], 'key');
  return [...groups].map(([entry, paths]): Finding => {
    // Where it is listed already, something else leaves it out, such as an ignore file inside the folder.
    const isListed = files?.some(one => typeof one === 'string' && one.replace(/^\.?\/|\/$/g, '') === entry);
    const hint =
      files === undefined
        ? `an ignore file leaves it out: list what belongs to the package under "files", with "${entry}"`
        : isListed
          ? 'it is listed, but an ignore file or a line with ! leaves it out'
          : `add "${entry}" to "files"`;
    return { diagnostic: diagnose('publish/missing-files', { paths }, site, { hint }) };
  });
}

function packedFolder(folder: Folder, paths: Iterable<string>): Folder {
  const lists = new Map<string, Map<string, Entry>>([['', new Map()]]);
  const add = (path: string, type: Entry['type']): void => {
    const parent = parentOf(path);
    if (path !== '' && parent !== path) {
      const list = lists.get(parent) ?? new Map<string, Entry>();
      if (!lists.has(parent)) {
        lists.set(parent, list);
        add(parent, 'folder');
      }
      list.set(nameOf(path), { name: nameOf(path), type });
    }
  };
  const files = new Set(paths);
  for (const path of files) add(path, 'file');
  const statusOf = (path: string) => (files.has(path) ? 'file' : lists.has(path) ? 'folder' : 'missing');
  return {
    path: folder.path,
    status: statusOf,
    list: path => {
      const list = lists.get(path);
      return list && [...list.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    read: (path, limit) => folder.read(path, limit),
  };
}
