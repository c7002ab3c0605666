// In: the name of a pack on a command line. Out: its folder; what is not there is a mistake in the command, with the way out.
import { type FoundPack, findByName } from '../../runtime/packs/find-pack.js';
import { findProject, installCommand, missingHint } from '../../runtime/packs/package-manager.js';
import { diagnose, startOf } from '../../schema/diagnostics.js';
import { UsageError } from '../terminal/usage-error.js';
import { suggestServer } from './suggest-server.js';

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
    const way = `write ${typed}/ and the name of what is meant (toolwright inspect ${typed} shows what it has)`;
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
