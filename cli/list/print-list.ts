// In: listed servers. Out: a table for people, in which nothing of what packs say can steer the terminal.
import type { PackOrigin } from '../../runtime/packs/discover-packs.js';
import type { ListedServer } from '../../runtime/packs/list-servers.js';
import { visible } from '../../schema/print/visible.js';
import type { colors } from '../pack/pack-command.js';

type Paint = ReturnType<typeof colors>;

interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
  text(server: ListedServer): string;
  paint(text: string, server: ListedServer, paint: Paint): string;
}

/** One absurdly long name must not push all columns off the screen. */
const widest = 60;

const plain = (text: string): string => text;
const number = (count: number | null): string => (count === null ? '-' : String(count));
const dimZero = (text: string, _: ListedServer, paint: Paint): string => (/[1-9]/.test(text) ? text : paint.dim(text));

const columns: readonly Column[] = [
  {
    title: 'server',
    text: ({ name }) => name,
    paint: (text, { broken }, paint) => (broken === undefined ? paint.bold(text) : paint.red(text)),
  },
  { title: 'version', text: ({ version }) => version ?? '-', paint: plain },
  { title: 'transport', text: ({ transport }) => transport ?? '-', paint: plain },
  { title: 'tools', isNumber: true, text: ({ tools }) => number(tools), paint: dimZero },
  { title: 'prompts', isNumber: true, text: ({ prompts }) => number(prompts), paint: dimZero },
  { title: 'resources', isNumber: true, text: ({ resources }) => number(resources), paint: dimZero },
  {
    title: 'source',
    text: ({ source }) => source,
    paint: (text, { source }, paint) => sourcePaints[source](text, paint),
  },
  {
    title: 'description',
    text: ({ description }) => (description.length > widest ? `${description.slice(0, widest - 3)}...` : description),
    paint: plain,
  },
];

const sourcePaints: Readonly<Record<PackOrigin, (text: string, paint: Paint) => string>> = {
  project: (text, paint) => paint.green(text),
  installed: (text, paint) => paint.cyan(text),
  builtin: (text, paint) => paint.magenta(text),
  remote: (text, paint) => paint.yellow(text),
};

export function printServers(servers: readonly ListedServer[], paint: Paint): string {
  if (servers.length === 0) return '';
  const rows = servers.map(server => ({ server, cells: columns.map(column => visible(column.text(server))) }));
  const widths = columns.map(({ title }, index) =>
    rows.reduce((width, { cells }) => Math.max(width, Math.min(cells[index]?.length ?? 0, widest)), title.length),
  );
  const fill = (text: string, index: number): string =>
    columns[index]?.isNumber ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0);
  // The last column is not filled: spaces at the end of a line are of no use.
  const line = (cells: readonly string[]): string => cells.join('  ');
  const isLast = (index: number): boolean => index === columns.length - 1;
  const head = columns.map(({ title }, index) => paint.dim(isLast(index) ? title : fill(title, index)));
  const lines = rows.flatMap(({ server, cells }) => {
    const painted = columns.map((column, index) => {
      const cell = cells[index] ?? '';
      const rest = (isLast(index) ? cell : fill(cell, index)).length - cell.length;
      const text = column.paint(cell, server, paint);
      return column.isNumber ? `${' '.repeat(rest)}${text}` : `${text}${' '.repeat(rest)}`;
    });
    const reason = server.broken === undefined ? [] : [`  ${paint.red('broken:')} ${visible(server.broken)}`];
    return [line(painted).trimEnd(), ...reason];
  });
  return `${[line(head), ...lines].join('\n')}\n`;
}
