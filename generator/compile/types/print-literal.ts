// In: texts and values from manifests. Out: TypeScript that can only be read as that text or value.
import { escapeUnit } from '../../../schema/print/visible.js';

const plainIdentifier = /^[A-Za-z_$][\w$]*$/;
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** A string literal. Lone surrogates are escaped by JSON.stringify, line separators of JavaScript here. */
export function printString(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, escapeUnit);
}

/** The name of a property: quoted unless it is an identifier. */
export function printKey(name: string): string {
  return plainIdentifier.test(name) || identifier.test(name) ? name : printString(name);
}

/** A scalar as a literal type; numbers that have no literal become `number`. */
export function printScalar(value: unknown): string {
  if (typeof value === 'string') return printString(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value === 0 ? 0 : value) : 'number';
  if (typeof value === 'boolean' || value === null) return String(value);
  return 'unknown';
}
