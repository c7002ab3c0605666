// Somebody's configuration on disk: read, backed up, written in one step, and given back as it was.
// In: a path and texts. Out: what happened; the file is whole at every moment.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../runtime/load/folder.js';

/** What was done to a file for one server: enough to undo it exactly, as long as nobody else touched the file. */
interface Trace {
  readonly server: string;
  /** Undefined where there was no file. */
  readonly before: string | undefined;
  /** A hash of what was written. */
  readonly after: string;
}

/** Traces of one file, the oldest first. */
export interface Backups {
  /** The text that a file had before, if what it has now is what was written then. */
  undo(file: string, server: string, now: string): { readonly before: string | undefined } | undefined;
  keep(file: string, server: string, texts: { readonly before: string | undefined; readonly after: string }): string;
  drop(file: string, server: string): void;
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
  mkdirSync(dirname(file), { recursive: true });
  const target = realPathOf(file);
  const temporary = `${target}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: modeOf(target) ?? mode });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Backups in a folder of ours: those of others should stay free of them. */
export function openBackups(folder: string): Backups {
  return {
    undo(file, server, now) {
      const last = read(file).at(-1);
      return last?.server === server && last.after === hashOf(now) ? { before: last.before } : undefined;
    },
    keep(file, server, { before, after }) {
      const path = pathOf(file);
      writeText(
        path,
        `${JSON.stringify({ file, traces: [...read(file), { server, before, after: hashOf(after) }] }, undefined, 2)}\n`,
      );
      return path;
    },
    drop(file, server) {
      const left = read(file).filter(trace => trace.server !== server);
      if (left.length === 0) rmSync(pathOf(file), { force: true });
      else writeText(pathOf(file), `${JSON.stringify({ file, traces: left }, undefined, 2)}\n`);
    },
  };

  function pathOf(file: string): string {
    return join(folder, `${hashOf(file).slice(0, 16)}.json`);
  }

  /** What cannot be read was not written by us, or is broken: then entries are taken out one by one. */
  function read(file: string): readonly Trace[] {
    try {
      const { traces } = JSON.parse(readText(pathOf(file)) ?? '{}') as { readonly traces?: readonly Trace[] };
      return Array.isArray(traces) ? traces : [];
    } catch {
      return [];
    }
  }
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
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
