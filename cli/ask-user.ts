// In: a question of a tool. Out: what the person at the terminal answers. Talks on stderr: stdout is for the result.
import { createInterface } from 'node:readline/promises';
import { isMap } from '../schema/document.js';
import { visible } from '../schema/print/visible.js';
import type { ElicitAnswer } from '../schema/support-client.js';

type Params = Readonly<Record<string, unknown>>;

/** Questions come one after the other, whoever asks. */
export function createAskUser(signal: AbortSignal): (params: Params) => Promise<ElicitAnswer> {
  let last: Promise<unknown> = Promise.resolve();
  return params => {
    const answer = last.then(() => ask(params, signal));
    last = answer.catch(() => undefined);
    return answer;
  };
}

async function ask(params: Params, signal: AbortSignal): Promise<ElicitAnswer> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // The end of input takes the question back.
  const closed = new AbortController();
  terminal.once('close', () => closed.abort());
  const question = (text: string): Promise<string> =>
    terminal.question(text, { signal: AbortSignal.any([signal, closed.signal]) });
  try {
    process.stderr.write(`${lines(String(params['message'] ?? ''))}\n`);
    return typeof params['url'] === 'string'
      ? await askToVisit(params['url'], question)
      : await askForm(params['requestedSchema'], question);
  } catch (error) {
    if (closed.signal.aborted || signal.aborted) return { action: 'cancel' };
    throw error;
  } finally {
    terminal.close();
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
    ...(typeof field['description'] === 'string' ? [lines(field['description'])] : []),
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

function lines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}
