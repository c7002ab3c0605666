// In: measured rows and judged requirements. Out: text for a terminal.

const columns = [
  ['', row => row.id],
  ['ms', row => row.ms.toFixed(0)],
  ['net', row => row.netMs.toFixed(0)],
  ['x floor', row => row.ratio.toFixed(2)],
  ['net x', row => row.netRatio.toFixed(2)],
  ['CPU ms', row => row.cpuMs.toFixed(0)],
  ['x floor', row => row.cpuRatio.toFixed(2)],
  ['RSS MB', row => row.rssMb.toFixed(0)],
  ['x floor', row => row.rssRatio.toFixed(2)],
  ['growth', row => (row.growth === undefined ? '' : row.growth.toFixed(1))],
];

export function printTable(rows) {
  const cells = rows.map(row => columns.map(([, print]) => print(row)));
  const widths = columns.map(([title], index) => Math.max(title.length, ...cells.map(line => line[index].length)));
  const printLine = line =>
    line.map((text, index) => (index === 0 ? text.padEnd(widths[0]) : text.padStart(widths[index]))).join('  ');
  const lines = [printLine(columns.map(([title]) => title))];
  let before = '';
  for (const [index, { size, layout, variant, rounds }] of rows.entries()) {
    const what = variant === 'values' ? 'with defaults and examples' : 'no defaults, no examples';
    const block = `${size.toLocaleString('en')} tools, ${layout}, ${what} (${rounds} rounds)`;
    if (block !== before) lines.push('', block);
    before = block;
    lines.push(printLine(cells[index]));
  }
  return lines.join('\n');
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
