// What we know of files that we have changed. In: a file, and what becomes of it. Out: what it was before, and which of its
// entries we wrote, for which pack.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isMap } from '../../schema/document.js';
import { type Disk, nodeDisk } from '../compile/apply-disk.js';
import { readText, writeText } from './client-file.js';

/** For whom we wrote an entry. */
export interface Owner {
  /** The folder of its pack. */
  readonly pack: string;
  /** What it was to run: the words after the command. An entry that runs something else is no longer ours. */
  readonly args: readonly string[];
  /** What had the name before, and comes back. */
  readonly replaced?: Replaced | undefined;
}

interface Replaced {
  readonly entry: unknown;
  /** Where that was written by us as well, for another pack. */
  readonly owner?: Owner | undefined;
}

/** What a file was before any of our servers was put in, as long as nobody else has touched it since. */
interface Trace {
  /** Undefined where there was no file. */
  readonly original?: string | undefined;
  /** Those of our servers that it has and that the original lacks. */
  readonly servers: readonly string[];
  /** A hash of what was written last. */
  readonly after: string;
}

interface State {
  readonly trace?: Trace | undefined;
  /** By the names of the entries; they count also where others have changed the file. */
  readonly owners: Readonly<Record<string, Owner>>;
}

/** What becomes of a file: its text before and after, for one server. */
interface Step {
  readonly server: string;
  readonly before: string | undefined;
  /** Undefined where the file goes. */
  readonly after: string | undefined;
  /** Whose the entry is then; undefined where it is not ours. */
  readonly owner: Owner | undefined;
}

/** Each step is recorded before `write` does it: what cannot be given back is not touched. Where that fails, nothing was recorded. */
export interface Backups {
  /** Where they lie; locks of the files are kept beside them. */
  readonly folder: string;
  /** For whom we wrote an entry, if we did. */
  owner(file: string, server: string): Owner | undefined;
  /** The text that a file had at first, if this server alone has been put in since and nothing else was changed. */
  original(file: string, server: string, now: string): { readonly text: string | undefined } | undefined;
  /** A server is put in. */
  put(file: string, step: Step & { readonly after: string }, write: () => void): void;
  /** It is taken out, or what it replaced is put back. */
  take(file: string, step: Step, write: () => void): void;
}

/** Backups in a folder of ours: those of others should stay free of them. */
export function openBackups(folder: string, disk: Disk = nodeDisk): Backups {
  return {
    folder,
    owner(file, server) {
      const { owners } = stateOf(file);
      return Object.hasOwn(owners, server) ? owners[server] : undefined;
    },
    original(file, server, now) {
      const trace = traceOf(file, now);
      const isAlone = trace?.servers.every(name => name === server);
      return trace !== undefined && isAlone ? { text: trace.original } : undefined;
    },
    put(file, { server, before, after, owner }, write) {
      const trace = traceOf(file, before) ?? { original: before, servers: [] };
      const servers = [...new Set([...trace.servers, server])];
      const owners = withOwner(stateOf(file).owners, server, owner);
      around(file, { trace: { ...trace, servers, after: hashOf(after) }, owners }, write);
    },
    take(file, { server, before, after, owner }, write) {
      const trace = traceOf(file, before);
      const servers = trace?.servers.filter(name => name !== server || owner !== undefined) ?? [];
      const isOver = trace === undefined || after === undefined || servers.length === 0;
      const owners = after === undefined ? {} : withOwner(stateOf(file).owners, server, owner);
      around(file, { trace: isOver ? undefined : { ...trace, servers, after: hashOf(after) }, owners }, write);
    },
  };

  function pathOf(file: string): string {
    return join(folder, `${hashOf(file).slice(0, 16)}.json`);
  }

  function around(file: string, { trace, owners }: State, write: () => void): void {
    const path = pathOf(file);
    const known = readState(path);
    const isEmpty = trace === undefined && Object.keys(owners).length === 0;
    keep(path, isEmpty ? undefined : `${JSON.stringify({ file, trace, owners }, undefined, 2)}\n`);
    try {
      write();
    } catch (error) {
      keep(path, known);
      throw error;
    }
  }

  function keep(path: string, text: string | undefined): void {
    if (text !== undefined) writeText(path, text, { disk });
    else if (disk.exists(path)) disk.remove(path);
  }

  /** What cannot be read was not written by us, or is broken. */
  function stateOf(file: string): State {
    try {
      const { trace, owners }: Partial<State> = JSON.parse(readState(pathOf(file)) ?? '{}');
      return { trace: Array.isArray(trace?.servers) ? trace : undefined, owners: readOwners(owners) };
    } catch {
      return { owners: {} };
    }
  }

  /** Undefined where somebody else has changed the file. */
  function traceOf(file: string, now: string | undefined): Trace | undefined {
    const { trace } = stateOf(file);
    return now !== undefined && trace?.after === hashOf(now) ? trace : undefined;
  }
}

function readState(path: string): string | undefined {
  try {
    return readText(path);
  } catch {
    return undefined;
  }
}

function readOwners(owners: unknown): State['owners'] {
  const isOwner = (one: unknown): one is Owner =>
    isMap(one) && typeof one['pack'] === 'string' && Array.isArray(one['args']);
  const all = Object.entries(isMap(owners) ? owners : {});
  return Object.fromEntries(all.filter((pair): pair is [string, Owner] => isOwner(pair[1])));
}

function withOwner(owners: State['owners'], server: string, owner: Owner | undefined): State['owners'] {
  const others = Object.entries(owners).filter(([name]) => name !== server);
  return Object.fromEntries(owner === undefined ? others : [...others, [server, owner]]);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
