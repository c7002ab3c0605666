// In: what an example promises and what the server answered. Out: whether the promise is kept.
import type { Example } from '../../schema/definitions.js';
import { diagnose } from '../../schema/diagnostics.js';
import { isMap, type Locator, type Path } from '../../schema/document.js';
import { printViolations, type ValueCheck } from '../../schema/json-schema/values.js';
import { errorKey } from '../call/failure.js';
import { protocolCodes } from '../call/protocol-problem.js';
import type { Wire } from '../packs/list-entries.js';
import { compare, printDifferences, printShort } from './compare.js';
import { readPrompt, readResult } from './read-answer.js';
import type { Answer, Failed, Verdict } from './test-case.js';

/** An example, where it is written, and what it is called in messages. */
export interface Expectation {
  readonly test: string;
  readonly example: Example;
  readonly at: Locator;
  /** Of the example, inside the definition. */
  readonly path: Path;
  /** What the server asked the user that nobody could answer. */
  readonly unanswered: string | undefined;
}

/** Errors that say that the tool could not be tried, not that it is wrong. */
const untried = ['CONFIG_MISSING', 'CAPABILITY_MISSING'];

interface Failure {
  readonly code: string;
  readonly message: string;
}

export async function judgeTool(
  answer: Answer,
  expectation: Expectation,
  checkOutput: ValueCheck | undefined,
): Promise<Verdict> {
  const failure = failureOf(answer);
  const early = judgeFailure(failure, expectation);
  if (early !== undefined) return early;
  const result = 'result' in answer ? answer.result : {};
  if (expectation.unanswered !== undefined) return unansweredOf(expectation.unanswered);
  const fault = faultOf(result);
  if (fault !== undefined) return wrongOutput(expectation, fault, []);
  const { structuredContent } = result;
  if (checkOutput !== undefined) {
    const violations = await checkOutput(structuredContent);
    if (violations.length > 0) {
      const reason = `it does not fit the output schema: ${printViolations(violations)}`;
      return { ...wrongOutput(expectation, reason, []), actual: structuredContent };
    }
  }
  return judgeOutput(expectation, expected => readResult(result, expected));
}

export function judgePrompt(answer: Answer, expectation: Expectation): Verdict {
  const early = judgeFailure(failureOf(answer), expectation);
  if (early !== undefined) return early;
  if (expectation.unanswered !== undefined) return unansweredOf(expectation.unanswered);
  const result = 'result' in answer ? answer.result : {};
  return judgeOutput(expectation, expected => readPrompt(result, expected));
}

/** The test client has no settings of its own: anyone who writes the tests has to know where they come from. */
export function whyUntried({ code, message }: Pick<Failure, 'code' | 'message'>): string {
  return code === 'CONFIG_MISSING' ? `${message}; tests read it from the environment or .env.test` : message;
}

/** The verdict where an error came or was expected; undefined where a result is to be looked at. */
function judgeFailure(failure: Failure | undefined, expectation: Expectation): Verdict | undefined {
  const { test, example, at, path } = expectation;
  const { error: wanted } = example;
  if (failure === undefined) {
    if (wanted === undefined) return undefined;
    if (expectation.unanswered !== undefined) return unansweredOf(expectation.unanswered);
    const site = at.site([...path, 'error'], 'value');
    const diagnostic = diagnose('test/wrong-error', { test, reason: `it succeeds, but ${wanted} is expected` }, site);
    return { status: 'failed', diagnostic, expected: { error: wanted } };
  }
  if (failure.code === wanted) return { status: 'passed' };
  if (untried.includes(failure.code)) return { status: 'skipped', reason: whyUntried(failure) };
  if (expectation.unanswered !== undefined) return unansweredOf(expectation.unanswered);
  const shown = `${failure.code}: ${failure.message}`;
  if (wanted === undefined) {
    const site = at.site(path);
    return {
      status: 'failed',
      diagnostic: diagnose('test/unexpected-error', { test, reason: shown }, site),
      actual: { error: failure.code },
    };
  }
  const reason = `it gives ${shown}, but ${wanted} is expected`;
  const diagnostic = diagnose('test/wrong-error', { test, reason }, at.site([...path, 'error'], 'value'));
  return { status: 'failed', diagnostic, expected: { error: wanted }, actual: { error: failure.code } };
}

function judgeOutput(expectation: Expectation, read: (expected: unknown) => unknown): Verdict {
  const { example } = expectation;
  if (!Object.hasOwn(example, 'output')) return { status: 'passed' };
  const { output: expected } = example;
  const actual = read(expected);
  const differences = compare(expected, actual);
  if (differences.length === 0) return { status: 'passed' };
  const [first] = differences;
  const verdict = wrongOutput(expectation, printDifferences(differences), first?.path ?? []);
  return { ...verdict, expected, actual, differences };
}

function wrongOutput({ test, at, path, example }: Expectation, reason: string, inside: Path): Failed {
  const base = Object.hasOwn(example, 'output') ? [...path, 'output'] : path;
  const site = at.site([...base, ...inside], inside.length > 0 ? 'value' : 'key');
  return { status: 'failed', diagnostic: diagnose('test/wrong-output', { test, reason }, site) };
}

function unansweredOf(question: string): Verdict {
  return { status: 'skipped', reason: `it asks the user, and an example has no answer: ${question}` };
}

/** The error of a call: of a tool in its result, of anything else in place of one. */
export function failureOf(answer: Answer): Failure | undefined {
  if ('problem' in answer) {
    const { code, message, data } = answer.problem;
    if (isMap(data) && typeof data['code'] === 'string') return { code: data['code'], message };
    return { code: code === protocolCodes.invalidParams ? 'BAD_ARGUMENTS' : String(code), message };
  }
  const { isError, _meta: meta, content } = answer.result;
  if (isError !== true) return undefined;
  const wire = isMap(meta) ? meta[errorKey] : undefined;
  if (isMap(wire)) return { code: String(wire['code']), message: String(wire['message']) };
  return { code: 'TOOL_ERROR', message: printShort(content) };
}

const contentKeys: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource: ['resource'],
  resource_link: ['uri', 'name'],
};

/** What would keep a client from reading the result. */
function faultOf({ content, structuredContent }: Wire): string | undefined {
  if (!Array.isArray(content)) return 'its content is not a list';
  if (structuredContent !== undefined && !isMap(structuredContent)) return 'its structured content is not an object';
  for (const [index, block] of content.entries()) {
    const keys = isMap(block) && typeof block['type'] === 'string' ? contentKeys[block['type']] : undefined;
    if (keys === undefined) return `content[${index}] is of no known type`;
    const missing = keys.find(key => (block as Wire)[key] === undefined);
    if (missing !== undefined) return `content[${index}] has no ${missing}`;
  }
  return undefined;
}
