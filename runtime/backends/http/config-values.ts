// In: texts of a backend with `{config.X}`, and the settings of the operator. Out: the texts with their values, or an error that names
// the key that is not set.
import { parseText } from '../../../schema/backend/text.js';
import { ToolError } from '../../call/tool-error.js';
import type { BackendScope } from '../ports.js';
import { badValue } from './place-values.js';

/** What a key of `config:` has; undefined where it is not set. */
export function configValue(key: string, { settings: { values } }: Pick<BackendScope, 'settings'>): unknown {
  const value = Object.hasOwn(values, key) ? values[key] : undefined;
  return value === '' ? undefined : value;
}

/** A key that must be set, as text. */
export function configText(name: string, key: string, scope: Pick<BackendScope, 'settings'>): string {
  const value = configValue(key, scope);
  if (value === undefined) throw configMissing(name, key);
  if (typeof value === 'object') throw badValue(`${key} of the configuration`, 'is a list, which cannot stand there');
  return String(value);
}

/** `replace` gives the text of a key. */
export function fillConfig(text: string, replace: (key: string) => string): string {
  if (!/[{}]/.test(text)) return text;
  return parseText(text)
    .parts.map(part => (typeof part === 'string' ? part : part.of === 'config' ? replace(part.name) : part.tag))
    .join('');
}

/** Of an address: operators write them with a slash at the end and without. */
export function fillAddress(text: string, replace: (key: string) => string): string {
  return fillConfig(text, key => {
    const value = replace(key).trim();
    return text.includes(`{config.${key}}/`) ? value.replace(/\/+$/, '') : value;
  });
}

/** Whether the operator has a say in it. */
export function hasConfig(text: string): boolean {
  return text.includes('{') && parseText(text).parts.some(part => typeof part !== 'string' && part.of === 'config');
}

function configMissing(name: string, key: string): ToolError {
  return new ToolError(`${name} needs configuration that is not set: ${key}`, {
    code: 'CONFIG_MISSING',
    status: 503,
    suggestedFix: `Set ${key} in the server's environment and start it again.`,
    meta: { missing: [key] },
  });
}
