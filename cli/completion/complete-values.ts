// In: the name of an argument or option of a command. Out: what may stand there, from the pack around and from our own tables.
import { resolve } from 'node:path';
import { clients } from '../../generator/clients/client-table.js';
import { readReference, schemaNames } from '../../generator/compile/pack-schemas.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import { builtinPack } from '../../runtime/load/own-package.js';
import { type PackOutline, readOutline } from '../../runtime/packs/read-outline.js';
import { readAllTasks } from '../../runtime/tasks/files/read-all.js';
import { handledKinds, kinds } from '../../schema/definitions.js';
import { listKeys } from '../../schema/reference/read-kind.js';
import { findPackAround } from '../pack/pack-command.js';
import { taskPlace } from '../start/task-place.js';

export interface Candidate {
  readonly value: string;
  readonly hint?: string;
}

export interface Asked {
  /** The arguments before. */
  readonly positional: readonly string[];
  readonly cwd: string;
}

type Finder = (asked: Asked, command: string) => readonly Candidate[];

/** By the name of the argument or option. What is not here is a path or a string: shells offer files. */
const finders: Readonly<Record<string, Finder>> = {
  kind: ({ cwd }, command) => {
    const named = (command === 'schema' ? schemaNames : kinds).map(value => ({ value }));
    return command === 'schema' ? [...named, ...shared(outline(cwd))] : named;
  },
  key: ({ positional: [typed] }) => {
    const name = schemaNames.find(one => one === typed);
    const keys = name === undefined ? [] : readReference(name).keys;
    // Shells read `<`, `[` and `$` in their own way; places for names may be left out.
    const offered = listKeys(keys).map(({ path, description }) => ({
      value: path.replaceAll(/\.<name>|\[\]/g, ''),
      hint: description,
    }));
    return offered.filter(({ value }) => !value.includes('$'));
  },
  client: () => clients.map(({ id, title }) => ({ value: id, hint: title })),
  server: ({ cwd }, command) => [...servers(outline(cwd)), ...(takesBuiltIn.includes(command) ? builtInServers() : [])],
  name: (asked, command) => {
    if (command === 'remove') return ofKind(asked);
    return command === 'inspect' ? [...servers(outline(asked.cwd)), ...builtInServers()] : [];
  },
  pattern: ({ cwd }) => {
    const { name, servers: list } = outline(cwd);
    return list.map(({ item }) => ({ value: `${name}/${item}` }));
  },
  item: ({ cwd }, command) => {
    const all = everything(outline(cwd));
    return command === 'eject' ? all.filter(({ hint }) => handledKinds.some(kind => kind === hint)) : all;
  },
  old: ofKind,
  /** Of `call`: a tool, or a server where there are several and then a tool. */
  tool: ({ cwd, positional }) => {
    if (positional.length === 1 && isBuiltIn(positional[0])) return tools(builtInOutline());
    const found = outline(cwd);
    const isServer = found.servers.some(({ item }) => item === positional[0]);
    if (positional.length > (isServer ? 1 : 0)) return [];
    return [...tools(found), ...(positional.length === 0 && found.servers.length > 1 ? servers(found) : [])];
  },
  action: () => ['list', 'show', 'cancel'].map(value => ({ value })),
  id: taskIds,
  '--resume': taskIds,
  '--server': ({ cwd }) => servers(outline(cwd)),
  '--enable': ({ cwd }) => tools(outline(cwd)),
  '--disable': ({ cwd }) => tools(outline(cwd)),
  '--tag': ({ cwd, positional }) => tags(isBuiltIn(positional[0]) ? builtinPack() : findPackAround(resolve(cwd))),
};

export function findValues(name: string, command: string, asked: Asked): readonly Candidate[] {
  return Object.hasOwn(finders, name) ? (finders[name]?.(asked, command) ?? []) : [];
}

/** Of tasks that are kept on this machine for the servers of the pack. */
function taskIds({ cwd }: Asked): readonly Candidate[] {
  const folder = findPackAround(resolve(cwd));
  return outline(cwd).servers.flatMap(({ item }) => {
    const place = taskPlace({ pack: folder, server: item }, process.env);
    const { tasks } = place === undefined ? { tasks: [] } : readAllTasks(place);
    return tasks.map(({ record: { id, tool, end } }) => ({
      value: id,
      hint: end === undefined ? tool : `${tool}, over`,
    }));
  });
}

/** Items of the kind that was typed before. */
function ofKind({ cwd, positional: [kind] }: Asked): readonly Candidate[] {
  return everything(outline(cwd)).filter(({ hint }) => hint === kind);
}

/** Names only: nothing of the pack is checked, nor run. */
function outline(cwd: string): PackOutline {
  return readOutline(nodeFolder(findPackAround(resolve(cwd))), { withSchemas: true });
}

function tags(pack: string): readonly Candidate[] {
  const { tags: found } = readOutline(nodeFolder(pack), { withTags: true });
  return [...new Set(Object.values(found ?? {}).flatMap(Object.keys))].sort().map(value => ({ value, hint: 'tag' }));
}

function servers({ servers: list }: PackOutline): readonly Candidate[] {
  return list.map(({ item, transport, isDefault }) => ({
    value: item,
    hint: `server over ${transport}${isDefault ? ', the default' : ''}`,
  }));
}

/** Commands that take a server by a name without a slash that the pack does not have. */
const takesBuiltIn = ['start', 'install'];

function builtInOutline(): PackOutline {
  return readOutline(nodeFolder(builtinPack()));
}

function isBuiltIn(server: string | undefined): boolean {
  return builtInOutline().servers.some(({ item }) => item === server);
}

function builtInServers(): readonly Candidate[] {
  return builtInOutline().servers.map(({ item }) => ({ value: item, hint: 'built-in server' }));
}

function tools({ items }: PackOutline): readonly Candidate[] {
  return items.tool.map(value => ({ value, hint: 'tool' }));
}

function shared({ schemas = [] }: PackOutline): readonly Candidate[] {
  return schemas.map(value => ({ value, hint: 'schema' }));
}

function everything(pack: PackOutline): readonly Candidate[] {
  const { servers: list, items } = pack;
  const listed = handledKinds.flatMap(kind => items[kind].map(value => ({ value, hint: kind })));
  return [...list.map(({ item }) => ({ value: item, hint: 'server' })), ...listed, ...shared(pack)];
}
