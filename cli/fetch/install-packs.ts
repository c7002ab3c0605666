// W64. In: packs that a server needs and that are not there. Out: those that the project lists are in its node_modules, and nothing else
// of it has changed: package managers remove what no package.json lists, so that the missing ones are fetched in a folder beside, as
// the lockfile has them and without scripts, and moved in. Where that cannot be done, it is said why. stdout belongs to the server.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildDirPrefix, removeStaleBuildDirs } from '../../generator/build/stale-build-dirs.js';
import { codeOf, nodeFolder } from '../../runtime/load/folder.js';
import { findProject, installCommand, type Project } from '../../runtime/packs/package-manager.js';
import { printReport } from '../../runtime/serve/print-report.js';
import { packageOfPack, packNameOfPackage } from '../../schema/names.js';
import { fetchInto } from './fetch-into.js';
import type { Refused } from './fetch-words.js';
import { nestDependencies } from './nest-dependencies.js';
import { findPlace, linkIn, moveIn, type Place, removeEmpty } from './place.js';

export interface InstallFlags {
  /** False for `--no-install`. */
  readonly install?: boolean;
}

/** Whether missing packs may be installed at all. */
export function mayInstall({ install }: InstallFlags): boolean {
  const forbidden = process.env['TOOLWRIGHT_NO_INSTALL'] ?? '';
  return install !== false && (forbidden === '' || forbidden === '0' || forbidden === 'false');
}

/** Does nothing where package.json lists none of the packs: what was never asked for is never installed. */
export async function installPacks(packs: readonly string[], start: string): Promise<void> {
  const project = findProject(start);
  const wanted = packs.map(packageOfPack).filter(name => project?.listed.has(name));
  if (project === undefined || wanted.length === 0) return;
  const problem = await addPackages(project, wanted);
  if (problem === undefined) return;
  const command = installCommand(packNameOfPackage(wanted[0] ?? ''), project);
  printReport(
    `${wanted.join(', ')} cannot be installed here: ${problem.reason}. Run ${command} (in ${project.folder})`,
  );
}

async function addPackages(project: Project, names: readonly string[]): Promise<Refused | undefined> {
  const fetched: [string, Place][] = [];
  for (const name of names) {
    const place = findPlace(project.folder, name);
    if ('reason' in place) return place;
    const spec = project.listed.get(name) ?? '';
    const linked = linkedFolder(spec, project);
    if (linked !== undefined) {
      printReport(`installing ${name}: a link to ${linked} (in ${project.folder})`);
      linkIn(linked, place);
    } else if (isOfRegistry(spec)) fetched.push([name, place]);
    else return { reason: `"${spec}" is not a version that a registry has` };
  }
  if (fetched.length === 0) return undefined;
  try {
    return await fetchAndMove(project, fetched);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return { reason: `its node_modules cannot be written (${code})` };
  }
}

async function fetchAndMove(
  project: Project,
  fetched: readonly (readonly [string, Place])[],
): Promise<Refused | undefined> {
  const modules = join(project.folder, 'node_modules');
  const made = fetched.flatMap(([, place]) => place.missing).filter(folder => folder === modules);
  mkdirSync(modules, { recursive: true });
  // A name with a dot is nobody's package; beside the others it is on the same disk, so that one rename moves it.
  removeStaleBuildDirs(modules);
  const stage = mkdtempSync(join(modules, buildDirPrefix()));
  try {
    const problem = await fetchInto(
      stage,
      project,
      fetched.map(([name]) => name),
    );
    if (problem !== undefined) return problem;
    const found = join(stage, 'node_modules');
    for (const [name] of fetched) nestDependencies(name, found, project.folder);
    for (const [name, place] of fetched) moveIn(join(found, name), place);
    return undefined;
  } finally {
    rmSync(stage, { recursive: true, force: true });
    removeEmpty(made);
  }
}

/** A folder that is installed as a link, as npm does it with `file:` and others with `link:`. */
function linkedFolder(spec: string, { manager, folder }: Project): string | undefined {
  const [, way] = /^(?:file|link|portal):(.+)$/.exec(spec) ?? [];
  if (way === undefined || (spec.startsWith('file:') && manager !== 'npm')) return undefined;
  const path = resolve(folder, way);
  return nodeFolder(path).status('package.json') === 'file' ? path : undefined;
}

/** Versions, ranges, tags and aliases of them; no folders, repositories or addresses. */
function isOfRegistry(spec: string): boolean {
  return spec.startsWith('npm:') || !/[:/]/.test(spec);
}
