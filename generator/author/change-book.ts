// The files of a pack while a plan is made. In: edits, one after the other. Out: each file as it was and as it should be.
import type { Folder } from '../../runtime/load/folder.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { maxBytes } from '../../runtime/load/read-file.js';
import { type Diagnostic, diagnose, type Site, startOf } from '../../schema/diagnostics.js';

/** The texts of the files that a plan changes, each as the last edit left it. */
export interface ChangeBook {
  readonly folder: Folder;
  /** Undefined where there is no such file. */
  text(path: string): string | undefined;
  put(path: string, text: string): void;
  changes(): readonly FileChange[];
}

export function openBook(folder: Folder): ChangeBook {
  const before = new Map<string, string | undefined>();
  const after = new Map<string, string>();
  const read = (path: string): string | undefined => {
    if (!before.has(path)) before.set(path, readText(folder, path));
    return before.get(path);
  };
  return {
    folder,
    text: path => after.get(path) ?? read(path),
    put: (path, text) => {
      read(path);
      after.set(path, text);
    },
    // The manifest comes last: a declaration without its definition would be a mistake.
    changes: () =>
      [...after]
        .map(([path, text]) => ({ path, before: before.get(path), after: text }))
        .sort((a, b) => Number(a.path === manifestFile) - Number(b.path === manifestFile)),
  };
}

export function readText(folder: Folder, path: string): string | undefined {
  if (folder.status(path) !== 'file') return undefined;
  const bytes = folder.read(path, maxBytes);
  return typeof bytes === 'number' ? '' : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

export function notEditable(path: string, reason: string, site: Site = startOf(path)): Diagnostic {
  return diagnose('author/not-editable', { path, reason }, site);
}

export interface FileChange {
  /** Relative to the pack, with forward slashes. */
  readonly path: string;
  /** Undefined where there is no file yet; with its byte order mark. */
  readonly before: string | undefined;
  readonly after: string;
}
