// In: the files that an author edits while `dev` runs. Out: what `check` warns of in them, each warning once.
import { resolve } from 'node:path';
import { messageOf } from '../../runtime/call/print-cause.js';
import type { DevEvent } from '../../runtime/server/dev/events.js';
import { keyOfDiagnostic } from '../../schema/diagnostics.js';
import { checkRemembered } from '../check/check.js';
import { rebaseDiagnostics } from '../pack/pack-command.js';

interface Checked {
  readonly pack: string;
  readonly overlays: readonly string[];
  readonly cwd: string;
  emit(event: DevEvent): void;
}

export interface Warnings {
  /** Absolute paths. Files that nobody touches are the business of `check`. */
  edited(paths: readonly string[]): void;
  /** Looks after something is served, so that no client waits for it. */
  report(): Promise<void>;
}

export function openWarnings({ pack, overlays, cwd, emit }: Checked): Warnings {
  const touched = new Set<string>();
  let isDue = false;
  /** What was printed -> its file. */
  let known: ReadonlyMap<string, string> = new Map();
  return {
    edited(paths) {
      for (const path of paths) touched.add(path);
      isDue ||= paths.length > 0;
    },
    async report() {
      if (!isDue) return;
      isDue = false;
      try {
        const { diagnostics } = await checkRemembered(pack, overlays);
        const all = rebaseDiagnostics(diagnostics, pack, cwd);
        const found = all.filter(({ severity, file }) => severity === 'warning' && touched.has(resolve(cwd, file)));
        const fresh = found.filter(one => !known.has(keyOfDiagnostic(one)));
        // A file with mistakes, such as one that is half written, says nothing about the warnings it had.
        const broken = new Set(all.filter(({ severity }) => severity === 'error').map(({ file }) => file));
        const kept = [...known].filter(([, file]) => broken.has(file));
        known = new Map([...kept, ...found.map(one => [keyOfDiagnostic(one), one.file] as const)]);
        if (fresh.length > 0) emit({ event: 'warned', diagnostics: fresh, folders: [pack, ...overlays] });
      } catch (error) {
        // A file may be gone again; the next change looks anew.
        emit({ event: 'note', text: `warnings could not be looked for: ${messageOf(error)}` });
      }
    },
  };
}
