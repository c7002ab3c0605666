// In: an item that gets a new name. Out: an edit of toolwright.import.json, so that the next import finds it.
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import { type Renaming, renameInRecord } from '../import/record/follow.js';
import { importFile } from '../import/record/record.js';

import type { EditBook } from './text-edits.js';

export function renameRecorded({ kind, from, to }: Renaming, book: EditBook, diagnostics: Diagnostic[]): void {
  const text = book.text(importFile);
  if (text === undefined) return;
  const edited = renameInRecord(text, { kind, from, to });
  // An import that cannot read it stops. What it says of the name is found again once it can be read.
  if (edited === undefined)
    diagnostics.push(
      diagnose('rename/by-hand', { what: `the name ${JSON.stringify(from)}`, name: to }, startOf(importFile)),
    );
  else if (edited !== text) book.edit(importFile, { start: 0, end: text.length, text: edited });
}
