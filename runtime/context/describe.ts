// In: a question to the user. Out: what a model needs to read to pass it on.
import type { UserAsk } from './ask.js';
import { choicesOf, type Field } from './field.js';

/** The message, and a line for each field. */
export function describeQuestion({ key, message, form, url }: UserAsk, problem?: string): string {
  const lines = [`Question ${JSON.stringify(key)}: ${message}`];
  if (problem !== undefined) lines.push(`(The last answer did not fit: ${problem}.)`);
  if (url !== undefined) lines.push(`The user must open this page and finish there: ${url}`);
  for (const [name, field] of form?.fields ?? [])
    lines.push(describeField(name, field, form?.required.has(name) === true));
  return lines.join('\n');
}

function describeField(name: string, field: Field, isRequired: boolean): string {
  const facts = [typeOf(field), ...limitsOf(field), isRequired ? 'required' : 'optional'];
  if (field.default !== undefined) facts.push(`default ${JSON.stringify(field.default)}`);
  const words = [field.title, field.description].filter(text => text !== undefined).join('. ');
  return `- ${name} (${facts.join(', ')})${words === '' ? '' : `: ${words}`}`;
}

function typeOf(field: Field): string {
  const choices = choicesOf(field);
  if (choices === undefined) return field.format ?? field.type ?? 'string';
  const listed = choices
    .map(choice => JSON.stringify(choice.const) + (choice.title === undefined ? '' : ` = ${choice.title}`))
    .join(', ');
  return field.type === 'array' ? `a list out of ${listed}` : `one of ${listed}`;
}

function limitsOf(field: Field): readonly string[] {
  const limits: readonly [string, unknown][] = [
    ['at least', field.minimum],
    ['at most', field.maximum],
    ['characters at least', field.minLength],
    ['characters at most', field.maxLength],
    ['choices at least', field.minItems],
    ['choices at most', field.maxItems],
    ['matching', field.pattern],
  ];
  return limits.flatMap(([words, limit]) => (limit === undefined ? [] : [`${words} ${limit}`]));
}

/** The shape of the answer, with types in the place of values. */
export function exampleAnswer({ form }: UserAsk): unknown {
  if (form === undefined || form.fields.size === 0) return 'accept';
  return Object.fromEntries(
    [...form.fields].map(([name, field]) => [
      name,
      field.type === 'array' ? ['<choice>'] : `<${field.type ?? 'string'}>`,
    ]),
  );
}
