// In: the text of a bundled module. Out: the same with the line before it that it needs, and its map moved by that line.
import type { OutputFile } from 'esbuild';

/**
 * What modules in CommonJS expect to be there, and an ES module has not. esbuild renames variables of these names only in files that
 * need the real ones, so that only these get them.
 */
export function withRequire({ path, contents, text }: OutputFile, all: readonly OutputFile[]): Uint8Array {
  if (path.endsWith('.map')) {
    const code = all.find(one => `${one.path}.map` === path);
    return code === undefined || firstLineFor(code.text) === '' ? contents : Buffer.from(withLine(text));
  }
  const line = firstLineFor(text);
  return line === '' ? contents : Buffer.from(`${line}\n${text}`);
}

/** The first line of what can be started. The map of a file knows nothing of it, and so gets a line more. */
export function withShebang(files: ReadonlyMap<string, Uint8Array>, entry: string): ReadonlyMap<string, Uint8Array> {
  return new Map(
    [...files].map(([name, bytes]) => {
      const text = Buffer.from(bytes).toString();
      if (name === entry) return [name, Buffer.from(`#!/usr/bin/env node\n${text}`)];
      return name === `${entry}.map` ? [name, Buffer.from(withLine(text))] : [name, bytes];
    }),
  );
}

/** A source map for a string that has one more line at its start. */
function withLine(text: string): string {
  const map = JSON.parse(text) as { mappings: string };
  return JSON.stringify({ ...map, mappings: `;${map.mappings}` }, null, 2);
}

const requireLine = "import{createRequire as __tw}from'node:module';const require=__tw(import.meta.url);";
const placeLine =
  "import{fileURLToPath as __twp}from'node:url';const __filename=__twp(import.meta.url),__dirname=__twp(new URL('.',import.meta.url));";

function firstLineFor(text: string): string {
  const needsPlace =
    /\b__(?:dirname|filename)\b/.test(text) && !/(?:var|let|const|,)\s*__(?:dirname|filename)\s*=/.test(text);
  return `${needsRequire(text) ? requireLine : ''}${needsPlace ? placeLine : ''}`;
}

/** The text of a module that is bundled once more, and gets the function then; its lines stay where they were. */
export function withoutRequire(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString();
  const isAdded = text.startsWith(requireLine) || text.startsWith(placeLine);
  return isAdded ? text.slice(text.indexOf('\n')) : text;
}

function needsRequire(text: string): boolean {
  return /typeof require\s*[!<]/.test(text) && /Dynamic require of/.test(text);
}
