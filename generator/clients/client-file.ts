// Somebody's configuration on disk: read, backed up, written in one step, and given back as it was.
// In: a path and texts. Out: what happened; the file is whole at every moment.
import { createHash, randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { codeOf } from '../../runtime/load/folder.js';

/** What a file was before any of our servers was put in, as long as nobody else has touched it since. */
interface Trace {
  /** Undefined where there was no file. */
  readonly original: string | undefined;
  /** Those of our servers that it has and that the original lacks. */
  readonly servers: readonly string[];
  /** A hash of what was written last. */
  readonly after: string;
}

/** What became of a file: its text before and after, for one server. */
interface Step {
  readonly server: string;
  readonly before: string | undefined;
  readonly after: string;
}

export interface Backups {
  /** The text that a file had at first, if this server alone has been put in since and nothing else was changed. */
  original(file: string, server: string, now: string): { readonly text: string | undefined } | undefined;
  /** To be called before a server is put in: what cannot be given back is not touched. */
  put(file: string, step: Step): void;
  /** Once it is out; `after` is undefined where the original was given back. */
  taken(file: string, step: Omit<Step, 'after'> & { readonly after: string | undefined }): void;
}

/** Undefined where there is no file. A folder, or a text that is no UTF-8, throws what the system throws. */
export function readText(file: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Through links, which many keep their settings behind; the mode stays, and new files are for their owner only, unless told. */
export function writeText(file: string, text: string, mode = 0o600): void {
  const target = realPathOf(file);
  mkdirSync(dirname(target), { recursive: true });
  const temporary = `${target}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: modeOf(target) ?? mode });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** What the file leads to; a link to it stays. */
export function removeText(file: string): void {
  rmSync(realPathOf(file));
}

/** Backups in a folder of ours: those of others should stay free of them. */
export function openBackups(folder: string): Backups {
  return {
    original(file, server, now) {
      const trace = traceOf(file, now);
      const isAlone = trace?.servers.every(name => name === server);
      return trace !== undefined && isAlone ? { text: trace.original } : undefined;
    },
    put(file, { server, before, after }) {
      const trace = traceOf(file, before) ?? { original: before, servers: [] };
      keep(file, { ...trace, servers: [...new Set([...trace.servers, server])], after: hashOf(after) });
    },
    taken(file, { server, before, after }) {
      const trace = after === undefined ? undefined : traceOf(file, before);
      const servers = trace?.servers.filter(name => name !== server) ?? [];
      if (trace === undefined || after === undefined || servers.length === 0) rmSync(pathOf(file), { force: true });
      else keep(file, { ...trace, servers, after: hashOf(after) });
    },
  };

  function pathOf(file: string): string {
    return join(folder, `${hashOf(file).slice(0, 16)}.json`);
  }

  function keep(file: string, trace: Trace): void {
    writeText(pathOf(file), `${JSON.stringify({ file, trace }, undefined, 2)}\n`);
  }

  /** Undefined where somebody else has changed the file. What cannot be read was not written by us, or is broken. */
  function traceOf(file: string, now: string | undefined): Trace | undefined {
    try {
      const { trace } = JSON.parse(readText(pathOf(file)) ?? '{}') as { readonly trace?: Trace };
      return now !== undefined && trace?.after === hashOf(now) && Array.isArray(trace.servers) ? trace : undefined;
    } catch {
      return undefined;
    }
  }
}

const mostLinks = 40;

/** What a path leads to, also where that is not there yet: a link that points nowhere stays one. */
function realPathOf(file: string, links = 0): string {
  try {
    return realpathSync(file);
  } catch {
    const target = linkOf(file);
    return target === undefined || links > mostLinks ? file : realPathOf(resolve(dirname(file), target), links + 1);
  }
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

function modeOf(file: string): number | undefined {
  try {
    return statSync(file).mode & 0o777;
  } catch {
    return undefined;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
