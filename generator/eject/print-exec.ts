// B9. In: `exec` of a tool. Out: the code that runs the same program with the same arguments.
import { parseText, placeholdersOf } from '../../schema/backend/text.js';
import type { ExecCall, ExecCondition } from '../../schema/definitions.js';
import { printString } from '../render/code.js';
import {
  orUndefined,
  printData,
  printMember,
  printMembers,
  printParts,
  printText,
  type Values,
} from './expressions.js';
import type { Input } from './inputs.js';
import { around, type Piece } from './layout.js';

export interface ExecScene {
  readonly values: Values;
  /** The argument that a condition names. */
  conditionOf(name: string): Input;
  readonly isTypeScript: boolean;
}

export function printExec(call: ExecCall, scene: ExecScene): Piece {
  const { values } = scene;
  const { command, args, cwd, env, stdin, result, ok } = call;
  const members: readonly (readonly [string, Piece | undefined])[] = [
    ['command', printString(command)],
    ['args', args && { open: '[', close: ']', pieces: args.flatMap(one => printArgument(one, scene)) }],
    ['cwd', cwd === undefined ? undefined : printFolder(cwd, values)],
    ['env', env && printMembers(env, values)],
    ['stdin', stdin === undefined ? undefined : orUndefined(printText(stdin, values))],
    ['result', result === undefined || result === 'text' ? undefined : printString(result)],
    ['ok', ok && printData(ok)],
  ];
  const pieces = members.flatMap(([key, code]) => (code === undefined ? [] : [printMember(key, code)]));
  return around(`await ${values.use('exec')}(`, { open: '{', close: '}', isSpaced: true, pieces }, ', ctx)');
}

function printFolder(cwd: string, values: Values): Piece {
  const { parts } = parseText(cwd);
  const [only] = parts;
  const isLone = parts.length === 1 && only !== undefined && typeof only !== 'string';
  return isLone && values.inputOf(only).kind !== 'string'
    ? printParts(parts, values)
    : orUndefined(printText(cwd, values));
}

function printArgument(one: string | ExecCondition, scene: ExecScene): readonly Piece[] {
  if (typeof one === 'string') return [printWord(one, scene.values, undefined)];
  const input = scene.conditionOf(one.if);
  const words = one.args.map(text => printWord(text, scene.values, input));
  const list = { open: '[', close: ']', pieces: words };
  if (input.kind === 'boolean') return [around(`...(${input.code} ? `, list, ' : [])')];
  const missing = printCondition(input, scene);
  return missing === undefined ? words : [around(`...(${missing} ? [] : `, list, ')')];
}

/** Where an argument is not given, or false; undefined where it always is. */
function printCondition(input: Input, { isTypeScript }: ExecScene): string | undefined {
  const { code, kind } = input;
  const tests = [...missingWhen(input)];
  if (kind === 'any' || kind === 'mixed') {
    // The type may leave no room for a boolean, and compilers would refuse to compare it.
    tests.push(isTypeScript ? `(${code} as unknown) === false` : `${code} === /** @type {unknown} */ (false)`);
  }
  return tests.length === 0 ? undefined : tests.join(' || ');
}

/** What shows that there is no value. */
function missingWhen({ code, isOptional, isNullable }: Input): readonly string[] {
  return [...(isOptional ? [`${code} === undefined`] : []), ...(isNullable ? [`${code} === null`] : [])];
}

/** One element of the list: a word, or as many as a list has. What is absent or null leaves it out. */
function printWord(text: string, values: Values, given: Input | undefined): Piece {
  const { parts } = parseText(text);
  const placeholders = placeholdersOf(parts);
  const [only] = parts;
  if (placeholders.length === 0) return printString(parts.join(''));
  if (parts.length === 1 && only !== undefined && typeof only !== 'string') {
    const input = values.inputOf(only);
    if (input.kind === 'list' || input.kind === 'any') return printList(input, values, input.code === given?.code);
  }
  const inputs = placeholders.map(one => values.inputOf(one)).filter(({ code }) => code !== given?.code);
  const missing = inputs.flatMap(missingWhen);
  const word = printOneWord(text, values, given);
  return missing.length === 0 ? word : `...(${[...new Set(missing)].join(' || ')} ? [] : [${word}])`;
}

function printOneWord(text: string, values: Values, given: Input | undefined): string {
  const { parts } = parseText(text);
  // What has been compared with null is none.
  const present: Values = { ...values, inputOf: one => ({ ...values.inputOf(one), isNullable: false }) };
  const [only] = parts;
  if (parts.length !== 1 || only === undefined || typeof only === 'string') return printParts(parts, present);
  const { code, kind } = values.inputOf(only);
  if (kind === 'string') return code;
  return kind === 'boolean' && code === given?.code ? "'true'" : `String(${code})`;
}

function printList(input: Input, values: Values, isGiven: boolean): string {
  const { name, code, kind, elements, isOptional, isNullable } = input;
  const isSure = isGiven || !(isOptional || isNullable);
  const isPlain = elements !== 'any' && elements !== 'list';
  const toText = isPlain ? '.map(String)' : `.map(one => ${values.use('scalar')}(one, ${printString(name)}))`;
  if (kind === 'any') return `...[${isSure ? code : `${code} ?? []`}].flat()${toText}`;
  const list = isSure ? code : `(${code} ?? [])`;
  return elements === 'string' ? `...${list}` : `...${list}${toText}`;
}
