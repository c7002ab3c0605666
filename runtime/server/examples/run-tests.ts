// In: tests (plan-tests.ts makes them) and a way to connect to the server. Out: what became of each, in order, told as soon as it is
// known.
import { type Diagnostic, diagnose, type Site } from '../../../schema/diagnostics.js';
import type { Wire } from '../../packs/list-entries.js';
import type { Difference } from './judge.js';

export interface TestRun {
  /** A client on a server that answers; a new server where the last one ended. Throws a NoAnswer where none starts. */
  connect(): Promise<TestSession>;
  /** Stops at the first failure. */
  readonly bail?: boolean | undefined;
  /** Something failed before these tests. */
  readonly hasFailed?: boolean | undefined;
  /** Milliseconds that only grow. */
  now(): number;
  onStart?(test: TestCase, index: number): void;
  /** The next test waits for it. */
  onResult?(result: TestResult, index: number): void | Promise<void>;
}

/**
 * Runs tests one after the other: examples may build on what those before them have done.
 *
 * @example const results = await runTests(cases, { connect, now: () => performance.now() });
 */
export async function runTests(
  cases: readonly TestCase[],
  { connect, bail = false, hasFailed = false, now, onStart, onResult }: TestRun,
): Promise<readonly TestResult[]> {
  const results: TestResult[] = [];
  let isBroken = hasFailed;
  for (const [index, test] of cases.entries()) {
    onStart?.(test, index);
    const done = bail && isBroken ? leftOut : await attempt(test, connect, now);
    const { kind, item, check, title, site } = test;
    const result: TestResult = { kind, item, check, title, site, durationMs: done.durationMs, ...done.verdict };
    isBroken ||= result.status === 'failed';
    results.push(result);
    await onResult?.(result, index);
  }
  return results;
}

interface Done {
  readonly verdict: Verdict;
  readonly durationMs: number;
}

const leftOut: Done = {
  verdict: { status: 'skipped', reason: 'an earlier test failed, and --bail stops there' },
  durationMs: 0,
};

/** The start of a server counts for no test. */
async function attempt(test: TestCase, connect: TestRun['connect'], now: TestRun['now']): Promise<Done> {
  let start = now();
  try {
    const session = await connect();
    start = now();
    return { verdict: await test.run(session), durationMs: now() - start };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const params = { test: titleOf(test), reason: error.message };
    const diagnostic = diagnose('test/no-answer', params, test.site);
    return { verdict: { status: 'failed', diagnostic }, durationMs: now() - start };
  }
}

/** What a server answered to a request of the protocol. */
export type Answer =
  | { readonly result: Wire }
  | { readonly problem: { readonly code: number; readonly message: string; readonly data?: unknown } };

/** A client that is connected to the server under test. */
export interface TestSession {
  /** Throws a NoAnswer where the server ends or is silent for too long. */
  request(method: string, params: Wire, options?: { readonly timeoutMs?: number | undefined }): Promise<Answer>;
  /** What the server asked the user during the last request that nobody could answer. */
  unanswered(): string | undefined;
}

/** The server is gone, or does not answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export type Verdict =
  | { readonly status: 'passed' }
  | { readonly status: 'skipped'; readonly reason: string }
  | {
      readonly status: 'failed';
      readonly diagnostic: Diagnostic;
      readonly expected?: unknown;
      readonly actual?: unknown;
      readonly differences?: readonly Difference[];
    };

export type Failed = Extract<Verdict, { readonly status: 'failed' }>;

/** One test of one item. */
export interface TestCase {
  readonly kind: 'tool' | 'prompt' | 'server';
  readonly item: string;
  /** `contract`: what holds for every item; `example`: what the author wrote; `conformance`: what the protocol says. */
  readonly check: 'example' | 'contract' | 'conformance';
  readonly title: string;
  /** Where it is written, relative to the pack. */
  readonly site: Site;
  run(session: TestSession): Promise<Verdict>;
}

export type TestResult = Omit<TestCase, 'run'> & { readonly durationMs: number } & Verdict;

/** `get-issue > an open issue`, as reports and patterns have it. */
export function titleOf({ item, title }: Pick<TestCase, 'item' | 'title'>): string {
  return `${item} > ${title}`;
}
