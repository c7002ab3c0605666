// What a test of a server is, and what becomes of it. Types only: plan-tests.ts makes tests, run-tests.ts runs them.
import type { Diagnostic, Site } from '../../schema/diagnostics.js';
import type { Wire } from '../packs/list-entries.js';
import type { Difference } from './compare.js';

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
