// In: an entry of a client's settings, what we recorded of it, and a pack. Out: whether it was written for this pack, and in words
// whose it is where it was not.

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Owner } from '../../generator/clients/backups.js';
import { isMap } from '../../schema/document.js';
import { shellLine } from '../../schema/print/shell-words.js';
import { visible } from '../../schema/print/visible.js';

/** For whom an entry is put in or taken out. */
export interface Asker {
  /** The folder of the pack. */
  readonly pack: string;
  /** Where its server is started. */
  readonly project: string;
  /** By which name; undefined where nobody knows, and then it is any server of the project's own. */
  readonly called: string | undefined;
  /** Where it may lie when it is built, besides the pack. */
  readonly built: readonly string[];
  /** The package that npx would run. */
  readonly published: string | undefined;
  /** Whether the file is one of the project: paths in it are from there. */
  readonly isShared: boolean;
}

/** An entry, and what we know of it. */
export interface Known {
  readonly entry: unknown;
  /** Undefined where we have written none of this name, or where it runs something else now. */
  readonly owner: Owner | undefined;
}

/** @example toKnown({ command: 'node', args: ['a.js'] }, { pack: '/a', args: ['a.js'] }) */
export function toKnown(entry: unknown, recorded: Owner | undefined): Known {
  const words = wordsOf(entry);
  // Somebody may have added words to ours.
  const isIt = recorded?.args.every(word => words.includes(word)) === true;
  return { entry, owner: isIt ? recorded : undefined };
}

/** By what is recorded; a file may also come from another machine, and then by what it runs. */
export function isOurs({ entry, owner }: Known, asker: Asker): boolean {
  const words = wordsOf(entry);
  return (
    (owner !== undefined && isSamePath(owner.pack, asker.pack)) ||
    isStarted(words, asker) ||
    isBuilt(words, asker) ||
    isPublished(words, asker)
  );
}

/** Whether we wrote it for a pack that is no longer there. */
export function isOrphan({ owner }: Known): boolean {
  return owner !== undefined && !existsSync(owner.pack);
}

/** Whose it is. No more of the command than says which it is: what follows may be secret. */
export function describeEntry({ entry, owner }: Known): string {
  if (owner !== undefined) return `it belongs to the pack in ${placeOf(owner.pack)}`;
  const words = wordsOf(entry);
  const started = startOf(words);
  if (started !== undefined) return `it starts ${visible(started.called)} in ${placeOf(started.folder)}`;
  if (words.length > 0) {
    const flag = words.findIndex((word, index) => index > 0 && (word.startsWith('--') || word.includes('=')));
    const shown = words.slice(0, Math.min(flag < 0 ? words.length : flag, 4));
    return `it runs ${visible(shellLine(shown))}${shown.length < words.length ? ' ...' : ''}`;
  }
  const url = isMap(entry) ? (entry['url'] ?? entry['serverUrl'] ?? entry['httpUrl']) : undefined;
  return typeof url === 'string' && URL.canParse(url) ? `it leads to ${new URL(url).host}` : 'it runs nothing';
}

/**
 * What the entry runs that is not there: the program, its script, the folder that it starts in. Names without a folder, and what a
 * client fills in, are found in ways that only the client knows.
 *
 * @example missingPaths({ command: '/opt/node', args: ['/gone/main.js', 'start', 's', '--cwd', '/pack'] }, asker) // ['/gone/main.js']
 */
export function missingPaths(entry: unknown, asker: Asker): readonly string[] {
  const words = wordsOf(entry);
  const [program, script = ''] = words;
  const named = [program?.includes(sep) ? program : undefined, /\.[cm]?js$/.test(script) ? script : undefined];
  return [...named, startOf(words)?.folder].flatMap(word => {
    const isPlain = word !== undefined && !/\$\{|^~|%\w+%/.test(word);
    const path = isPlain ? pathOf(word, asker) : undefined;
    return path === undefined || existsSync(path) ? [] : [path];
  });
}

/** Whether what it runs would listen on a port, where the client waits on stdio for an answer. */
export function servesHttp(entry: unknown, transport: 'stdio' | 'http' | undefined): boolean {
  const words = wordsOf(entry);
  return !words.includes('--stdio') && (transport === 'http' || words.some(word => /^--http(?:=|$)/.test(word)));
}

/** The built server that an entry runs. */
export function builtFile(entry: unknown, asker: Asker): string | undefined {
  const words = wordsOf(entry);
  return isBuilt(words, asker) ? pathOf(words[1] ?? '', asker) : undefined;
}

function placeOf(folder: string): string {
  return `${visible(folder)}${isAbsolute(folder) && !existsSync(folder) ? ', which is gone' : ''}`;
}

/** The words of the command, in whatever way a client has them. */
export function wordsOf(entry: unknown): readonly string[] {
  if (!isMap(entry)) return [];
  const words = [entry['command'] ?? entry['cmd'] ?? [], entry['args'] ?? []].flat();
  return words.filter(word => typeof word === 'string');
}

/** What `toolwright start <server> --cwd <folder>` names; `dev` likewise. */
export function startOf(words: readonly string[]): Started | undefined {
  const verb = words.findIndex((word, index) => index > 0 && (word === 'start' || word === 'dev'));
  const at = words.indexOf('--cwd');
  const [called, folder] = [words[verb + 1], words[at + 1]];
  if (verb < 0 || at < 1 || called === undefined || folder === undefined) return undefined;
  return { way: words[verb] === 'dev' ? 'dev' : 'start', called, folder };
}

interface Started {
  readonly way: 'start' | 'dev';
  readonly called: string;
  readonly folder: string;
}

function isStarted(words: readonly string[], asker: Asker): boolean {
  const started = startOf(words);
  const folder = started === undefined ? undefined : pathOf(started.folder, asker);
  if (started === undefined || folder === undefined) return false;
  const isCalled = asker.called === undefined ? !started.called.includes('/') : started.called === asker.called;
  return isCalled && isSamePath(folder, asker.project);
}

function isBuilt(words: readonly string[], asker: Asker): boolean {
  const file = words[1] === undefined ? undefined : pathOf(words[1], asker);
  const item = asker.called?.split('/').at(-1) ?? '';
  if (file === undefined || !['mjs', 'cjs', 'js'].some(extension => basename(file) === `${item}.${extension}`))
    return false;
  const steps = relative(realPath(asker.pack), realPath(file)).split(sep);
  const isInside = steps[0] !== '..' && !steps.includes('node_modules') && !isAbsolute(steps.join(sep));
  return isInside || asker.built.some(folder => isSamePath(folder, dirname(file)));
}

function isPublished(words: readonly string[], { published }: Asker): boolean {
  if (published === undefined || !words.some(word => /^npx(?:\.cmd)?$/.test(basename(word)))) return false;
  return words.some(word => word === published || word.startsWith(`${published}@`));
}

/** Undefined where nobody knows from where it is. */
function pathOf(word: string, { isShared, project }: Asker): string | undefined {
  return isAbsolute(word) ? word : isShared ? resolve(project, word) : undefined;
}

export function isSamePath(one: string, other: string): boolean {
  return realPath(one) === realPath(other);
}

/** Also of what is not there, as far as it goes. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
  }
}
