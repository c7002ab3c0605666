// In: the files that a bundle was made of. Out: the packages they belong to, with the texts of their licences, which ask to go where
// the code goes. Also used when this package itself is built, so it imports nothing but Node's own modules.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { readUtf8 } from '../../runtime/load/read-file.js';

export interface Notice {
  readonly name: string;
  readonly version: string;
  readonly text: string;
}

interface PackageFile {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly license?: unknown;
}

/** `files` are absolute; the package of the folder `own` needs no notice. */
export function findNotices(files: Iterable<string>, own: string): readonly Notice[] {
  const folders = new Map<string, string | undefined>();
  for (const file of files) {
    const folder = dirname(file);
    if (!folders.has(folder)) folders.set(folder, packageFolder(folder));
  }
  const mine = packageFolder(own);
  const found = [...new Set(folders.values())].filter(folder => folder !== undefined && folder !== mine);
  return found.map(folder => noticeOf(folder ?? own));
}

/** Files on disk that a bundle has in the outputs that are kept; what plugins give has a namespace. */
export function bundledFiles(
  metafile: Metafile | undefined,
  needed: ReadonlySet<string>,
  folder: string,
): readonly string[] {
  const paths = Object.entries(metafile?.outputs ?? {}).flatMap(([path, { inputs }]) =>
    needed.has(basename(path)) ? Object.keys(inputs) : [],
  );
  return [...new Set(paths)].filter(path => !/^[a-z-]+:/.test(path)).map(path => resolve(folder, path));
}

/** Folders inside packages may have a package.json that only says how modules are to be read. */
function packageFolder(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && typeof read(file).name === 'string') return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function noticeOf(folder: string): Notice {
  const { name, version, license } = read(join(folder, 'package.json'));
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile() && /^(?:licen[cs]e|copying|notice)/i.test(entry.name))
    .map(entry => entry.name)
    .sort()
    .map(file => readUtf8(join(folder, file)).replaceAll('\r\n', '\n').trim());
  const stated = typeof license === 'string' ? license : 'unknown';
  const text = texts.length === 0 ? `License: ${stated} (the package does not include its text)` : texts.join('\n\n');
  return { name: String(name), version: String(version ?? ''), text };
}

function read(file: string): PackageFile {
  try {
    return JSON.parse(readUtf8(file)) as PackageFile;
  } catch {
    return {};
  }
}

/** Each package once, in order of names; a licence that several share follows all of their names. */
export function printNotices(notices: readonly Notice[]): string {
  const byKey = new Map(notices.map(one => [`${one.name} ${one.version}`, one.text]));
  const keysOf = new Map<string, string[]>();
  for (const [key, text] of [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))) {
    keysOf.set(text, [...(keysOf.get(text) ?? []), key]);
  }
  const start = 'This server contains code from the packages below.';
  const sections = [...keysOf].map(([text, keys]) => `${keys.join('\n')}\n\n${text}`);
  return `${[start, ...sections].join('\n\n---\n\n')}\n`;
}
