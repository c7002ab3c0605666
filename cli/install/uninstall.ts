// toolwright uninstall <client> [server]
import { isDeepStrictEqual } from 'node:util';
import { changeFile } from '../../generator/clients/change-file.js';
import type { Client } from '../../generator/clients/client.js';
import { type Edited, isRefusal, type Refusal } from '../../generator/clients/config-edit.js';
import { entryOfServer, removeServer, restoreServer } from '../../generator/clients/edit-client.js';
import { findByName } from '../../runtime/packs/find-pack.js';
import { shellLine } from '../../schema/print/shell-words.js';
import { workingFolder } from '../pack/pack-command.js';
import { serverNames } from '../start/load-server.js';
import {
  backups,
  type Change,
  type EntryPlace,
  entryInText,
  type FoundEntry,
  fileOf,
  findEntry,
  type InstallFlags,
  noteLinks,
  refuse,
  say,
  showChange,
  variablesOf,
} from './client-settings.js';
import { describeEntry, isOrphan, isOurs } from './entry-owner.js';
import { askerOf, findServer, nameOf, projectOf } from './install-server.js';
import { clientOf } from './typed-client.js';

export async function uninstall(typed: string, name: string | undefined, flags: InstallFlags): Promise<number> {
  const client = clientOf(typed, 'uninstall', flags);
  const isWanted = name === undefined || isServer(name, flags);
  const looked = isWanted ? await findServer(name, { ...flags, install: false }, `uninstall ${client.id}`) : undefined;
  // Which server is meant only the pack could tell, and it has been said why it does not.
  if (typeof looked === 'number' && name === undefined && flags.name === undefined) return looked;
  const chosen = typeof looked === 'number' ? undefined : looked;
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
  const asker = askerOf(chosen, name, flags);
  const isOwn = (one: FoundEntry, isShared: boolean): boolean =>
    isOurs(one, { ...asker, isShared }) || (chosen === undefined && isOrphan(one));
  if (before === undefined || found.entry === undefined || !(flags.force || isOwn(found, asker.isShared))) {
    const other = otherFile(client, flags, { project: asker.project, server: entryName });
    const there =
      other === undefined || other === file ? undefined : await findEntry(client, { ...place, file: other });
    const isThere =
      there !== undefined && !isRefusal(there) && there.entry !== undefined && isOwn(there, !flags.project);
    const hint = isThere ? `${other} has it: run ${shellLine(otherWords(client, name, flags))}` : undefined;
    if (found.entry !== undefined) return refuse(flags, place, notOurs(entryName, found, hint));
    if (hint !== undefined) return refuse(flags, place, { problem: `it has no server "${entryName}"`, hint });
    say(flags, { op: 'keep', ...place }, `${client.title} has no server "${entryName}": ${file}`);
    return 0;
  }
  const take = async (now: string): Promise<Taken | Refusal> => {
    const known = await entryInText(client, now, place);
    if (isRefusal(known)) return known;
    if (known.entry === undefined) return { found: known, after: now };
    if (!(flags.force || isOwn(known, asker.isShared))) return notOurs(entryName, known);
    const edited = await withoutServer(client, place, { ...known, before: now });
    return isRefusal(edited) ? edited : { found: known, after: edited.text };
  };
  const done = flags.dryRun
    ? await take(before)
    : await changeFile(file, { locks: backups().folder }, async seen => {
        if (seen.text === undefined)
          return { found: { before: undefined, entry: undefined, owner: undefined }, after: undefined };
        const taken = await take(seen.text);
        if (isRefusal(taken) || taken.after === seen.text) return taken;
        const { after, found: known } = taken;
        const step = { server: entryName, before: seen.text, after, owner: known.owner?.replaced?.owner };
        backups().take(file, step, () => seen.replace(after));
        return { ...taken, otherLinks: seen.otherLinks };
      });
  if (isRefusal(done)) return refuse(flags, place, done);
  const { after, otherLinks = 0, found: known } = done;
  const op = after === known.before ? 'keep' : after === undefined ? 'delete' : 'replace';
  const change: Change = { op, ...place };
  const { replaced } = known.owner ?? {};
  if (flags.dryRun) {
    const variables = [...variablesOf(known.entry), ...variablesOf(replaced?.entry)];
    return showChange(change, { before, after, known: variables, added: [] }, flags);
  }
  const back = replaced === undefined ? '' : '; the previous entry with that name is back';
  const text =
    op === 'keep'
      ? `${client.title} has no server "${entryName}": ${file}`
      : `removed "${entryName}" from ${client.title} (${file})${back}`;
  say(flags, change, text);
  noteLinks(flags, otherLinks, file);
  return 0;
}

/** A file without the entry; no text where the file goes, too. */
interface Taken {
  readonly found: FoundEntry;
  readonly after: string | undefined;
  readonly otherLinks?: number;
}

function notOurs(name: string, found: FoundEntry, hint = '--force removes it anyway'): Refusal {
  return { problem: `its "${name}" was not written for this pack (${describeEntry(found)})`, hint };
}

/** That of the user where the project's was asked for, and the other way round. */
function otherFile(
  client: Client,
  flags: InstallFlags,
  where: { readonly project: string; readonly server: string },
): string | undefined {
  const project = !flags.project;
  if (flags.file !== undefined || (project && client.project === undefined)) return undefined;
  try {
    return fileOf(client, { ...flags, project }, where);
  } catch {
    // The client does not run on this system.
    return undefined;
  }
}

/** The command that was typed, for the other place. */
function otherWords(client: Client, name: string | undefined, flags: InstallFlags): readonly string[] {
  const words = ['toolwright', 'uninstall', client.id, ...(name === undefined ? [] : [name])];
  const option = (flag: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [flag, value];
  return [
    ...words,
    ...(flags.project ? [] : ['--project']),
    ...option('--name', flags.name),
    ...option('--cwd', flags.cwd),
  ];
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
