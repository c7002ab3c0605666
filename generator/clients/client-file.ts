// Somebody's configuration on disk: read, and written in one step.
// In: a path and a text. Out: the file, which is whole at every moment.
import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf } from '../../runtime/load/folder.js';

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
    // Nobody knows the other file.
    throw error instanceof Error ? Object.assign(error, { path: target }) : error;
  }
}

/** What the file leads to; a link to it stays. */
export function removeText(file: string): void {
  unlinkSync(realPathOf(file));
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
