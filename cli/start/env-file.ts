// X16: variables from files. `dev`, `call` and `test` read `.env` of the pack around; `start` and built servers only the files that
// `--env-file` names. The environment itself counts more than any file, and a later file more than an earlier one. Files are read as
// `node --env-file` reads them.
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { fileOfKey } from '../../runtime/call/context/config.js';
import { messageOf } from '../../runtime/call/print-cause.js';
import { codeOf, nodeFolder } from '../../runtime/load/folder.js';
import { readUtf8 } from '../../runtime/load/read-file.js';
import { type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import { printDiagnostics, rebaseDiagnostics } from '../pack/pack-command.js';
import type { CommonFlags } from '../terminal/flags.js';
import { UsageError } from '../terminal/usage-error.js';

export interface EnvFiles {
  readonly variables: Readonly<Record<string, string>>;
  /** Of lines that set nothing; files are absolute. */
  readonly diagnostics: readonly Diagnostic[];
  /** The files that were read. */
  readonly files: readonly string[];
}

/** Where to look: `.env` and its like in a folder count less than what a flag names, and need not be there. */
export interface EnvPlaces {
  readonly folder?: string;
  /** Of that folder; `.env` alone where it is left out. */
  readonly names?: readonly string[];
  /** Named by `--env-file`, relative to the working folder. */
  readonly given: readonly string[];
  readonly cwd: string;
}

/** A file that cannot be read is a usage mistake. */
export function readEnvFiles({ folder, names = ['.env'], given, cwd }: EnvPlaces): EnvFiles {
  const own = folder === undefined ? [] : names.map(name => join(folder, name)).filter(isThere);
  const files = [...own, ...given.map(file => resolve(cwd, file))];
  const read = files.map((file, index): EnvFile => ({ file, text: readText(file), isNamed: index >= own.length }));
  return {
    variables: Object.assign({}, ...read.map(parse)),
    diagnostics: read.flatMap(checkLines),
    files,
  };
}

interface EnvFile {
  readonly file: string;
  readonly text: string;
  /** Somebody asked for it; the others came with the pack. */
  readonly isNamed: boolean;
}

/** Python's virtual environments are folders of that name. */
function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === false;
}

/** It changes what Node runs in every process that is started from here, also in those that only look at a pack. */
const nodeOptions = 'NODE_OPTIONS';

function parse({ text, isNamed }: EnvFile): NodeJS.Dict<string> {
  const { [nodeOptions]: options, ...others } = parseEnv(text);
  return isNamed && options !== undefined ? { ...others, [nodeOptions]: options } : others;
}

/** The same, for this process: its environment has the variables then, and stderr what is wrong with lines. */
export function applyEnvFiles(places: EnvPlaces, flags: CommonFlags): void {
  const found = readEnvFiles(places);
  setMissing(found.variables);
  reportLines(found, flags, places.cwd);
}

/** Writes to stderr which lines set nothing. */
export function reportLines({ diagnostics }: EnvFiles, flags: Omit<CommonFlags, 'format'>, cwd: string): void {
  if (diagnostics.length === 0) return;
  const shown = rebaseDiagnostics(diagnostics, cwd, cwd);
  // Without folders no line of the file is shown.
  process.stderr.write(printDiagnostics(shown, { ...flags, format: 'text' }, cwd, []));
}

/** What `.env` of a folder would set, for those who only mention it: it may be of a stranger, and wrong in any way. */
export function peekDotEnv(folder: string): EnvFiles['variables'] {
  // It must not lead out of the folder, nor to a pipe that never ends.
  if (nodeFolder(folder).status('.env') !== 'file') return {};
  try {
    return readEnvFiles({ folder, given: [], cwd: folder }).variables;
  } catch {
    return {};
  }
}

/** Puts variables into the environment of this process, where it does not have them. */
export function setMissing(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (process.env[name] !== undefined) continue;
    process.env[name] = value;
    fromFiles.add(name);
  }
}

/** What files have set in this process. */
const fromFiles = new Set<string>();

/** X3: NAME_FILE of the environment overrides NAME of an env file. Only a pack knows which names are keys. */
export function preferKeyFiles(config: KeysOfPack): void {
  for (const name of Object.keys(config)) {
    const isWeaker = fromFiles.has(name) && !fromFiles.has(`${name}_FILE`);
    if (isWeaker && isKeyFileSet(name, config)) delete process.env[name];
  }
}

type KeysOfPack = Parameters<typeof fileOfKey>[1];

/** Whether the environment names a file for a key. */
export function isKeyFileSet(name: string, config: KeysOfPack): boolean {
  const variable = `${name}_FILE`;
  return Object.hasOwn(config, name) && fileOfKey(name, config, { [variable]: process.env[variable] }) !== undefined;
}

function readText(file: string): string {
  try {
    return readUtf8(file).replace(/^\ufeff/, '');
  } catch (error) {
    const reason = codeOf(error) === 'ENOENT' ? 'there is no such file' : messageOf(error);
    throw new UsageError(`${file} cannot be read: ${reason}`);
  }
}

/** Node leaves out what it does not understand without a word. The text of a line is not shown: it may be half of a secret. */
function checkLines({ file, text, isNamed }: EnvFile): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  let line = 1;
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    let end = newline < 0 ? text.length : newline;
    const row = text.slice(start, end);
    const [indent = ''] = /^\s*/.exec(row) ?? [];
    const [head, exported = '', name = ''] = /^\s*(export\s+)?([^=]*)=[ \t]*/.exec(row) ?? [];
    const wrong = (reason: string, column: number): void => {
      const site = { file, line, column, endLine: line, endColumn: Math.max(column, row.trimEnd().length + 1) };
      found.push(diagnose('config/env-line', { reason }, site));
    };
    if (row.trim() !== '' && !row.trim().startsWith('#')) {
      if (head === undefined) wrong('it has no "="', indent.length + 1);
      else if (!/^[A-Za-z_][\w.-]*$/.test(name.trim()))
        wrong('what comes before the "=" is not a variable name', indent.length + exported.length + 1);
      else if (!isNamed && name.trim() === nodeOptions)
        wrong(
          `${nodeOptions} is read only from the environment, or from a file that --env-file names`,
          indent.length + 1,
        );
      else {
        const quote = text[start + head.length] ?? '';
        const close = /["'`]/.test(quote) ? text.indexOf(quote, start + head.length + 1) : end;
        if (close < 0) wrong(`the quote ${quote} is not closed`, head.length + 1);
        else if (close > end) {
          // A value of several lines.
          line += text.slice(start, close).split('\n').length - 1;
          const next = text.indexOf('\n', close);
          end = next < 0 ? text.length : next;
        }
      }
    }
    line += 1;
    start = end + 1;
  }
  return found;
}
