// In: what was typed for an MCP client. Out: the client; or, where a pack or a server was typed (W55), what leads to what was wanted.

import type { Client } from '../../generator/clients/client.js';
import { clients } from '../../generator/clients/client-table.js';
import { findByName } from '../../runtime/packs/find-pack.js';
import { findProject, installCommand, type Project, removeCommand } from '../../runtime/packs/package-manager.js';
import { packageOfPack, packNameOfPackage } from '../../schema/names.js';
import { didYouMean, nearest } from '../../schema/nearest.js';
import { type PackFlags, workingFolder } from '../pack/pack-command.js';
import { serverNames } from '../start/load-server.js';
import { UsageError } from '../terminal/usage-error.js';

export function clientOf(typed: string, command: 'install' | 'uninstall', flags: PackFlags): Client {
  const client = findClient(typed);
  if (client !== undefined) return client;
  const meant = packMeant(typed, workingFolder(flags));
  if (meant !== undefined) throw new UsageError(`"${typed}" is not a client. ${wayOut(meant, command)}`);
  const ids = clients.map(({ id }) => id);
  const several = ids.filter(id => id.startsWith(`${typed.toLowerCase()}-`));
  if (several.length > 1) throw new UsageError(`"${typed}" is more than one client: name ${several.join(' or ')}`);
  const hint = clientHint(typed, ids);
  if (hint === undefined && serverNames(flags).includes(typed))
    throw new UsageError(
      `"${typed}" is not a client. Name the client first: toolwright ${command} ${example} ${typed}`,
    );
  throw new UsageError(
    `there is no client "${typed}"${hint === undefined ? '' : `: ${hint}`} (there are ${ids.join(', ')})`,
  );
}

/** Also by the first word of a name: `clade` is near to `claude`, which two clients begin with. */
function clientHint(typed: string, ids: readonly string[]): string | undefined {
  const stem = nearest(typed, new Set(ids.map(id => id.split('-')[0] ?? id)));
  const near = ids.filter(id => id === stem || id.startsWith(`${stem}-`));
  return near.length > 1 ? `did you mean ${near.join(' or ')}?` : didYouMean(typed, ids);
}

const example = 'claude-code';

interface MeantPack {
  readonly pack: string;
  /** As it was typed, where a server was. */
  readonly server: string | undefined;
  readonly project: Project | undefined;
  readonly isThere: boolean;
  /** Whether a package manager has put it there, or would. */
  readonly isPackage: boolean;
}

/** `wiki`, `wiki/server`, `acme/jira`, `@acme/jira` or `acme/jira/server`. One word is a pack only where the project has it. */
function packMeant(typed: string, cwd: string): MeantPack | undefined {
  const project = findProject(cwd);
  const name = packNameOfPackage(typed);
  const above = name.slice(0, Math.max(name.lastIndexOf('/'), 0));
  const describe = (pack: string, server?: string): MeantPack => {
    const found = findByName(pack, cwd);
    const isListed = project?.listed.has(packageOfPack(pack)) === true;
    const isInstalled = 'folder' in found && /[\\/]node_modules[\\/]/.test(found.folder);
    return { pack, server, project, isThere: 'folder' in found, isPackage: isListed || isInstalled };
  };
  const ways = [describe(name), ...(above === '' ? [] : [describe(above, name)])];
  const known = ways.find(way => way.isPackage) ?? ways.find(way => way.isThere && way.server !== undefined);
  if (known !== undefined || above === '') return known;
  return name.split('/').length > 2 ? describe(above, name) : { ...describe(name), isPackage: true };
}

function wayOut({ pack, server, project, isThere, isPackage }: MeantPack, command: 'install' | 'uninstall'): string {
  const wanted = server ?? `${pack}/<server>`;
  const line = `toolwright ${command} ${example} ${wanted}`;
  if (command === 'install') {
    const first = isThere ? '' : `The pack is installed with ${installCommand(pack, project)}. `;
    return `${first}To put its server into a client's settings, name the client first: ${line}`;
  }
  const removed = isPackage ? `The pack is removed with ${removeCommand(pack, project)}. ` : '';
  return `${removed}To remove its server from a client's settings, name the client first: ${line}`;
}

/** A client by what somebody typed: its id or an alias, whatever the case. */
export function findClient(typed: string): Client | undefined {
  const wanted = typed.toLowerCase();
  return clients.find(({ id, aliases, title }) =>
    [id, title.toLowerCase(), ...aliases].some(name => name === wanted || name === wanted.replaceAll(/[\s_-]/g, '')),
  );
}
