// toolwright list [pattern]
import { statSync } from 'node:fs';
import { nodeFolder } from '../../runtime/load/folder.js';
import { builtinPack } from '../../runtime/load/own-package.js';
import { discoverPacks, type PackOrigin } from '../../runtime/packs/discover-packs.js';
import { type ListedServer, listServers } from '../../runtime/packs/list-servers.js';
import { readOutline } from '../../runtime/packs/read-outline.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { colors, type Paint, workingFolder } from '../pack/pack-command.js';
import type { CommonFlags } from '../terminal/flags.js';
import { UsageError } from '../terminal/usage-error.js';
import { openOutlineCache } from './outline-cache.js';

export interface ListFlags extends CommonFlags {
  readonly builtin?: boolean;
  readonly remote?: boolean;
  readonly refresh?: boolean;
  readonly all?: boolean;
  /** Only servers that serve something with this tag. */
  readonly tag?: string;
}

export async function list(pattern: string | undefined, flags: ListFlags): Promise<number> {
  const cwd = workingFolder(flags);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`there is no folder "${cwd}"`);
  if (flags.refresh && !flags.remote) throw new UsageError('--refresh asks the registry again: it needs --remote');
  const cache = openOutlineCache(cwd);
  const local = discoverPacks({
    cwd,
    all: flags.all === true,
    builtin: flags.builtin === true,
    // Tags are in the definitions of items, which lists do not look at otherwise.
    ...(flags.tag === undefined
      ? { outlineOf: cache.outlineOf, isKnown: cache.isKnown }
      : { outlineOf: (folder: string) => readOutline(nodeFolder(folder), { withTags: true }) }),
  });
  cache.save();
  const remote = flags.remote ? await askRegistry(cwd, flags) : { packs: [], warnings: [] };
  const { servers, serverless } = listServers([...local.packs, ...remote.packs], pattern, flags.tag);
  const paint = colors(flags);
  const hasBuiltIn = servers.some(({ source }) => source === 'builtin');
  process.stdout.write(
    flags.format === 'json'
      ? `${visibleJson({ servers })}\n`
      : `${printServers(servers, paint)}${hasBuiltIn ? printBuiltIn(flags.tag, paint) : ''}`,
  );
  for (const warning of [...local.warnings, ...remote.warnings]) say(`warning: ${warning}`);
  if (flags.quiet || flags.format === 'json') return 0;
  if (servers.length === 0) say(emptyReason(pattern, flags));
  if (serverless.length > 0) say(`without servers of their own: ${serverless.join(', ')}`);
  return 0;
}

async function askRegistry(cwd: string, { refresh = false, quiet }: ListFlags) {
  const { remotePacks } = await import('../../runtime/packs/remote-packs.js');
  const { npmRegistry, sayAsking } = await import('../programs/npm-client.js');
  const { withCache } = await import('./remote-cache.js');
  const registry = withCache(npmRegistry(cwd, quiet ? {} : { asking: sayAsking }), {
    project: cwd,
    refresh,
    now: Date.now(),
  });
  const { packs, warnings } = await remotePacks(registry);
  registry.save();
  return { packs, warnings: [...registry.warnings, ...warnings] };
}

/** The built-in tools by their tags: nobody has a file to look them up in. */
function printBuiltIn(tag: string | undefined, paint: Paint): string {
  const { tags } = readOutline(nodeFolder(builtinPack()), { withTags: true });
  const groups = Object.entries(tags?.tool ?? {}).filter(([name]) => tag === undefined || name === tag);
  const width = Math.max(...groups.map(([name]) => name.length));
  const lines = groups.map(([name, tools]) => `  ${paint.dim(name.padEnd(width))}  ${tools.join(', ')}\n`);
  return `\nbuilt-in tools (toolwright inspect pack-development shows them in full)\n${lines.join('')}`;
}

function say(text: string): void {
  process.stderr.write(`toolwright: ${visible(text)}\n`);
}

function emptyReason(pattern: string | undefined, { all, builtin, remote, tag }: ListFlags): string {
  const among = pattern === undefined ? '' : ` that matches "${pattern}"`;
  if (tag !== undefined) return `no server${among} serves anything with the tag "${tag}"`;
  if (pattern !== undefined) return `no server matches "${pattern}"; a pattern must match the whole name, as in acme/*`;
  const more = [all ? [] : '--all', builtin ? [] : '--builtin', remote ? [] : '--remote'].flat();
  const hint = more.length === 0 ? '' : `; try ${more.join(', ')} to look further`;
  return `no servers in this project or in its installed packs${hint}`;
}

// In: listed servers. Out: a table for people, in which nothing of what packs say can steer the terminal.

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
    text: ({ name, isDefault }) => (isDefault ? `${name} (default)` : name),
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
    const reached = (server.reaches ?? []).map(one => `  ${paint.dim(visible(one))}`);
    return [line(painted).trimEnd(), ...reached, ...reason];
  });
  return `${[line(head), ...lines].join('\n')}\n`;
}
