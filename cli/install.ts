// toolwright install <client> [server]
import type { Owner } from '../generator/clients/backups.js';
import { writeText } from '../generator/clients/client-file.js';
import { isRefusal, type Refusal } from '../generator/clients/config-edit.js';
import { addServer, printEntry } from '../generator/clients/edit-client.js';
import {
  backups,
  type Change,
  clientOf,
  envOf,
  type FoundEntry,
  fileOf,
  findEntry,
  type InstallFlags,
  refuse,
  say,
  showChange,
  variablesOf,
} from './client-settings.js';
import { askerOf, findServer, nameOf, planEntry } from './install-server.js';
import { listClients } from './list-clients.js';
import { shellLine } from './shell-words.js';
import { describeEntry, isOurs } from './whose-entry.js';

export async function install(
  typed: string | undefined,
  name: string | undefined,
  flags: InstallFlags,
): Promise<number> {
  if (typed === undefined) return listClients(flags);
  const client = clientOf(typed);
  const chosen = await findServer(name, flags, `install ${client.id}`);
  if (typeof chosen === 'number') return chosen;
  const project = flags.project ? chosen.project : undefined;
  const entryName = flags.name ?? nameOf(chosen.server);
  const file = fileOf(client, flags, { project, server: entryName });
  const place = { client: client.id, server: entryName, file };
  const looked = await findEntry(client, place);
  // Whoever edits by hand needs the entry all the more.
  if (isRefusal(looked) && !flags.print) return refuse(flags, place, looked);
  const found = isRefusal(looked) ? { before: undefined, entry: undefined, owner: undefined } : looked;
  const { before } = found;
  const asker = askerOf(chosen, name, flags);
  const isForeign = found.entry !== undefined && !isOurs(found, asker);
  if (isForeign && !flags.force && !flags.print) return refuse(flags, place, inTheWay(entryName, found));
  // What somebody has set for another server, such as its secrets, is not for this one.
  const known = isForeign ? {} : envOf(found.entry);
  const { entry, way, unset, notes } = await planEntry(chosen, flags, { known, project });
  if (flags.print) {
    process.stdout.write(await printEntry(client, entry));
    return 0;
  }
  const edited = await addServer(client, before, entry, { isForeign });
  if (isRefusal(edited)) return refuse(flags, place, edited);
  const change: Change = {
    op: before === undefined ? 'create' : edited.text === before ? 'keep' : 'replace',
    ...place,
  };
  if (!flags.quiet) for (const note of notes) process.stderr.write(`${note}\n`);
  if (flags.dryRun) {
    const known = variablesOf(found.entry);
    const added = Object.entries(entry.env).filter(([, value]) => !known.some(([, one]) => one === value));
    return showChange(change, { before, after: edited.text, known, added }, flags);
  }
  if (change.op !== 'keep') {
    const owner: Owner = { pack: asker.pack, args: entry.args, replaced: replacedBy(found, isForeign) };
    const step = { server: entry.name, before, after: edited.text, owner };
    backups().put(file, step, () => writeText(file, edited.text));
  }
  say(
    flags,
    change,
    change.op === 'keep'
      ? `${client.title} has it already: ${file}`
      : `${client.title}: ${file}\nRuns ${shellLine([entry.command, ...entry.args])} (${way === 'built' ? 'built: after changes, run toolwright build' : way}). ${client.next}`,
  );
  if (unset.length > 0 && !flags.quiet) process.stderr.write(`Not set: ${unset.join(', ')}; give --env NAME=value\n`);
  return 0;
}

function inTheWay(name: string, found: FoundEntry): Refusal {
  return {
    problem: `it has a "${name}" already that was not written for this pack (${describeEntry(found)})`,
    hint: 'give this one another name with --name, or replace that one with --force (uninstall brings it back)',
  };
}

/** What uninstall brings back. */
function replacedBy({ entry, owner }: FoundEntry, isForeign: boolean): Owner['replaced'] {
  return isForeign ? { entry, owner } : owner?.replaced;
}
