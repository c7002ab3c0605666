// How parsers say what is wrong: they know offsets, a Diagnostic has lines and columns. And what is wrong in any format: control
// characters and integers that lose digits.
// In: a code, its parameters and a span. Out: diagnostics, collected.
import type { Code, CodeParams } from '../codes.js';
import { type Diagnostic, diagnose, type Severity, sortDiagnostics } from '../diagnostics.js';
import type { Document, Format, Path } from '../document.js';
import { nameCharacter } from '../print/visible.js';
import { type Lines, lineEnd, type Span } from './lines.js';

interface ReportExtras {
  readonly hint?: string | undefined;
  readonly related?: { readonly span: Span; readonly message: string } | undefined;
  readonly severity?: Severity | undefined;
}

/** Whose text it is. What its author cannot fix is read as well as it can be, and only what changes its meaning is reported. */
export type Authorship = 'own' | 'foreign';

/** What is wrong, in plain words. */
export interface Explanation extends ReportExtras {
  readonly span: Span;
  readonly reason: string;
  /** The text that an unclosed quote or bracket of YAML took in: errors inside are noise. */
  readonly swallows?: Span;
}

export type Report = <C extends Code>(code: C, params: CodeParams<C>, span: Span, extras?: ReportExtras) => void;

/**
 * A `Report` that appends to `into`.
 *
 * @example collect(lines, diagnostics)('parse/tab', {}, { start: 4, end: 5 })
 */
export function collect(lines: Lines, into: Diagnostic[]): Report {
  return (code, params, span, extras = {}) => {
    const { hint, related, severity } = extras;
    into.push(
      diagnose(code, params, lines.siteOf(span), {
        hint,
        ...(severity === undefined ? {} : { severity }),
        related: related === undefined ? [] : [{ ...lines.siteOf(related.span), message: related.message }],
      }),
    );
  };
}

/** Nesting that no definition needs and that recursive readers do not survive. */
export const depthLimit = 200;

// Characters that no text file should have, and that the YAML lexer uses as marks of its own.
// In: the text of a file. Out: a report of each line that has one, and where they are.

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

// Integers that are longer than numbers can hold: JavaScript and most readers of JSON change their last digits.
// In: the text of a file and its documents. Out: a warning for each of them.

/** Every shorter integer is kept: few texts have so many digits in a row, and only they are looked through. */
const manyDigits = /[0-9]{16}|0x[0-9a-fA-F]{14}|0o[0-7]{18}/;

const integer = /^[-+]?[0-9]+$|^0x[0-9a-fA-F]+$|^0o[0-7]+$/;

/** Generated schemas have the largest integer of 64 bits as a limit, and there the last digits decide nothing. */
const limits: ReadonlySet<string | number | undefined> = new Set(
  ['min', 'max']
    .flatMap(end => ['imum', 'Length', 'Items', 'Properties', 'Contains'].map(of => `${end}${of}`))
    .concat('exclusiveMinimum', 'exclusiveMaximum'),
);

/** Finding a place means reading the text again, and nobody reads the hundred and first of one file. */
const mostFindings = 100;

/**
 * What is written with more digits than arrive. Numbers with a point or an exponent are approximate anyway.
 *
 * @example findLostDigits('id: 9007199254740993\n', documents)[0]?.message // '9007199254740993 becomes 9007199254740992'
 */
export function findLostDigits(text: string, documents: readonly Document[]): readonly Diagnostic[] {
  if (!manyDigits.test(text)) return [];
  const found: Diagnostic[] = [];
  for (const document of documents) visit(document.value, [], document, found);
  // What stands behind several aliases is one text.
  return found.length > 1 ? sortDiagnostics(found) : found;
}

function visit(value: unknown, path: Path, document: Document, found: Diagnostic[]): void {
  if (found.length >= mostFindings) return;
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || Number.isSafeInteger(value) || limits.has(path.at(-1))) return;
    const typed = document.source(path);
    if (typed === undefined || !integer.test(typed) || digitsOf(typed) === keptDigits(value)) return;
    const isLong = typed.length > 60;
    const params = { typed: isLong ? `${typed.slice(0, 57)}...` : typed, kept: String(value) };
    const hint = isLong ? 'write it as a string, in quotes' : `write it as a string: "${typed}"`;
    found.push(diagnose('parse/lost-digits', params, document.site(path), { hint }));
  } else if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) visit(one, [...path, index], document, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) visit(one, [...path, key], document, found);
  }
}

/** Without sign and zeros at the ends: `1` and 23 zeros are printed as 1e+23, which is the same. */
function digitsOf(typed: string): string {
  const decimal = typed.replace(/^[-+]/, '').replace(/^0[xo].*/, one => BigInt(one).toString());
  return decimal.replace(/^0+/, '').replace(/0+$/, '');
}

/** As they are printed, which is how clients get them. */
function keptDigits(value: number): string {
  const [mantissa = ''] = Math.abs(value).toExponential().split('e');
  return mantissa.replace('.', '');
}
