// toolwright install <client> [server]
import type { Owner } from '../../generator/clients/backups.js';
import { changeFile } from '../../generator/clients/change-file.js';
import { type Client, findUserFile, type ServerEntry, type Way } from '../../generator/clients/client.js';
import { clients } from '../../generator/clients/client-table.js';
import { isRefusal, type Refusal } from '../../generator/clients/config-edit.js';
import { addServer, printEntry } from '../../generator/clients/edit-client.js';
import type { ConfigKey } from '../../generator/doctor/config-rules.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { shellLine } from '../../schema/print/shell-words.js';
import { installMissing } from '../fetch/missing-packs.js';
import type { PackFlags } from '../pack/pack-command.js';
import { workingFolder } from '../pack/pack-command.js';
import { chooseCommand, wayOfWords } from './choose-command.js';
import {
  backups,
  type Change,
  type EntryPlace,
  entryInText,
  envOf,
  type FoundEntry,
  fileOf,
  findEntry,
  type InstallFlags,
  noteLinks,
  refuse,
  say,
  showChange,
  thisMachine,
  variablesOf,
} from './client-settings.js';
import { describeEntry, isOurs, wordsOf } from './entry-owner.js';
import { composeForeign } from './entry-tools.js';
import { wordsToSet } from './entry-variables.js';
import { askerOf, type ChosenServer, findServer, type KnownEntry, nameOf, planEntry } from './install-server.js';
import { clientOf } from './typed-client.js';

export async function install(
  typed: string | undefined,
  name: string | undefined,
  flags: InstallFlags,
): Promise<number> {
  if (typed === undefined) return listClients(flags);
  const client = clientOf(typed, 'install', flags);
  // Where nothing is to be changed, nothing is installed either.
  const ready = { ...flags, install: flags.install !== false && !flags.dryRun && !flags.print };
  const chosen = await findServer(name, ready, `install ${client.id}`);
  if (typeof chosen === 'number') return chosen;
  const { diagnostics, isOfOverlay } = chosen.loaded;
  // With such an overlay no server starts; why has been said.
  if (diagnostics.some(one => one.severity === 'error' && isOfOverlay(one))) return 1;
  const project = flags.project ? chosen.project : undefined;
  const entryName = flags.name ?? nameOf(chosen.server);
  const file = fileOf(client, flags, { project, server: entryName });
  const place = { client: client.id, server: entryName, file };
  const looked = await findEntry(client, place);
  // Anyone who edits by hand needs the entry all the more.
  if (isRefusal(looked) && !flags.print) return refuse(flags, place, looked);
  const first = isRefusal(looked) ? { before: undefined, entry: undefined, owner: undefined } : looked;
  const asker = askerOf(chosen, name, flags);
  const isForeign = (found: FoundEntry): boolean => found.entry !== undefined && !isOurs(found, asker);
  if (isForeign(first) && !flags.force && !flags.print) return refuse(flags, place, inTheWay(entryName, first));
  // What a build or a published package runs is in it.
  const before = isForeign(first) ? undefined : wayOfWords(wordsOf(first.entry));
  const run = chooseCommand(chosen, { run: flags.run, out: flags.out, before, isShared: flags.project === true });
  const isFromSources = run.way === 'start' || run.way === 'dev';
  const refused = isFromSources ? await refuseUnstartable(chosen, ready, place) : undefined;
  if (refused !== undefined) return refused;
  // What somebody has set for another server, such as its secrets, is not for this one.
  const knownIn = (found: FoundEntry): KnownEntry =>
    isForeign(found) ? { env: {}, words: [] } : { env: envOf(found.entry), words: wordsOf(found.entry) };
  // Questions come before anything is read for good: they may take minutes, and the client goes on writing its file.
  const plan = await planEntry(chosen, flags, { client, run, known: knownIn(first), project });
  const sayNotes = (): void => {
    if (!flags.quiet) for (const note of plan.notes) process.stderr.write(`${note}\n`);
  };
  if (flags.print) {
    process.stdout.write(await printEntry(client, plan.entry(knownIn(first))));
    sayNotes();
    return 0;
  }
  const put = async (before: string | undefined): Promise<Put | Refusal> => {
    const found = await entryInText(client, before, place);
    if (isRefusal(found)) return found;
    if (isForeign(found) && !flags.force) return inTheWay(entryName, found);
    const entry = plan.entry(knownIn(found));
    const edited = await addServer(client, before, entry, { isForeign: isForeign(found) });
    if (isRefusal(edited)) return edited;
    const op = before === undefined ? 'create' : edited.text === before ? 'keep' : 'replace';
    return { change: { op, ...place }, found, entry, after: edited.text };
  };
  const done = flags.dryRun
    ? await put(first.before)
    : await changeFile(file, { locks: backups().folder }, async seen => {
        const made = await put(seen.text);
        if (isRefusal(made) || made.change.op === 'keep') return made;
        const replaced = replacedBy(made.found, isForeign(made.found));
        const owner: Owner = { pack: asker.pack, args: made.entry.args, replaced };
        const step = { server: entryName, before: seen.text, after: made.after, owner };
        backups().put(file, step, () => seen.replace(made.after));
        return { ...made, otherLinks: seen.otherLinks };
      });
  if (isRefusal(done)) return refuse(flags, place, done);
  const { change, found, entry, after, otherLinks = 0 } = done;
  const unset = plan.unset(knownIn(found));
  sayNotes();
  if (flags.dryRun) {
    const known = variablesOf(found.entry);
    const added = Object.entries(entry.env).filter(([, value]) => !known.some(([, one]) => one === value));
    return showChange(change, { before: found.before, after, known, added }, flags);
  }
  say(
    flags,
    change,
    change.op === 'keep'
      ? `unchanged: "${entryName}" in ${client.title} (${file})`
      : `${found.entry === undefined ? `added "${entryName}" to` : `updated "${entryName}" in`} ${client.title} (${file})\n` +
          `It runs ${shellLine([entry.command, ...entry.args])}${afterwards[plan.way]}. ${client.next}`,
  );
  noteLinks(flags, otherLinks, file);
  if (unset.length > 0 && !flags.quiet) process.stderr.write(sayUnset(unset, client, flags.project === true));
  return 0;
}

function sayUnset(keys: readonly ConfigKey[], client: Client, isShared: boolean): string {
  const { words, others } = wordsToSet(keys, client, isShared);
  const many = words.length > 2 ? 'them' : 'it';
  const ways = [...(words.length === 0 ? [] : [`pass ${many} with ${shellLine(words)}`]), ...others];
  return `Not set: ${[...new Set(keys.map(({ name }) => name))].join(', ')}; ${ways.join('; ')}\n`;
}

/** When a change of the pack reaches the client. */
const afterwards: Readonly<Record<Way, string>> = {
  built: ' (after changes, run toolwright build)',
  npx: '',
  start: ' (after changes, restart the server in the client)',
  dev: ' (changes are served as you save them)',
};

/** What becomes of a file. */
interface Put {
  readonly change: Change;
  readonly found: FoundEntry;
  readonly entry: ServerEntry;
  readonly after: string;
  readonly otherLinks?: number;
}

function inTheWay(name: string, found: FoundEntry): Refusal {
  return {
    problem: `it already has a "${name}" that was not written for this pack (${describeEntry(found)})`,
    hint: 'give this one another name with --name, or replace that one with --force (uninstall brings it back)',
  };
}

/** What uninstall brings back. */
function replacedBy({ entry, owner }: FoundEntry, isForeign: boolean): Owner['replaced'] {
  return isForeign ? { entry, owner } : owner?.replaced;
}

function listClients(flags: PackFlags): number {
  const machine = thisMachine();
  const rows = clients.map(client => {
    const file = findUserFile(client, machine);
    return {
      client: client.id,
      title: client.title,
      file: file?.path ?? null,
      project: client.project ?? null,
      found: file?.isThere === true,
    };
  });
  if (flags.format === 'json') {
    process.stdout.write(`${JSON.stringify({ clients: rows }, undefined, 2)}\n`);
    return 0;
  }
  const width = Math.max(...rows.map(({ client }) => client.length));
  const line = ({ client, file, found }: (typeof rows)[number]): string =>
    `${found ? '*' : ' '} ${client.padEnd(width)}  ${file ?? 'not on this system'}\n`;
  process.stdout.write(rows.map(line).join(''));
  process.stderr.write('* has settings on this machine. toolwright install <client> [server]\n');
  return 0;
}

async function refuseUnstartable(
  { loaded, program, server }: ChosenServer,
  flags: InstallFlags,
  place: EntryPlace,
): Promise<number | undefined> {
  const missing = await installMissing(program, server, flags);
  const problems = missing.length > 0 ? missing : composeProblems();
  const [first] = problems;
  if (first === undefined) return undefined;
  loaded.say(problems);
  process.stderr.write(`toolwright: ${server.item} could not start: ${place.file} was not changed\n`);
  const { message: problem, hint } = first;
  if (flags.format === 'json') process.stdout.write(`${JSON.stringify({ op: 'refuse', ...place, problem, hint })}\n`);
  return 1;

  function composeProblems(): readonly Diagnostic[] {
    const composed = composeForeign(loaded, server, workingFolder(flags));
    if (composed === undefined || composed.isComplete) return [];
    return composed.diagnostics.filter(({ severity }) => severity === 'error');
  }
}
