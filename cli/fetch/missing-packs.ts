// In: a server that is to run. Out: packs that it needs are there, installed where that is allowed; those that are still
// missing are reported by server, item and pack (W64, W66).

import { findPack, startsOf } from '../../runtime/load/find-pack.js';
import type { Program, Server } from '../../runtime/load/program.js';
import { findProject, missingHint } from '../../runtime/packs/package-manager.js';
import { type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import type { Path } from '../../schema/document.js';
import { packOf } from '../../schema/names.js';
import { type PackFlags, workingFolder } from '../pack/pack-command.js';
import { type InstallFlags, installPacks, mayInstall } from './install-packs.js';

interface Needed {
  readonly pack: string;
  readonly item: string;
  readonly path: Path;
}

export async function installMissing(
  { pack }: Program,
  server: Server,
  flags: PackFlags & InstallFlags,
): Promise<readonly Diagnostic[]> {
  const cwd = workingFolder(flags);
  const starts = startsOf(pack.folder, cwd);
  const isMissing = (one: Needed): boolean => 'missing' in findPack(one.pack, starts);
  const missing = neededPacks(server).filter(isMissing);
  if (missing.length === 0) return [];
  // The pack's own project knows what it needs; that of the working folder may know it too.
  const projects = [...new Set([pack.folder, cwd].map(folder => findProject(folder)?.folder ?? folder))];
  if (mayInstall(flags)) {
    for (const project of projects.filter(isOutsideModules)) {
      const names = missing.filter(isMissing).map(one => one.pack);
      if (names.length > 0) await installPacks(names, project);
    }
  }
  const project = findProject(projects.find(isOutsideModules) ?? cwd);
  return missing.filter(isMissing).map(({ pack: name, item, path }) =>
    diagnose('pack/dependency-missing', { server: server.item, item, pack: name }, server.at.site(path), {
      hint: missingHint(name, project),
    }),
  );
}

/** What lies in node_modules is somebody else's package: nothing is installed for it. */
function isOutsideModules(folder: string): boolean {
  return !/[\\/]node_modules([\\/]|$)/.test(folder);
}

/** Each pack once, with the first item that is taken from it. */
function neededPacks({ tools, prompts, resources }: Server): readonly Needed[] {
  const needed = new Map<string, Needed>();
  for (const listed of [...tools, ...prompts, ...resources]) {
    if (listed.from === 'own') continue;
    const { reference, path } = listed;
    const pack = packOf(reference);
    if (pack !== undefined && !needed.has(pack)) needed.set(pack, { pack, item: reference.item, path });
  }
  return [...needed.values()];
}
