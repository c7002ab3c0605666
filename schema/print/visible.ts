// Makes text from manifests safe to show. In: any text. Out: the same text, with everything that would steer a terminal
// or hide from a reader written out as an escape.

// Controls (C0, DEL, C1), line and paragraph separators, marks that turn the direction of text around, characters
// without any width that hide in names, tag characters, and halves of surrogate pairs.
const hidden =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;
const named: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** One line of visible characters, which no program that reads logs takes for a command. */
export function visible(text: string): string {
  return inert(written(text));
}

function written(text: string): string {
  return text.replace(hidden, character => named.get(character) ?? writeOut(character));
}

/**
 * CI systems carry out lines of a log: `::error ...` at the start of a line (GitHub), `##[...]`, `##vso[...]` and `##teamcity[...]` anywhere.
 *
 * @example inert('::error title=Hi::x') // '\\x3a:error title=Hi::x'
 */
export function inert(text: string): string {
  return logCommand.test(text)
    ? text.replace(logCommands, found => `${found.slice(0, -2)}${writeOut(found.at(-2) ?? '')}${found.at(-1)}`)
    : text;
}

const logCommands = /^\s*::|##(?=\[|vso\[|teamcity\[)/gm;
const logCommand = new RegExp(logCommands, 'm');

/** Lines as they are, tabs and line ends included, with everything else written out that would act on a terminal. */
export function visibleLines(text: string): string {
  const shown = text.replace(hidden, (character, index: number) =>
    character === '\n' || character === '\t' || (character === '\r' && text[index + 1] === '\n')
      ? character
      : written(character),
  );
  return inert(shown);
}

function writeOut(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
}

/** JSON that means the same and holds no hidden character: JSON.stringify escapes C0 only. */
export function visibleJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  // C0 controls are escaped already, but for the line feeds of the layout: long lists need no look at each character.
  if (!beyondLatin.test(text)) return text;
  return text.replace(hidden, character => {
    if (character === '\n') return character;
    return character.split('').map(escapeUnit).join('');
  });
}

/**
 * The same data with everything in its texts written out that would hide from a reader; lines stay lines. For tools that
 * show a model what somebody else wrote.
 *
 * @example showHidden({ description: 'Get it.\u200b' }) // { description: 'Get it.\\u200b' }
 */
export function showHidden<Value>(value: Value): Value;
export function showHidden(value: unknown): unknown {
  if (typeof value === 'string') return value.split('\n').map(written).join('\n');
  if (Array.isArray(value)) return value.map(one => showHidden<unknown>(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [written(key), showHidden<unknown>(one)]));
}

const beyondLatin = /[\u007f-\uffff]/;

/** `\\u00e4`: a UTF-16 unit as JSON and JavaScript escape it. */
export function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** `U+0007 (BEL)`: a character that is not shown itself. */
export function nameCharacter(code: number, names: ReadonlyMap<number, string>): string {
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const name = names.get(code);
  return name === undefined ? hex : `${hex} (${name})`;
}
