// In: measured rows. Out: tables for a terminal: ratios to the limit, with the limit's own value.

const megabytes = bytes => (bytes === undefined ? '-' : (bytes / 1e6).toFixed(1));

export function printServers(rows, weights) {
  const names = [...new Set(rows.flatMap(({ of }) => Object.keys(of)))];
  const head = ['', ...names.map(name => (name === 'limit' ? 'limit itself' : name))];
  const body = rows.map(({ id, unit, of }) => [
    id,
    ...names.map(name => {
      const cell = of[name];
      if (cell === undefined) return '-';
      return name === 'limit' ? `${cell.value.toFixed(cell.value < 10 ? 1 : 0)} ${unit}` : cell.ratio.toFixed(2);
    }),
  ]);
  const sizes = Object.entries(weights).map(([id, { packages, installed, bundle }]) => [
    id,
    `${packages}`,
    megabytes(installed),
    megabytes(bundle),
  ]);
  const weighed =
    sizes.length === 0
      ? ''
      : `\n\n${table([['', 'packages', 'installed MB', 'stdio server in one file, MB'], ...sizes])}`;
  return `Ratios to the limit (medians of the ratios within each round):\n\n${table([head, ...body])}${weighed}`;
}

function table(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map(line => line[column].length)));
  return lines
    .map(line =>
      line.map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]))).join('  '),
    )
    .join('\n');
}
