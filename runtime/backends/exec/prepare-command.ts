// B3. In: a command as a tool or a handler gives it. Out: what is handed to the system, with nothing in it that would get there as
// something else. Whether the program exists is seen when it is started.
import { resolve } from 'node:path';
import type { Command } from '../../../schema/support/mcp/backends.js';
import type { Environment } from '../../call/context/config.js';
import { isBytes } from '../../call/recognise-result.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { BackendScope } from '../ports.js';

export interface ReadyCommand {
  /** For messages. */
  readonly name: string;
  /** A name that is looked up in PATH, or an absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  /** As it was given, for messages; `folder` is where that is. Undefined: the folder of the process. */
  readonly cwd: string | undefined;
  readonly folder: string | undefined;
  /** What the command itself sets. */
  readonly ownEnv: Readonly<Record<string, string>>;
  readonly stdin: string | Uint8Array | undefined;
}

/** Throws an UpstreamFailure with BAD_VALUE. */
export function prepareCommand(command: Command, scope: Pick<BackendScope, 'folder'>): ReadyCommand {
  const { args = [], cwd, env = {}, stdin } = command;
  const file = safeText(command.command, 'the name of the program');
  if (file === '') throw new UpstreamFailure('BAD_VALUE', 'the name of the program is empty');
  const isPath = process.platform === 'win32' ? /[\\/]/.test(file) : file.includes('/');
  const name = isPath ? file.replace(/^(?:[A-Za-z]:)?[\\/].*[\\/]/, '') : file;
  return {
    name,
    file: isPath ? resolve(scope.folder, file) : file,
    args: args.map((value, index) => safeText(value, `argument ${index + 1} of ${name}`)),
    cwd,
    folder: cwd === undefined ? undefined : resolve(scope.folder, safeText(cwd, `the folder that ${name} is run in`)),
    ownEnv: readEnv(env, name),
    stdin: readStdin(stdin, name),
  };
}

/** The system ends a string at its first NUL, and half a character would arrive as another one. */
function safeText(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new UpstreamFailure('BAD_VALUE', `${what} is not a string`);
  if (value.includes('\0')) throw new UpstreamFailure('BAD_VALUE', `${what} has a NUL character`);
  return wholeText(value, what);
}

function wholeText(value: string, what: string): string {
  if (/\p{Surrogate}/u.test(value)) throw new UpstreamFailure('BAD_VALUE', `${what} has half a surrogate pair`);
  return value;
}

function readEnv(env: NonNullable<Command['env']>, name: string): Readonly<Record<string, string>> {
  const entries = Object.entries(env).filter(([, value]) => value !== undefined && value !== null);
  const texts = entries.map(([key, value]): [string, string] => {
    const what = `the variable ${key} of ${name}`;
    if (key === '' || /[=\0]/.test(key)) {
      throw new UpstreamFailure('BAD_VALUE', `${JSON.stringify(key)} is not the name of a variable`);
    }
    return [key, safeText(typeof value === 'number' || typeof value === 'boolean' ? String(value) : value, what)];
  });
  return Object.fromEntries(texts);
}

/** Data is what programs such as jq read: JSON. */
function readStdin(stdin: unknown, name: string): ReadyCommand['stdin'] {
  if (stdin === undefined || stdin === null) return undefined;
  if (isBytes(stdin)) return stdin instanceof Uint8Array ? stdin : new Uint8Array(stdin);
  const what = `the input of ${name}`;
  const text = typeof stdin === 'string' ? stdin : jsonOf(stdin);
  if (text === undefined) throw new UpstreamFailure('BAD_VALUE', `${what} is neither text nor bytes nor JSON`);
  return wholeText(text, what);
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) as string | undefined;
  } catch {
    return undefined;
  }
}

// In: the environment of the server, which has its secrets. Out: the few variables that programs need.

const passedOn: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'LANGUAGE', 'TZ'],
  ...['SYSTEMROOT', 'SystemRoot', 'COMSPEC', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE'],
  ...['SSH_AUTH_SOCK', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
]);
const passedPrefixes = /^(?:LC_|XDG_)/;

/** What a command sets replaces what the server has, on Windows in any case of the letters. */
export function environmentOf(
  { ownEnv }: Pick<ReadyCommand, 'ownEnv'>,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): Readonly<Record<string, string>> {
  const keyOf = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name);
  const own = new Set(Object.keys(ownEnv).map(keyOf));
  const made: [string, string][] = [];
  for (const [name, value] of Object.entries(env)) {
    const key = keyOf(name);
    if (value === undefined || own.has(key) || !(passedOn.has(key) || passedPrefixes.test(key))) continue;
    made.push([name, key === 'PATH' ? absoluteFolders(value, platform) : value]);
  }
  return Object.fromEntries([...made, ...Object.entries(ownEnv)]);
}

/** An entry such as `.` would run what lies in the folder that the program works on, which may be anybody's. */
function absoluteFolders(path: string, platform: NodeJS.Platform): string {
  const [delimiter, isAbsolute] =
    platform === 'win32' ? ([';', /^"?(?:[A-Za-z]:)?[\\/]/] as const) : ([':', /^\//] as const);
  return path
    .split(delimiter)
    .filter(folder => isAbsolute.test(folder))
    .join(delimiter);
}
