// In: what became of tests. Out: a report: text for people, JSON for programs, JUnit for CI, annotations for GitHub.
import type { Diagnostic } from '../../schema/diagnostics.js';
import { formatDiagnostics } from '../../schema/print/diagnostics.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { colors } from '../pack/pack-command.js';
import { printDifference } from '../pack/print-difference.js';
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

export interface Printing {
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

type Colors = ReturnType<typeof colors>;

function printText(report: TestReport, { frame, flags }: Printing): string {
  const { tests, diagnostics, untested, durationMs } = report;
  const paint = colors(flags);
  if (diagnostics.length > 0) return frame(diagnostics);
  const failed = tests.filter(one => one.status === 'failed');
  const failures = failed.map(one => printFailure(one, frame, paint));
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

function printServer(server: string | undefined, { tests, pack }: TestReport, paint: Colors): readonly string[] {
  const own = tests.filter(one => one.server === server);
  const items = groupTests(own);
  const head = server === undefined ? 'not served' : `${visible(pack ?? '')}/${visible(server)}`;
  return [paint.bold(head), ...[...items.values()].flatMap(group => printItem(group, paint))];
}

function groupTests(tests: readonly ServerTest[]): ReadonlyMap<string, readonly ServerTest[]> {
  const groups = new Map<string, ServerTest[]>();
  for (const one of tests) {
    const key = `${one.kind} ${one.item}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}

/** One line for an item in which all is well, else one more for each test that is not. */
function printItem(group: readonly ServerTest[], paint: Colors): readonly string[] {
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
  paint: Colors,
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
