// In: what became of tests. Out: a report: text for people, JSON for programs, JUnit for CI, annotations for GitHub.
import type { Diagnostic } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { groupBy } from '../../schema/group-by.js';
import { formatDiagnostics } from '../../schema/print/diagnostics.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { colors, type Paint } from '../pack/pack-command.js';
import type { CommonFlags } from '../terminal/flags.js';
import { printJunit } from './print-junit.js';
import type { ServerTest } from './test-server.js';

export type Reporter = 'text' | 'json' | 'junit' | 'github';

export interface TestReport {
  readonly ok: boolean;
  readonly pack: string | null;
  readonly version: string | null;
  /** Of broken manifests: then nothing was run. */
  readonly diagnostics: readonly Diagnostic[];
  readonly durationMs: number;
  readonly tests: readonly ServerTest[];
  /** Items without any example. */
  readonly untested: readonly string[];
}

interface Printing {
  /** Diagnostics with their code frames. */
  frame(diagnostics: readonly Diagnostic[]): string;
  readonly flags: CommonFlags;
}

export function printReport(report: TestReport, reporter: Reporter, printing: Printing): string {
  switch (reporter) {
    case 'text':
      return printText(report, printing);
    case 'json':
      return `${visibleJson(toJson(report))}\n`;
    case 'junit':
      return printJunit(report);
    case 'github':
      return formatDiagnostics(failuresOf(report), { format: 'github', textOf: () => undefined });
    default:
      return reporter satisfies never;
  }
}

function failuresOf({ diagnostics, tests }: TestReport): readonly Diagnostic[] {
  return [...diagnostics, ...tests.flatMap(one => (one.status === 'failed' ? [one.diagnostic] : []))];
}

export function countTests(tests: readonly ServerTest[]): Readonly<Record<ServerTest['status'], number>> {
  const count = (status: ServerTest['status']): number => tests.filter(one => one.status === status).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

function toJson({ ok, pack, version, diagnostics, durationMs, tests, untested }: TestReport): object {
  return {
    ok,
    pack,
    version,
    counts: countTests(tests),
    durationMs: round(durationMs),
    tests: tests.map(test => {
      const { server, kind, item, check, title, site, status, log } = test;
      const { file, line, column } = test.status === 'failed' ? test.diagnostic : site;
      return {
        ...{ server: server ?? null, kind, item, check, title, status, durationMs: round(test.durationMs) },
        ...{ file, line, column },
        ...(test.status === 'skipped' ? { reason: test.reason } : {}),
        ...(test.status === 'failed' ? failureToJson(test) : {}),
        ...(log === undefined ? {} : { log }),
      };
    }),
    untested,
    diagnostics,
  };
}

function failureToJson(test: ServerTest & { readonly status: 'failed' }): object {
  const { code, message, hint } = test.diagnostic;
  return {
    ...{ code, message },
    ...(hint === undefined ? {} : { hint }),
    ...(Object.hasOwn(test, 'expected') ? { expected: test.expected } : {}),
    ...(Object.hasOwn(test, 'actual') ? { actual: test.actual } : {}),
  };
}

function printText(report: TestReport, { frame, flags }: Printing): string {
  const { tests, diagnostics, untested, durationMs } = report;
  const paint = colors(flags);
  if (diagnostics.length > 0) return frame(diagnostics);
  const failed = tests.filter(one => one.status === 'failed');
  const told = failed.filter(({ isRepeated }) => isRepeated !== true);
  const others = failed.length - told.length;
  const failures = [
    ...told.map(one => printFailure(one, frame, paint)),
    ...(others === 0 ? [] : [`${others} more ${others === 1 ? 'test' : 'tests'} did not run, for the same reason`]),
  ];
  if (flags.quiet) return failures.map(one => `${one}\n`).join('\n');
  const { passed, skipped } = countTests(tests);
  const counts = [
    paint.green(`${passed} passed`),
    ...(failed.length === 0 ? [] : [paint.red(`${failed.length} failed`)]),
    ...(skipped === 0 ? [] : [paint.yellow(`${skipped} skipped`)]),
  ].join(', ');
  const servers = [...new Set(tests.map(({ server }) => server))];
  return [
    ...servers.flatMap(server => printServer(server, report, paint)),
    ...(failures.length === 0 ? [] : ['', ...failures.flatMap(one => [one, ''])]),
    `${tests.length === 0 ? 'nothing to test' : counts}  ${paint.dim(`${printTime(durationMs)} in all`)}`,
    ...(untested.length === 0 ? [] : [paint.dim(`without examples: ${printNames(untested)}`)]),
    '',
  ].join('\n');
}

const mostNames = 10;

function printNames(names: readonly string[]): string {
  const further = names.length - mostNames;
  return `${names.slice(0, mostNames).map(visible).join(', ')}${further > 0 ? ` and ${further} more` : ''}`;
}

function printServer(server: string | undefined, { tests, pack }: TestReport, paint: Paint): readonly string[] {
  const own = tests.filter(one => one.server === server);
  const items = groupBy(own, ({ kind, item }) => `${kind} ${item}`);
  const head = server === undefined ? 'not served' : `${visible(pack ?? '')}/${visible(server)}`;
  return [paint.bold(head), ...[...items.values()].flatMap(group => printItem(group, paint))];
}

/** One line for an item in which all is well, else one more for each test that is not. */
function printItem(group: readonly ServerTest[], paint: Paint): readonly string[] {
  const [first] = group;
  const { passed, failed, skipped } = countTests(group);
  const mark = failed > 0 ? paint.red('✗') : passed > 0 ? paint.green('✓') : paint.yellow('-');
  const time = printTime(group.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const counts = [
    ...(passed > 0 ? [`${passed} passed`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ');
  const told = new Set<string>();
  const reasons = group.flatMap(one => {
    if (one.status === 'failed') return [`    ${paint.red('✗')} ${visible(one.title)}`];
    if (one.status !== 'skipped') return [];
    // Most tests of an item are skipped for one reason.
    const reason = told.has(one.reason) ? 'for the same reason' : one.reason;
    told.add(one.reason);
    return [`    ${paint.yellow('-')} ${visible(one.title)}: ${visible(reason)}`];
  });
  return [`  ${mark} ${visible(first?.item ?? '')}  ${paint.dim(`${counts}  ${time}`)}`, ...reasons];
}

function printFailure(
  test: ServerTest & { readonly status: 'failed' },
  frame: Printing['frame'],
  paint: Paint,
): string {
  // The count under a single diagnostic says nothing.
  const block = frame([test.diagnostic]).replace(/\n\n[^\n]*\n$/, '');
  const log = test.log === undefined ? [] : ['', paint.dim('the server wrote:'), ...test.log.split('\n').map(indent)];
  return [block, ...(hasBoth(test) ? ['', ...printDifference(test, paint)] : []), ...log].join('\n');
}

function hasBoth(test: object): test is { readonly expected: unknown; readonly actual: unknown } {
  return Object.hasOwn(test, 'expected') && Object.hasOwn(test, 'actual');
}

function indent(line: string): string {
  return `  ${visible(line)}`;
}

function printTime(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}

// In: the value that a test expects and the one that came. Out: lines of JSON, with those that differ marked.

const context = 3;
/** Beyond this the work grows out of hand, and nobody reads it: what is left is shown as replaced. */
const mostLines = 1_000;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** @example printDifference({ expected: { a: 1 }, actual: { a: 2 } }, paint) */
function printDifference(
  { expected, actual }: { readonly expected: unknown; readonly actual: unknown },
  paint: ReturnType<typeof colors>,
): readonly string[] {
  const [before, after] = [expected, inOrderOf(expected, actual)].map(one => visibleJson(one ?? null).split('\n'));
  const lines = diffLines(before ?? [], after ?? []);
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ mark }) => mark !== ' ');
  const shown = lines.flatMap((line, index) => {
    if (isNear(index)) return [`  ${line.mark} ${line.text}`];
    return index > 0 && isNear(index - 1) ? ['    ...'] : [];
  });
  const color = (line: string): string =>
    line.startsWith('  -') ? paint.red(line) : line.startsWith('  +') ? paint.green(line) : line;
  return [`  ${paint.red('- expected')}  ${paint.green('+ actual')}`, ...shown.map(color)];
}

/** By the longest common subsequence of what lies between equal beginnings and ends. */
function diffLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const rest = Math.min(before.length, after.length) - head;
  while (tail < rest && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const same = (lines: readonly string[]): readonly Line[] => lines.map(text => ({ mark: ' ', text }));
  const middle = diffMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  return [...same(before.slice(0, head)), ...middle, ...same(before.slice(before.length - tail))];
}

function diffMiddle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const removed = (text: string): Line => ({ mark: '-', text });
  const added = (text: string): Line => ({ mark: '+', text });
  if (before.length * after.length > mostLines ** 2) return [...before.map(removed), ...after.map(added)];
  const lengths = before.map(() => new Uint32Array(after.length + 1));
  lengths.push(new Uint32Array(after.length + 1));
  const length = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    const row = lengths[i];
    for (let j = after.length - 1; row !== undefined && j >= 0; j--) {
      row[j] = before[i] === after[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, next] = [before[i], after[j]];
    if (old !== undefined && old === next) {
      lines.push({ mark: ' ', text: old });
      i += 1;
      j += 1;
    } else if (old !== undefined && (next === undefined || length(i + 1, j) >= length(i, j + 1))) {
      lines.push(removed(old));
      i += 1;
    } else {
      lines.push(added(next ?? ''));
      j += 1;
    }
  }
  return lines;
}

/** The order of keys does not count, and must not show. */
function inOrderOf(expected: unknown, actual: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return actual.map((one, index) => inOrderOf(expected[index], one));
  }
  if (!isMap(expected) || !isMap(actual)) return actual;
  const keys = [...Object.keys(expected).filter(key => Object.hasOwn(actual, key)), ...Object.keys(actual)];
  return Object.fromEntries([...new Set(keys)].map(key => [key, inOrderOf(expected[key], actual[key])]));
}
