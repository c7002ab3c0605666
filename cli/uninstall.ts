// toolwright uninstall <client> [server]
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../generator/clients/client.js';
import { removeText, writeText } from '../generator/clients/client-file.js';
import { type Edited, isRefusal } from '../generator/clients/config-edit.js';
import { entryOfServer, removeServer, restoreServer } from '../generator/clients/edit-client.js';
import { findByName } from '../runtime/packs/find-by-name.js';
import {
  backups,
  type Change,
  clientOf,
  type EntryPlace,
  type FoundEntry,
  fileOf,
  findEntry,
  type InstallFlags,
  refuse,
  say,
  showChange,
  valuesOf,
} from './client-settings.js';
import { askerOf, findServer, nameOf, projectOf } from './install-server.js';
import { serverNames } from './load-server.js';
import { workingFolder } from './pack-command.js';
import { describeEntry, isOrphan, isOurs } from './whose-entry.js';

export async function uninstall(typed: string, name: string | undefined, flags: InstallFlags): Promise<number> {
  const client = clientOf(typed);
  const chosen = name === undefined || isServer(name, flags) ? await findServer(name, flags) : undefined;
  // A server whose pack is gone can still be taken out by the name that the client knows.
  const entryName = flags.name ?? (chosen === undefined ? (name?.split('/').at(-1) ?? '') : nameOf(chosen.server));
  const file = fileOf(client, flags, {
    project: flags.project ? (chosen?.project ?? projectOf(flags)) : undefined,
    server: entryName,
  });
  const place = { client: client.id, server: entryName, file };
  const found = await findEntry(client, place);
  if (isRefusal(found)) return refuse(flags, place, found);
  const { before } = found;
  if (before === undefined || found.entry === undefined) {
    say(flags, { op: 'keep', ...place }, `${client.title} has no server "${entryName}": ${file}`);
    return 0;
  }
  const isOwn = isOurs(found, askerOf(chosen, name, flags)) || (chosen === undefined && isOrphan(found));
  if (!isOwn && !flags.force) return refuse(flags, place, { problem: notOurs(entryName, found) });
  const edited = await withoutServer(client, place, { ...found, before });
  if (isRefusal(edited)) return refuse(flags, place, edited);
  const after = edited.text;
  const change: Change = { op: after === undefined ? 'delete' : 'replace', ...place };
  if (flags.dryRun) {
    const known = [...valuesOf(found.entry), ...valuesOf(found.owner?.replaced?.entry)];
    return showChange(change, { before, after, known, added: [] }, flags);
  }
  const { replaced } = found.owner ?? {};
  backups().take(file, { server: entryName, before, after, owner: replaced?.owner }, () => {
    if (after === undefined) removeText(file);
    else writeText(file, after);
  });
  const back = replaced === undefined ? '' : '; what had the name before is back';
  say(flags, change, `${client.title}: "${entryName}" is taken out of ${file}${back}`);
  return 0;
}

function notOurs(name: string, found: FoundEntry): string {
  return `its "${name}" was not written for this pack (${describeEntry(found)}): --force takes it out all the same`;
}

/** The file as it was before, where nobody else has changed it since; else without the entry, or with what that replaced. */
async function withoutServer(
  client: Client,
  { file, server }: EntryPlace,
  { before, owner }: FoundEntry & { readonly before: string },
): Promise<Edited | { readonly text: string | undefined }> {
  const original = backups().original(file, server, before);
  const first = original === undefined ? undefined : await entryOfServer(client, original.text ?? '', server);
  const isFirst = first !== undefined && !isRefusal(first) && isDeepStrictEqual(first.entry, owner?.replaced?.entry);
  if (original !== undefined && isFirst) return original;
  return owner?.replaced === undefined
    ? await removeServer(client, before, server)
    : await restoreServer(client, before, server, owner.replaced.entry);
}

/** Whether there is such a server: of the pack around, or of one that is installed. */
function isServer(name: string, flags: InstallFlags): boolean {
  const pack = name.slice(0, Math.max(name.lastIndexOf('/'), 0));
  return pack === '' ? serverNames(flags).includes(name) : 'folder' in findByName(pack, workingFolder(flags));
}
