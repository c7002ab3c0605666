// In: modules that changed. Out: a diagnostic for each that cannot be parsed, until it can be: before anybody calls it.

import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { findSyntaxPlace } from '../../runtime/call/handlers/compile-source.js';
import { syntaxHint } from '../../runtime/call/handlers/explain-failure.js';
import { relativePath } from '../../runtime/load/folder.js';
import { maxCodeBytes, readUtf8 } from '../../runtime/load/read-file.js';
import { type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import { isModule } from './watch.js';

export interface SyntaxCheck {
  /** Looks at these again; gives all that is wrong so far, with files relative to `cwd`. */
  check(paths: readonly string[]): Promise<readonly Diagnostic[]>;
}

/** A folder with more modules is not looked at as a whole: its mistakes are reported by the first call. */
const mostModules = 500;

export function openSyntaxCheck(cwd: string): SyntaxCheck {
  const wrong = new Map<string, Diagnostic>();
  return {
    async check(paths) {
      await Promise.all(
        paths.filter(isModule).map(async path => {
          const found = await look(path, cwd);
          if (found === undefined) wrong.delete(path);
          else wrong.set(path, found);
        }),
      );
      return [...wrong.values()];
    },
  };
}

async function look(path: string, cwd: string): Promise<Diagnostic | undefined> {
  let text: string;
  try {
    text = readUtf8(path, maxCodeBytes);
  } catch {
    return undefined;
  }
  const place = await findSyntaxPlace(path, text);
  if (place === undefined) return undefined;
  const { line, column, reason } = place;
  const file = relativePath(cwd, path);
  return diagnose(
    'generate/unimportable',
    { path: file, reason },
    { file, line, column, endLine: line, endColumn: column },
    { hint: syntaxHint(place) },
  );
}

/** All modules below a folder; none where there are too many. */
export function modulesBelow(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter(entry => entry.isFile() && isModule(entry.name));
    const paths = files.map(({ parentPath, name }) => join(parentPath, name));
    return paths.length > mostModules ? [] : paths.filter(path => !path.split(sep).includes('node_modules'));
  } catch {
    return [];
  }
}
