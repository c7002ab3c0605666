// Rules of doctor about MCP clients: which have settings on this machine, and whether their entries for servers of the pack still work.
import { resolve } from 'node:path';
import { newerThanBuild } from '../../generator/build/outdated-build.js';
import { type Client, findUserFile } from '../../generator/clients/client.js';
import { clients } from '../../generator/clients/client-table.js';
import { isRefusal } from '../../generator/clients/config-edit.js';
import { type ConfigKey, configKeys, describeKey, stateOf } from '../../generator/doctor/config-rules.js';
import { type ExaminedPack, type Judgement, ofPack, type Rule } from '../../generator/doctor/finding.js';
import { fileOfKey } from '../../runtime/call/context/config.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import type { Program } from '../../runtime/load/program.js';
import type { ComposedServer } from '../../runtime/packs/compose.js';
import { shellLine } from '../../schema/print/shell-words.js';
import { envOf, findEntry, thisMachine } from '../install/client-settings.js';
import { builtFile, isOurs, missingPaths, servesHttp, wordsOf } from '../install/entry-owner.js';
import { isReferred, isUnset, wordsToSet } from '../install/entry-variables.js';
import { keptWords } from '../install/entry-words.js';
import { askerOf, nameOf } from '../install/install-server.js';

function judgeMachine(): readonly Judgement[] {
  const found = clients.filter(client => findUserFile(client, thisMachine())?.isThere === true);
  const titles = found.map(({ title }) => title).join(', ');
  return found.length === 0 ? [] : [{ status: 'info', message: `found settings for ${titles}` }];
}

/** A file of a client that may have an entry for a server. */
interface Place {
  readonly client: Client;
  readonly file: string;
  /** Of the project, where paths are from there. */
  readonly isShared: boolean;
}

function placesOf(client: Client, { pack }: Program, entry: string): readonly Place[] {
  const user = findUserFile(client, thisMachine());
  const project = client.project?.replace('{server}', entry);
  // A pack that is only looked at must not lead out of its folder, nor to a pipe that never ends.
  const isThere = project !== undefined && nodeFolder(pack.folder).status(project) === 'file';
  return [
    ...(user?.isThere ? [{ client, file: user.path, isShared: false }] : []),
    ...(isThere ? [{ client, file: resolve(pack.folder, project), isShared: true }] : []),
  ];
}

async function judgeEntry(
  { client, file, isShared }: Place,
  { pack, server, ...composed }: ComposedServer,
): Promise<readonly Judgement[]> {
  const { program } = pack;
  const name = nameOf(server);
  const title = isShared ? `${client.title} (for this project)` : client.title;
  const found = await findEntry(client, { client: client.id, server: name, file });
  // Without what the parser has seen, which may be part of a secret.
  if (isRefusal(found)) {
    const message = `${title}'s settings cannot be read: ${file}${found.line === undefined ? '' : `:${found.line}`}`;
    return [{ status: 'warning', message, hint: 'fix the file: the client cannot read it either' }];
  }
  const { folder } = program.pack;
  const flags = { cwd: folder, format: 'text', project: isShared } as const;
  const asker = askerOf({ program, project: folder, called: server.item }, undefined, flags);
  if (found.entry === undefined || !isOurs(found, asker)) return [];
  const again = `toolwright install ${client.id} ${server.item}${isShared ? ' --project' : ''}`;
  const gone = missingPaths(found.entry, asker);
  if (gone.length > 0) {
    const message = `${title} has "${name}", which leads to what is not there: ${gone.join(', ')}`;
    return [{ status: 'error', message, hint: `${again} writes it again` }];
  }
  if (servesHttp(found.entry, server.definition.transport)) {
    const message = `${title} has "${name}", which would serve HTTP, and the client expects stdio`;
    return [{ status: 'error', message, hint: `${again} writes it with --stdio` }];
  }
  const built = builtFile(found.entry, asker);
  const newer = built === undefined ? undefined : newerThanBuild(program.pack, built);
  if (newer !== undefined) {
    const message = `${title} runs a build of "${name}" that is older than ${newer}`;
    return [{ status: 'warning', message, hint: `toolwright build ${server.item} builds it again` }];
  }
  const keys = configKeys([{ pack, server, ...composed }]);
  const passed = keptWords(wordsOf(found.entry), program.pack.config);
  if (passed.problem !== undefined) {
    const message = `${title} starts "${name}" with flags that are wrong: ${passed.problem}`;
    return [{ status: 'error', message, hint: `${again} -- <flags> writes others` }];
  }
  const env = { ...envOf(found.entry), ...passed.variables };
  const setBy = (some: readonly ConfigKey[]): string => {
    const { words, others } = wordsToSet(some, client, isShared);
    return [...(words.length === 0 ? [] : [`${again} ${shellLine(words)}`]), ...others].join('; ');
  };
  // A file is where the client starts the server.
  const isInFile = (key: ConfigKey): boolean => fileOfKey(key.name, key.config, env) !== undefined;
  const wrong = keys.filter(key => !isInFile(key) && stateOf(key, env) === 'wrong' && !isReferred(key, env, client));
  if (wrong.length > 0) {
    const message = `${title} starts "${name}" with values of the wrong type: ${wrong.map(key => key.name).join(', ')}`;
    return [{ status: 'error', message, hint: setBy(wrong) }];
  }
  const unset = keys.filter(key => key.neededBy.length > 0 && isUnset(key, env));
  if (unset.length === 0) return [{ status: 'ok', message: `${title} has "${name}", and its command exists` }];
  // Some clients hand on their own environment, which nobody else knows.
  const message = `${title} has "${name}", and its command exists; its entry does not set ${unset.map(describeKey).join(', ')}`;
  return [{ status: 'info', message, hint: setBy(unset) }];
}

async function judgeEntries({ servers }: ExaminedPack): Promise<readonly Judgement[]> {
  const judgements: Judgement[] = [];
  for (const composed of servers) {
    const { server, pack } = composed;
    for (const client of clients) {
      for (const place of placesOf(client, pack.program, nameOf(server)))
        judgements.push(...(await judgeEntry(place, composed)));
    }
  }
  // Several servers, one broken file.
  return [...new Map(judgements.map(one => [one.message, one])).values()];
}

export const clientRules: readonly Rule[] = [
  { id: 'clients', find: judgeMachine },
  ofPack('client-entries', judgeEntries),
];
