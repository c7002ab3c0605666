// In: the further words of a capture, as `--merge` has them. Out: what each of them sets, and how the server gets it.
import { type Diagnostic, diagnose, type Site, startOf } from '../../../schema/diagnostics.js';

/** `--caps=vision` has a value, `--headless` has none; `READ_ONLY=true` is a variable. */
export interface FlagSetting {
  readonly of: 'flag' | 'variable';
  /** Without dashes. */
  readonly name: string;
  readonly value: string | undefined;
}

export interface FlagWords {
  readonly settings: readonly FlagSetting[];
  /** In the order in which they were written. */
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads flags (`--name`, `--name=value`, `--name value`) and variables (`NAME=value`).
 *
 * @example readFlagWords(['--caps=vision']).settings // [{ of: 'flag', name: 'caps', value: 'vision' }]
 */
export function readFlagWords(words: readonly string[], site: Site = startOf('server')): FlagWords {
  const settings: FlagSetting[] = [];
  const flags: string[] = [];
  const env: Record<string, string> = {};
  const diagnostics: Diagnostic[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const [, variable, text = ''] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word) ?? [];
    if (variable !== undefined) {
      settings.push({ of: 'variable', name: variable, value: text });
      env[variable] = text;
      continue;
    }
    const [, name, given] = /^--([A-Za-z][\w.-]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (name === undefined) {
      const reason = /^-[^-]/.test(word) ? 'a flag needs its long name' : 'it is neither a flag nor a variable';
      diagnostics.push(diagnose('import/flag-word', { word, reason }, site));
      continue;
    }
    const next = words[index + 1];
    const isValue = given === undefined && next !== undefined && !/^-|^[A-Za-z_]\w*=/.test(next);
    settings.push({ of: 'flag', name, value: isValue ? next : given });
    flags.push(word, ...(isValue ? [next] : []));
    if (isValue) index += 1;
  }
  return { settings, flags, env, diagnostics };
}
