// In: what an example promises and what the server answered. Out: whether the promise is kept.
import type { Example } from '../../../schema/definitions.js';
import { diagnose } from '../../../schema/diagnostics.js';
import { isMap, type Locator, type Path, printPath } from '../../../schema/document.js';
import { printViolations, type ValueCheck } from '../../../schema/json-schema/values.js';
import { equal } from '../../../schema/support/values.js';
import { errorKey } from '../../call/failure.js';
import { protocolCodes } from '../../call/protocol-error.js';
import type { Wire } from '../../packs/list-entries.js';
import type { Answer, Failed, Verdict } from './run-tests.js';

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
export const untried: readonly string[] = ['CONFIG_MISSING', 'CAPABILITY_MISSING', 'IDENTITY_MISSING'];

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
  return code === 'CONFIG_MISSING' ? `${message}; tests read it from the environment, .env.test or .env` : message;
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
  const differences = compareValues(expected, actual);
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
    if (keys === undefined) return `content[${index}] has an unknown type`;
    const missing = keys.find(key => (block as Wire)[key] === undefined);
    if (missing !== undefined) return `content[${index}] has no ${missing}`;
  }
  return undefined;
}

/**
 * A string is held against the text; anything else against the structured data, where there is none against the text as JSON,
 * and a list of content blocks against the content.
 *
 * @example readResult({ content: [{ type: 'text', text: '3' }] }, 3) // 3
 */
export function readResult({ content, structuredContent }: Wire, expected: unknown): unknown {
  const blocks = Array.isArray(content) ? content.filter(isMap) : [];
  const text = textOfContent(blocks);
  if (typeof expected === 'string' && text !== undefined) return text;
  if (structuredContent !== undefined) return Array.isArray(expected) ? listIn(structuredContent) : structuredContent;
  if (blocks.length === 0) return null;
  const isAboutContent = Array.isArray(expected) && expected.some(one => isMap(one) && typeof one['type'] === 'string');
  if (text === undefined || isAboutContent) return content;
  return asJson(text);
}

/** A handler's list without an output schema goes out as `{ items: [...] }`. */
function listIn(data: unknown): unknown {
  return isMap(data) && Array.isArray(data['items']) && Object.keys(data).length === 1 ? data['items'] : data;
}

/**
 * A string is held against the texts of all messages, a list against the messages, a map against the whole result.
 *
 * @example readPrompt({ messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }] }, 'Hi') // 'Hi'
 */
export function readPrompt(result: Wire, expected: unknown): unknown {
  const { messages, description } = result;
  if (typeof expected === 'string') {
    const contents = Array.isArray(messages) ? messages.map(one => (isMap(one) ? one['content'] : undefined)) : [];
    return textOfContent(contents.filter(isMap)) ?? messages;
  }
  if (Array.isArray(expected)) return messages;
  return { ...(description === undefined ? {} : { description }), messages };
}

/** Undefined where something else than text is among the blocks. */
function textOfContent(blocks: readonly Wire[]): string | undefined {
  if (blocks.length === 0 || !blocks.every(({ type }) => type === 'text')) return undefined;
  return blocks.map(({ text }) => String(text)).join('\n');
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A place where two JSON values differ; a side without the value is absent. */
export interface Difference {
  readonly path: Path;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** Nobody reads more of them. */
const mostDifferences = 100;

/**
 * Compares JSON values; the order of keys does not count.
 *
 * @example compareValues({ a: 1, b: 2 }, { a: 1 }) // [{ path: ['b'], expected: 2 }]
 */
export function compareValues(expected: unknown, actual: unknown): readonly Difference[] {
  const found: Difference[] = [];
  visit(expected, actual, [], found);
  return found;
}

function visit(expected: unknown, actual: unknown, path: Path, found: Difference[]): void {
  if (found.length === mostDifferences || equal(expected, actual)) return;
  if (isMap(expected) && isMap(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      visitMember(expected, actual, key, path, found);
    }
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
      visitMember(expected, actual, index, path, found);
    }
  } else found.push({ path, expected, actual });
}

function visitMember(expected: object, actual: object, step: string | number, path: Path, found: Difference[]): void {
  const here = [...path, step];
  const isExpected = Object.hasOwn(expected, step);
  const isThere = Object.hasOwn(actual, step);
  const [before, after] = [expected, actual].map(side => (side as Record<string | number, unknown>)[step]);
  if (isExpected && isThere) visit(before, after, here, found);
  else if (found.length < mostDifferences) {
    found.push({ path: here, ...(isExpected ? { expected: before } : {}), ...(isThere ? { actual: after } : {}) });
  }
}

const longestShown = 120;

/** `status is "open", not "closed"; labels[1] is missing`, cut after a few. */
export function printDifferences(differences: readonly Difference[]): string {
  const lines = differences.slice(0, 3).map(printDifference);
  const further = differences.length - lines.length;
  return [...lines, ...(further > 0 ? [`and ${further} more`] : [])].join('; ');
}

function printDifference(difference: Difference): string {
  const { path, expected, actual } = difference;
  const where = path.length === 0 ? 'it' : printPath(path);
  if (!Object.hasOwn(difference, 'actual')) return `${where} is missing`;
  if (!Object.hasOwn(difference, 'expected')) return `${where} is not expected`;
  return `${where} is ${printShort(actual)}, not ${printShort(expected)}`;
}

function printShort(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}...`;
}
