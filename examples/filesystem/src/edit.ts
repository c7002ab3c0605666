// Edits of text: each replaces lines with others, even where only the indentation differs.
import { createTwoFilesPatch } from 'diff';

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** The text after the edits; undefined where the old text of one cannot be found, which `onMissing` gets. */
export function applyEdits(text: string, edits: readonly Edit[], onMissing: (edit: Edit) => Error): string {
  return edits.reduce((before, edit) => {
    const after = applyEdit(before, { oldText: unixLines(edit.oldText), newText: unixLines(edit.newText) });
    if (after === undefined) throw onMissing(edit);
    return after;
  }, text);
}

function applyEdit(text: string, { oldText, newText }: Edit): string | undefined {
  if (text.includes(oldText)) return text.replace(oldText, () => newText);
  const lines = text.split('\n');
  const wanted = oldText.split('\n');
  const trimmed = wanted.map(line => line.trim());
  const start = lines.findIndex(
    (_, index) =>
      index + wanted.length <= lines.length && trimmed.every((line, ahead) => lines[index + ahead]?.trim() === line),
  );
  if (start < 0) return undefined;
  const indent = indentOf(lines[start]);
  const replacing = newText.split('\n').map((line, index) => {
    if (index === 0) return indent + line.trimStart();
    const [before, now] = [indentOf(wanted[index]).length, indentOf(line).length];
    // Lines that are indented keep how much deeper they are than what they replace.
    return before > 0 && now > 0 ? indent + ' '.repeat(Math.max(0, now - before)) + line.trimStart() : line;
  });
  return lines.toSpliced(start, wanted.length, ...replacing).join('\n');
}

/** The difference inside a fence that is longer than any in the text. */
export function printDifference(path: string, before: string, after: string): string {
  const difference = createTwoFilesPatch(path, path, before, after, 'original', 'modified');
  const fences = difference.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(2, ...fences.map(found => found.length)) + 1);
  return `${fence}diff\n${difference}${fence}\n\n`;
}

export function unixLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function indentOf(line = ''): string {
  return /^\s*/.exec(line)?.[0] ?? '';
}
