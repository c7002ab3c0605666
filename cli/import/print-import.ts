// In: what an import did, or would do. Out: the text for people, or JSON.

import type { FileChange } from '../../generator/author/change-book.js';
import type { FileOp } from '../../generator/compile/reconcile.js';
import type { ItemReport, ItemState } from '../../generator/import/import-plan.js';
import { type Diagnostic, hasErrors } from '../../schema/diagnostics.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { operationOf } from '../generate/author-report.js';
import { operationsOf } from '../generate/generate.js';
import { colors, type Paint, printDiagnostics, rebaseDiagnostics, rebasePath } from '../pack/pack-command.js';
import type { ImportFlags } from './flags.js';
import type { Done } from './import.js';

export interface ImportView {
  readonly done: readonly Done[];
  readonly changes: readonly FileChange[];
  readonly diagnostics: readonly Diagnostic[];
  readonly isApplied: boolean;
  /** There was no pack before. */
  readonly isNew: boolean;
  readonly generated: readonly FileOp[];
  readonly target: string;
  readonly cwd: string;
}

/** More rows than this are counted instead, unless the table is what was asked for. */
const mostRows = 40;
/** Above it, most models choose worse, and every conversation pays for the list. */
const manyTools = 60;

export function printImport(view: ImportView, flags: ImportFlags): string {
  const diagnostics = rebase(view);
  const { done, changes, isApplied, target, cwd } = view;
  const ok = !hasErrors(diagnostics) && (flags.check !== true || changes.length === 0);
  if (flags.format === 'json') {
    const operations = [
      ...changes.map(operationOf),
      ...operationsOf(view.generated).map(({ op, path }) => ({ op, path })),
    ];
    const pack = rebasePath('.', target, cwd);
    return `${visibleJson({ ok, applied: isApplied, pack, sources: done.map(toJson), operations, diagnostics })}\n`;
  }
  const found = diagnostics.length === 0 ? '' : printDiagnostics(diagnostics, flags, cwd, foldersOf(view));
  if (flags.format !== 'text') return found;
  if (flags.quiet) return ok ? '' : found;
  const isTable = flags.dryRun === true || flags.check === true;
  const summaries = done.map(one => printSource(one, { paint: colors(flags), isTable }));
  return `${found}${summaries.join('')}${printEnd(view, flags)}`;
}

/** Places in the pack and in files are shown from where people are; addresses and servers are as they are. */
function rebase({ diagnostics, target, cwd, done }: ImportView): readonly Diagnostic[] {
  const servers = new Set(done.map(({ opened }) => opened.server));
  return diagnostics.map(one =>
    /^https?:/.test(one.file) || servers.has(one.file) ? one : (rebaseDiagnostics([one], target, cwd)[0] ?? one),
  );
}

/** Code frames show the pack and the document, and nothing else. */
function foldersOf({ target, done }: ImportView): readonly string[] {
  return [target, ...done.flatMap(({ opened: { folder } }) => (folder === undefined ? [] : [folder]))];
}

function toJson({ opened: { of, what, total, imported }, plan: { source, items }, address }: Done): object {
  return {
    name: source,
    address,
    of,
    what,
    total,
    leftOut: imported?.leftOut ?? [],
    items: items.map(({ kind, name, state, from, file, was, updated, kept, conflicts, reason }) => ({
      kind,
      name,
      state,
      from,
      file,
      was,
      updated: updated.map(({ field }) => field),
      kept: kept.map(({ field }) => field),
      conflicts: conflicts.map(({ field, ours, theirs }) => ({ field, ours, theirs })),
      reason,
    })),
  };
}

interface Look {
  readonly paint: Paint;
  readonly isTable: boolean;
}

function printSource({ opened, plan }: Done, { paint, isTable }: Look): string {
  const { imported, of, total, what } = opened;
  // Nothing was compared.
  if (imported === undefined || (plan.record === undefined && plan.items.length === 0)) return '';
  const count = imported.items.filter(({ kind }) => kind !== 'schema').length;
  // Captures under other flags list other entries.
  const counted =
    of === 'document'
      ? `${amount(count)} of ${amount(total)} operations`
      : `${amount(count)} ${count === 1 ? 'entry' : 'entries'}`;
  const head = `${paint.bold(visible(imported.title ?? imported.name))} (${what}): ${counted}\n`;
  const news = plan.items.filter(({ state }) => state !== 'unchanged');
  // What stopped the import may be in none of the items.
  if (news.length === 0 && hasErrors(plan.diagnostics)) return head;
  if (news.length === 0) return `${head}  ${unchanged(plan.items)}\n`;
  const rows = isTable || news.length <= mostRows ? printRows(news, paint) : '';
  return `${head}${rows}${printCounts(plan.items, paint)}`;
}

function unchanged(items: readonly ItemReport[]): string {
  const count = items.filter(({ kept }) => kept.length > 0).length;
  if (count === 0) return 'everything is as it was imported';
  return `nothing is new there; ${plural(count, 'item')} ${count === 1 ? 'stays as it was' : 'stay as they were'} changed here`;
}

const words: Readonly<Record<ItemState, string>> = {
  created: 'create',
  updated: 'update',
  unchanged: 'unchanged',
  adopted: 'adopt',
  conflict: 'conflict',
  restored: 'restore',
  deleted: 'deleted here',
  own: 'own',
  removed: 'gone there',
  'not-chosen': 'not chosen',
  'left-out': 'left out',
  pruned: 'delete',
};

function printRows(items: readonly ItemReport[], paint: Paint): string {
  const rows = items.map(item => ({
    item,
    state: words[item.state],
    name: visible(`${item.kind} ${item.name}`),
    place: visible(item.from.place),
  }));
  const width = (key: 'state' | 'name' | 'place'): number =>
    Math.min(48, Math.max(...rows.map(row => row[key].length)));
  const widths = { state: width('state'), name: width('name'), place: width('place') };
  return rows
    .map(({ item, state, name, place }) => {
      const first = colorOf(item.state, paint)(state.padEnd(widths.state));
      const cells = `${first}  ${name.padEnd(widths.name)}  ${paint.dim(place.padEnd(widths.place))}`;
      return `  ${`${cells}  ${visible(detail(item))}`.trimEnd()}\n`;
    })
    .join('');
}

function colorOf(state: ItemState, paint: Paint): (text: string) => string {
  if (state === 'created' || state === 'restored' || state === 'adopted') return paint.green;
  if (state === 'updated') return paint.yellow;
  return state === 'conflict' || state === 'pruned' || state === 'removed' ? paint.red : paint.dim;
}

function detail(item: ItemReport): string {
  const { updated, kept, conflicts, was, called, reason } = item;
  const parts = [
    ...(conflicts.length > 0 ? [plural(conflicts.length, 'conflict')] : []),
    ...(updated.length > 0 ? [`${plural(updated.length, 'field')} from the source`] : []),
    ...(kept.length > 0 ? [`${kept.length} of yours kept`] : []),
    ...(was === undefined ? [] : [`was ${was.id ?? was.place}`]),
    ...(called === undefined ? [] : [`called ${called} there`]),
    ...(reason === undefined ? [] : [reason]),
    ...(isForHandler(item) ? ['look at its handler, too'] : []),
  ];
  return parts.join(', ');
}

/** It was ejected, and has other arguments now, of which only its author can make something. */
function isForHandler({ updated, kept }: ItemReport): boolean {
  const isEjected = kept.some(
    ({ path: [key, ...below], ours }) => key === 'http' && below.length === 0 && ours === undefined,
  );
  return isEjected && updated.some(({ path }) => path[0] === 'inputSchema');
}

/** `create 20 tools, 4 schemas` */
function printCounts(items: readonly ItemReport[], paint: Paint): string {
  const states = [...new Set(items.map(({ state }) => state))];
  const lines = states.map(state => {
    const kinds = new Map<string, number>();
    for (const item of items) if (item.state === state) kinds.set(item.kind, (kinds.get(item.kind) ?? 0) + 1);
    const counted = [...kinds].map(([kind, count]) =>
      kind === 'config' ? plural(count, 'setting') : plural(count, kind),
    );
    return `  ${colorOf(state, paint)(words[state])} ${counted.join(', ')}\n`;
  });
  return lines.join('');
}

function printEnd({ done, changes, isApplied, diagnostics, target, cwd }: ImportView, flags: ImportFlags): string {
  const tools = done.reduce(
    (sum, { plan }) => sum + plan.items.filter(({ kind, state }) => kind === 'tool' && isServed.has(state)).length,
    0,
  );
  const lines: string[] = [];
  if (tools > manyTools && (flags.dryRun === true || isApplied)) lines.push(costOf(tools, done));
  const files = plural(changes.length, 'file');
  if (flags.check === true && changes.length > 0) lines.push(`An import would change ${files}: run toolwright import`);
  else if (flags.dryRun === true && changes.length > 0 && !hasErrors(diagnostics))
    lines.push(`Nothing is written; an import would change ${files} in ${rebasePath('.', target, cwd)}`);
  else if (isApplied) lines.push(`${files} written to ${rebasePath('.', target, cwd)}`);
  else if (hasErrors(diagnostics)) lines.push('Nothing is written.');
  return lines.map(line => `${line}\n`).join('');
}

const isServed: ReadonlySet<ItemState> = new Set(['created', 'updated', 'unchanged', 'adopted', 'restored', 'own']);

/** Four characters are about a token. */
function costOf(tools: number, done: readonly Done[]): string {
  const listed = done
    .flatMap(({ opened: { imported } }) => imported?.items ?? [])
    .filter(({ kind }) => kind === 'tool');
  const size = listed.reduce(
    (sum, { definition: { title, description, inputSchema } }) =>
      sum + JSON.stringify([title, description, inputSchema]).length,
    0,
  );
  const canChoose = done.some(({ opened: { of } }) => of === 'document');
  const advice = `${canChoose ? '--only, --tag and --path choose, and ' : ''}a server can list a part of them`;
  return `${amount(tools)} tools are about ${amount(Math.round(size / 4000) * 1000)} tokens of context in every conversation: ${advice}`;
}

function plural(count: number, noun: string): string {
  return `${amount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** @example amount(1186) // '1,186' */
function amount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
