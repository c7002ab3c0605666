// In: a message of the compiler, which has a line and a column. Out: the word that it is about, and whose file that is in.
import { type Folder, isBelow, readTextIn } from '../../runtime/load/folder.js';
import type { Program } from '../../runtime/load/program.js';
import { maxCodeBytes } from '../../runtime/load/read-file.js';
import { type Site, startOf } from '../../schema/diagnostics.js';
import { makeLines } from '../../schema/parse/lines.js';
import type { CompilerError } from './compile-project.js';

export interface CheckedPack {
  readonly program: Program;
  readonly folder: Folder;
  /** Of the compiler. */
  readonly version: string;
}

export interface PlacedError extends CompilerError {
  readonly site: Site;
  /** Where it is in the text of its file. */
  readonly offset: number;
  /** A name, or a string with its quotes. */
  readonly word: string;
}

/** The author's own code, what was made of manifests, what says how to compile, or what the pack has nothing to do with. */
export function kindOfFile(path: string, { pack }: Program): 'own' | 'generated' | 'config' | 'foreign' {
  const isIn = (folder: string): boolean => folder !== '' && isBelow(path, folder);
  if (path.endsWith('.json')) return 'config';
  if (isIn(pack.generated)) return 'generated';
  return /^\.\.\/|^\/|^[A-Za-z]:|(?:^|\/)node_modules\//.test(path) || isIn(pack.dist) ? 'foreign' : 'own';
}

/** What concerns no file concerns the project's tsconfig.json. */
export function placeError(error: CompilerError, folder: Folder): PlacedError {
  const { path, line, column } = error;
  if (path === undefined) return { ...error, site: startOf('tsconfig.json'), offset: 0, word: '' };
  const text = readText(folder, path, maxCodeBytes);
  const offset = offsetOf(text, line, column);
  if (offset === undefined)
    return { ...error, site: { file: path, line, column, endLine: line, endColumn: column }, offset: 0, word: '' };
  const word = wordAt(text, offset);
  const site = makeLines(path, text).siteOf({ start: offset, end: offset + word.length });
  return { ...error, site, offset, word };
}

/** Undefined where the text has no such line: it may be a file that is not read. */
function offsetOf(text: string, line: number, column: number): number | undefined {
  // Those that TypeScript counts.
  const ends = /\r\n|[\n\r\u2028\u2029]/g;
  for (let count = 1; count < line; count++) if (ends.exec(text) === null) return undefined;
  const offset = ends.lastIndex + column - 1;
  return offset < text.length ? offset : undefined;
}

function wordAt(text: string, offset: number): string {
  const word = /(['"`])(?:(?!\1)[^\\\n]|\\.)*\1|[\p{ID_Start}$_#][\p{ID_Continue}$]*|\S?/uy;
  word.lastIndex = offset;
  return word.exec(text)?.[0] ?? '';
}

/** Of a file of the pack, without its byte order mark; nothing where it cannot be read. */
export function readText(folder: Folder, path: string, limit: number): string {
  return (folder.status(path) === 'file' ? readTextIn(folder, path, limit) : undefined) ?? '';
}

/** Which part of a value is wrong: the line that a reader looks for. */
const ofPart = /^(?:The types of '|The types returned by '|Types of property ')/;

/** The compiler explains in indented lines, from the whole down to the part; a message is one line, and these say most. */
export function shortenMessage([first = '', ...others]: readonly string[]): string {
  const depthOf = (line: string): number => line.length - line.trimStart().length;
  const deepest = Math.max(...others.map(depthOf));
  const last = others.findLast(line => depthOf(line) === deepest);
  if (last === undefined) return first;
  const part = others.findLast(line => line !== last && ofPart.test(line.trim()))?.trim();
  return `${first}${others.length === 1 ? '' : ' ...'} ${part === undefined ? '' : `${part} ... `}${last.trim()}`;
}
