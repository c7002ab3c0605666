// B3. In: `exec` of a tool, and what is known of its arguments. Out: every value that could become an option, code, or the program itself.
import { findLooseArguments, findLostValues } from '../../schema/backend/exec-args.js';
import { findCodeValues } from '../../schema/backend/interpreters.js';
import { parseText, placeholdersOf } from '../../schema/backend/text.js';
import type { ExecCall } from '../../schema/definitions.js';
import { diagnose } from '../../schema/diagnostics.js';
import { asList, isMap } from '../../schema/document.js';
import { findInput, type Input, type Linking, type Raw } from './link-inputs.js';

export function linkProgram(exec: Raw, linking: Linking): void {
  const { at, scope } = linking;
  const { command } = exec;
  // The program is the author's choice alone.
  for (const { tag, nth, of } of placeholdersOf(parseText(typeof command === 'string' ? command : '').parts)) {
    const what = of === 'config' ? 'a setting' : 'an argument';
    const params = { tag, what, place: 'the name of a program' };
    scope.diagnostics.push(diagnose('backend/wrong-place', params, at.find(['exec', 'command'], tag, nth)));
  }
  linkArguments(asList(exec['args']) as NonNullable<ExecCall['args']>, linking);
  for (const { path, placeholder, reason } of findCodeValues(exec)) {
    const { name, tag, nth } = placeholder;
    if (!isAuthors(linking.inputs?.names.get(name)?.schema))
      scope.diagnostics.push(diagnose('backend/code-value', { tag, reason }, at.find(['exec', ...path], tag, nth)));
  }
}

/** Whether the author has listed all values, or they are numbers. */
function isAuthors(schema: Input['schema'] | undefined): boolean {
  const { type, enum: allowed, const: only } = schema ?? {};
  return allowed !== undefined || only !== undefined || type === 'boolean' || type === 'integer' || type === 'number';
}

function linkArguments(args: NonNullable<ExecCall['args']>, linking: Linking): void {
  const { at, scope, inputs, used } = linking;
  const isCondition = (one: unknown): boolean =>
    isMap(one) && typeof one['if'] === 'string' && Array.isArray(one['args']);
  const sound = args.filter(one => typeof one === 'string' || isCondition(one));
  // What is not of this form has its diagnostic already.
  if (sound.length < args.length) return;
  for (const [index, one] of args.entries()) {
    if (typeof one === 'string') continue;
    used.add(one.if);
    findInput(one.if, () => at.site(['exec', 'args', index, 'if']), linking);
  }
  // A name that does not exist has its diagnostic already.
  const isUnknown = (name: string): boolean => inputs?.isOpen === false && !inputs.names.has(name);
  const isSafe = (name: string): boolean => isUnknown(name) || cannotBeOption(inputs?.names.get(name)?.schema);
  for (const { path, placeholder, reason } of findLooseArguments(args, isSafe)) {
    const { tag, nth } = placeholder;
    const site = at.find(['exec', 'args', ...path], tag, nth);
    scope.diagnostics.push(diagnose('backend/loose-argument', { tag, reason }, site));
  }
  for (const { path, placeholder, option } of findLostValues(args, name => canBeAbsent(inputs?.names.get(name)))) {
    const { name, tag, nth } = placeholder;
    const site = at.find(['exec', 'args', ...path], tag, nth);
    scope.diagnostics.push(diagnose('backend/lost-value', { name, option }, site));
  }
}

/** Null counts as absent, and an empty list leaves the word out. */
function canBeAbsent(input: Input | undefined): boolean {
  if (input === undefined) return false;
  const { type, minItems } = input.schema;
  const types = Array.isArray(type) ? asList(type) : [type];
  const isEmptyList = types.includes('array') && !(typeof minItems === 'number' && minItems > 0);
  return input.isOptional === true || types.includes('null') || isEmptyList;
}

/** Whether no value of a parameter begins with a dash. */
function cannotBeOption(schema: Input['schema'] | undefined): boolean {
  if (schema === undefined) return false;
  const { type, minimum, exclusiveMinimum, enum: allowed, const: only } = schema;
  if (Array.isArray(allowed)) return allowed.every(value => !printed(value).startsWith('-'));
  if (only !== undefined) return !printed(only).startsWith('-');
  if (type === 'boolean') return true;
  const least = typeof minimum === 'number' ? minimum : exclusiveMinimum;
  return (type === 'integer' || type === 'number') && typeof least === 'number' && least >= 0;
}

/** Objects have no text worth a look. */
function printed(value: unknown): string {
  return typeof value === 'object' ? '-' : String(value);
}
