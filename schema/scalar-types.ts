// The simple types of config keys and options.
import type { OptionEntry } from './definitions.js';
import { isMap } from './document.js';

/** Whether a value is of a declared simple type. */
export function fitsType(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isMap(value);
    default:
      return typeof value === type;
  }
}

/** Whether a tool may be run with it. */
export function fitsOption(option: OptionEntry, value: unknown): boolean {
  return fitsType(option.type, value) && (option.enum === undefined || option.enum.includes(value));
}
