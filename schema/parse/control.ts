// Characters that no text file should have, and that the YAML lexer uses as marks of its own.
// In: the text of a file. Out: a report of each line that has one, and where they are.

import type { Format } from '../document.js';
import { nameCharacter } from '../print/visible.js';
import { lineEnd } from './lines.js';
import type { Report } from './report.js';

/** JSON allows DEL, YAML does not. Tabs and line ends are each format's own business. */
const controls: Readonly<Record<Format, RegExp>> = {
  yaml: /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/,
  json: /[\x00-\x08\x0b\x0c\x0e-\x1f]/,
};

/** A binary file has thousands; nobody reads the eleventh. */
const reportLimit = 10;
/** A file with this many of them is not text, and reading on would only cost memory. */
export const binaryLimit = 1000;

const names: ReadonlyMap<number, string> = new Map([
  [0x00, 'NUL'],
  [0x07, 'BEL'],
  [0x08, 'backspace'],
  [0x0b, 'vertical tab'],
  [0x0c, 'form feed'],
  [0x1b, 'ESC'],
  [0x7f, 'DEL'],
]);

export function hasControls(text: string, format: Format): boolean {
  return controls[format].test(text);
}

/** Reports the first control character of each line and returns the offsets of all. */
export function reportControls(text: string, format: Format, report: Report): readonly number[] {
  const offsets: number[] = [];
  let reported = 0;
  let reportedTo = -1;
  for (const match of text.matchAll(new RegExp(controls[format], 'g'))) {
    const start = match.index;
    offsets.push(start);
    if (offsets.length > binaryLimit) break;
    if (start < reportedTo || reported === reportLimit) continue;
    reported += 1;
    reportedTo = lineEnd(text, start);
    report(
      'parse/control-character',
      { name: nameCharacter(text.charCodeAt(start), names) },
      { start, end: start + 1 },
    );
  }
  return offsets;
}

/** The text with each control character replaced by one harmless character, so that offsets stay. */
export function maskControls(text: string): string {
  return text.replace(new RegExp(controls.yaml, 'g'), '\ufffd');
}
