// In: measured rows and judged requirements. Out: text for a terminal.

/** `columns`: title and text of a row. `titleOf`: of the block that a row is in. */
export function printTable(columns, rows, titleOf) {
  const cells = rows.map(row => columns.map(([, print]) => print(row)));
  const widths = columns.map(([title], index) => Math.max(title.length, ...cells.map(line => line[index].length)));
  const printLine = line =>
    line.map((text, index) => (index === 0 ? text.padEnd(widths[0]) : text.padStart(widths[index]))).join('  ');
  const lines = [printLine(columns.map(([title]) => title))];
  let before = '';
  for (const [index, row] of rows.entries()) {
    const title = titleOf(row);
    if (title !== before) lines.push('', title);
    before = title;
    lines.push(printLine(cells[index]));
  }
  return lines.join('\n');
}

/** Something that must hold; `met` is undefined where it was not measured. */
export function requirement(text, limit, measured, note = '') {
  return { text, limit, measured, note, met: measured === undefined ? undefined : measured <= limit };
}

export function printRequirements(requirements) {
  const width = Math.max(...requirements.map(({ text }) => text.length));
  return requirements
    .map(({ text, limit, measured, note, met }) => {
      const verdict = met === undefined ? 'not measured' : met ? 'ok' : 'NOT MET';
      const numbers = `${measured?.toFixed(2).padStart(6) ?? '     -'} of at most ${limit.toString().padEnd(4)}`;
      return `  ${verdict.padEnd(12)}  ${text.padEnd(width)}  ${numbers}  ${note && `(${note})`}`.trimEnd();
    })
    .join('\n');
}
