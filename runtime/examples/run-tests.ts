// In: tests and a way to connect to the server. Out: what became of each, in order, told as soon as it is known.
import { diagnose } from '../../schema/diagnostics.js';
import { NoAnswer, type TestCase, type TestResult, type TestSession, titleOf, type Verdict } from './test-case.js';

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
