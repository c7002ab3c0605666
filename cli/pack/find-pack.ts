// In: what a person typed for a pack. Out: the folder of the pack (W72: folder, package name or manifest path).
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { FoundPack } from '../../runtime/load/find-pack.js';
import { discoverPacks } from '../../runtime/packs/discover-packs.js';
import { findByName } from '../../runtime/packs/find-pack.js';
import { copiesOf } from '../../runtime/packs/installed-package.js';
import { listServers } from '../../runtime/packs/list-servers.js';
import { findProject, installCommand, missingHint } from '../../runtime/packs/package-manager.js';
import { diagnose, startOf } from '../../schema/diagnostics.js';
import { packNameOfPackage } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import { UsageError } from '../terminal/usage-error.js';
import { findPackAround } from './pack-command.js';

export function findPack(typed: string, cwd: string): string {
  const path = resolve(cwd, typed);
  if (existsSync(path)) {
    // A definition file stands for its pack, so that a list of changed files can be checked.
    return statSync(path).isDirectory() ? path : findPackAround(dirname(path));
  }
  for (const name of packageNames(typed)) {
    const [installed] = copiesOf(name, cwd);
    if (installed !== undefined) return installed;
  }
  // W53: what the project lists is only to be fetched.
  const listed = packageNames(typed).find(name => findProject(cwd)?.listed.has(name));
  if (listed !== undefined) throw noSuchPack(packNameOfPackage(listed), { missing: true }, cwd);
  throw new UsageError(`there is no folder, file or installed package "${typed}"`);
}

/** Pack `acme/jira` is the package `@acme/jira`. Anything else that looks like a path is none. */
function packageNames(typed: string): readonly string[] {
  if (!/^@?[a-z0-9~][a-z0-9._~-]*(\/[a-z0-9~][a-z0-9._~-]*)?$/i.test(typed)) return [];
  return typed.startsWith('@') || !typed.includes('/') ? [typed] : [`@${typed}`];
}

// In: the name of a pack on a command line. Out: its folder; what is not there is a mistake in the command, with the way out.

/** The folder of a pack that is the project's own or installed. `typed`: the whole name, of which the pack is a part. */
export function namedPack(pack: string, cwd: string, typed?: string): string {
  const found = findByName(pack, cwd);
  if ('folder' in found) return found.folder;
  throw noSuchPack(pack, found, cwd, typed);
}

export function noSuchPack(
  pack: string,
  found: Exclude<FoundPack, { folder: string }>,
  cwd: string,
  typed = pack,
): UsageError {
  // `acme/jira` names the item jira of the pack acme, which is nobody's business to install where @acme/jira is there.
  if (typed !== pack && 'folder' in findByName(typed, cwd)) {
    const way = `write ${typed}/ and the name of the item you mean (toolwright inspect ${typed} lists them)`;
    return new UsageError(`"${typed}" is a pack: ${way}`);
  }
  const site = startOf(pack);
  const { message, code } =
    'plainPackage' in found
      ? diagnose('pack/no-manifest', { pack, folder: found.plainPackage }, site)
      : diagnose('pack/not-installed', { pack }, site);
  if ('plainPackage' in found) return new UsageError(`${message} [${code}]`);
  const project = findProject(cwd);
  const meant = suggestServer(typed, cwd);
  const hint = meant === undefined ? missingHint(pack, project) : `${meant} Else ${installCommand(pack, project)}`;
  return new UsageError(`${message} [${code}]\n  hint: ${hint}`);
}

// In: the name of a server that is nowhere. Out: the one among those of `toolwright list` that was probably meant. Only asked
// where a command has failed: it looks at everything that is installed.

/** @example suggestServer('desk', '/workspaces') // 'did you mean "acme/help/desk"?' */
export function suggestServer(typed: string, cwd: string): string | undefined {
  const names = listServers(discoverPacks({ cwd }).packs).servers.map(({ name }) => name);
  const [same] = names.filter(name => name.endsWith(`/${typed}`));
  return same === undefined ? didYouMean(typed, names) : `did you mean ${JSON.stringify(same)}?`;
}
