// What --ours, --theirs and --restore name. In: the words. Out: what they choose, and which of them chose nothing.
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import { type Path, printPointer } from '../../schema/document.js';
import type { Choice } from './import-plan.js';
import { importFile, type RecordedKind } from './record/record.js';

export interface Chosen {
  has(kind: RecordedKind, names: readonly string[]): boolean;
  /** How closely a field is named: 0 where it is not, 1 by `all`, more by its item, and most by itself. */
  weightOf(kind: RecordedKind, names: readonly string[], path: Path): number;
  /** Words that were asked for in vain. */
  unused(flag: string): readonly Diagnostic[];
}

export function readChoice(choice: Choice = []): Chosen {
  const words = choice === 'all' ? [] : choice.map(word => ({ word, ...readWord(word), isUsed: false }));
  const weightOf = (kind: RecordedKind, names: readonly string[], path: Path): number => {
    if (choice === 'all') return 1;
    const field = printPointer(path);
    const found = words.filter(
      one =>
        (one.kind === undefined || one.kind === kind) &&
        names.includes(one.name) &&
        (one.pointer === '' || field === one.pointer || field.startsWith(`${one.pointer}/`)),
    );
    for (const one of found) one.isUsed = true;
    return Math.max(0, ...found.map(({ pointer }) => 2 + pointer.length));
  };
  return {
    weightOf,
    has: (kind, names) => weightOf(kind, names, []) > 0,
    unused(flag) {
      const isRestore = flag === '--restore';
      const reason = isRestore ? 'nothing of this name was deleted here' : 'there is no such conflict';
      const extras = isRestore ? { hint: 'name an item that an import calls "deleted here"' } : {};
      return words
        .filter(one => !one.isUsed)
        .map(({ word }) =>
          diagnose('import/unknown-choice', { flag, choice: word, reason }, startOf(importFile), extras),
        );
    },
  };
}

/** `get-issue`, `schema:issue`, `get-issue:/description`. */
function readWord(word: string): { readonly kind?: string; readonly name: string; readonly pointer: string } {
  const [, kind, name = word, pointer = ''] =
    /^(?:(backend|config|server|tool|prompt|resource|schema):)?([^/:]+)(?::(\/.*))?$/s.exec(word) ?? [];
  return { ...(kind === undefined ? {} : { kind }), name, pointer };
}
