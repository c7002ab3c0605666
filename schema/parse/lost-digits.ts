// Integers that are longer than numbers can hold: JavaScript and most readers of JSON change their last digits.
// In: the text of a file and its documents. Out: a warning for each of them.
import { type Diagnostic, diagnose, sortDiagnostics } from '../diagnostics.js';
import type { Document, Path } from '../document.js';

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
