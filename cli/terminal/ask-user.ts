// In: a question of a tool. Out: what the person at the terminal answers. Talks on stderr: stdout is for the result.
import { createInterface } from 'node:readline';
import { isMap } from '../../schema/document.js';
import { visible } from '../../schema/print/visible.js';
import type { ElicitAnswer } from '../../schema/support/mcp/client.js';

type Params = Readonly<Record<string, unknown>>;

/** Questions come one after the other, from whichever caller. */
export function createAskUser(signal: AbortSignal): (params: Params) => Promise<ElicitAnswer> {
  let lines: AsyncIterator<string> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return params => {
    lines ??= readLines(signal);
    const question = asQuestion(lines);
    const answer = last.then(() => ask(params, question));
    last = answer.catch(() => undefined);
    return answer;
  };
}

/**
 * One reader for all questions: what is typed ahead is the answer of the next one. The terminal itself edits lines: if Node did, an
 * end of input from before the first question would be lost, and the question would wait for ever.
 */
function readLines(signal: AbortSignal): AsyncIterator<string> {
  return createInterface({ input: process.stdin, terminal: false, signal })[Symbol.asyncIterator]();
}

/** The end of input takes the question back. */
class Cancelled extends Error {}

function asQuestion(lines: AsyncIterator<string>): Question {
  return async prompt => {
    process.stderr.write(prompt);
    const { done, value } = await lines.next();
    if (done === true) {
      process.stderr.write('\n');
      throw new Cancelled();
    }
    return value;
  };
}

async function ask(params: Params, question: Question): Promise<ElicitAnswer> {
  try {
    process.stderr.write(`${printLines(String(params['message'] ?? ''))}\n`);
    return typeof params['url'] === 'string'
      ? await askToVisit(params['url'], question)
      : await askForm(params['requestedSchema'], question);
  } catch (error) {
    if (error instanceof Cancelled) return { action: 'cancel' };
    throw error;
  }
}

type Question = (text: string) => Promise<string>;

async function askToVisit(url: string, question: Question): Promise<ElicitAnswer> {
  const answer = await question(`Open ${visible(url)}\nDone? [y/N] `);
  return /^y/i.test(answer.trim()) ? { action: 'accept', content: {} } : { action: 'decline' };
}

async function askForm(schema: unknown, question: Question): Promise<ElicitAnswer> {
  const properties = isMap(schema) && isMap(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = isMap(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
  if (properties.length === 0) {
    const answer = await question('[y/N] ');
    return /^y/i.test(answer.trim()) ? { action: 'accept', content: {} } : { action: 'decline' };
  }
  process.stderr.write('(a single - declines)\n');
  const content: Record<string, unknown> = {};
  for (const [name, field] of properties) {
    const answer = await askField(name, isMap(field) ? field : {}, required.includes(name), question);
    if (answer === decline) return { action: 'decline' };
    if (answer !== undefined) content[name] = answer;
  }
  return { action: 'accept', content };
}

const decline = Symbol('decline');

async function askField(name: string, field: Params, isRequired: boolean, question: Question): Promise<unknown> {
  const { default: preset } = field;
  const choices = choicesOf(field);
  const notes = [
    ...(typeof field['description'] === 'string' ? [printLines(field['description'])] : []),
    ...(choices.length === 0 ? [] : [choices.map(({ label }, index) => `${index + 1}) ${visible(label)}`).join('  ')]),
  ];
  const title = typeof field['title'] === 'string' ? field['title'] : name;
  const shown = preset === undefined ? (isRequired ? '' : ' (optional)') : ` [${visible(JSON.stringify(preset))}]`;
  const prompt = `${notes.length === 0 ? '' : `${notes.join('\n')}\n`}${visible(title)}${shown}: `;
  for (;;) {
    const typed = (await question(prompt)).trim();
    if (typed === '-') return decline;
    if (typed === '') {
      if (preset !== undefined || !isRequired) return preset;
      continue;
    }
    const value = readField(typed, field, choices);
    if (value !== undefined) return value;
    process.stderr.write(`${expectationOf(field, choices)}\n`);
  }
}

interface Choice {
  readonly value: unknown;
  readonly label: string;
}

/** `enum`, `oneOf` with titles, and the same inside a list. */
function choicesOf(field: Params): readonly Choice[] {
  const inner = field['type'] === 'array' && isMap(field['items']) ? field['items'] : field;
  const named = inner['oneOf'] ?? inner['anyOf'];
  if (Array.isArray(named)) {
    return named.filter(isMap).map(one => ({ value: one['const'], label: String(one['title'] ?? one['const']) }));
  }
  const names = Array.isArray(inner['enumNames']) ? inner['enumNames'] : [];
  const values = Array.isArray(inner['enum']) ? inner['enum'] : [];
  return values.map((value, index) => ({ value, label: String(names[index] ?? value) }));
}

function readField(typed: string, field: Params, choices: readonly Choice[]): unknown {
  switch (field['type']) {
    case 'array': {
      const chosen = typed.split(',').map(word => choose(word.trim(), choices));
      return chosen.includes(undefined) ? undefined : chosen;
    }
    case 'boolean':
      return /^(y|yes|true)$/i.test(typed) ? true : /^(n|no|false)$/i.test(typed) ? false : undefined;
    case 'integer':
      return /^[+-]?\d+$/.test(typed) ? Number(typed) : undefined;
    case 'number':
      return Number.isFinite(Number(typed)) ? Number(typed) : undefined;
    default:
      return choices.length === 0 ? typed : choose(typed, choices);
  }
}

/** By number, value or label. */
function choose(typed: string, choices: readonly Choice[]): unknown {
  const same = choices.find(({ value, label }) => typed === String(value) || typed === label);
  return (same ?? choices[Number(typed) - 1])?.value;
}

function expectationOf({ type }: Params, choices: readonly Choice[]): string {
  if (choices.length > 0) return `Please choose from 1 to ${choices.length}${type === 'array' ? ', with commas' : ''}.`;
  return type === 'boolean'
    ? 'Please answer yes or no.'
    : `Please type ${type === 'integer' ? 'an integer' : 'a number'}.`;
}

function printLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}
