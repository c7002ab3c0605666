// The rows of the table of commands, and the flags and arguments that several commands have.

/** What it is called, as commander reads it, and what it means. */
export type ArgumentRow = readonly [form: string, text: string, more?: { readonly choices?: readonly string[] }];
export type OptionRow = readonly [form: string, text: string, more?: OptionMore];

export interface OptionMore {
  readonly choices?: readonly string[];
  readonly default?: string;
  /** Works, but neither help nor the pages mention it. */
  readonly isHidden?: true;
  /** May be given several times: the flag is a list, empty where it was not given. */
  readonly isList?: true;
}

export interface CommandRow {
  readonly name: string;
  readonly text: string;
  /** Where the arguments alone do not say it. */
  readonly usage?: string;
  /** For our own processes and scripts. */
  readonly isHidden?: true;
  readonly arguments: readonly ArgumentRow[];
  /** X3: what follows `--` is for the server, and given to `run` as the flag `words`. */
  readonly passesWords?: true;
  readonly options: readonly OptionRow[];
  /** Gets the flags, the arguments in order, then the program of all commands. Out: the exit code. */
  readonly run: (flags: never, ...values: never[]) => Promise<number>;
}

export const formats = ['text', 'json', 'github', 'sarif'] as const;
export type OutputFormat = (typeof formats)[number];

/** Flags that every command has. */
export interface CommonFlags {
  readonly format: OutputFormat;
  readonly cwd?: string;
  readonly quiet?: boolean;
  readonly color?: boolean;
}

export const talk: readonly OptionRow[] = [
  ['--cwd <dir>', 'run as if started in this folder'],
  ['--quiet', 'print only errors'],
  ['--no-color', 'print without colours'],
];

/** Of commands that print data of their own. */
export const textOrJson: OptionRow = [
  '--format <format>',
  'output format',
  { choices: ['text', 'json'], default: 'text' },
];

export const common: readonly OptionRow[] = [
  ['--format <format>', 'output format', { choices: formats, default: 'text' }],
  ...talk,
];

export const overlays: OptionRow = [
  '--overlay <dir>',
  'an overlay: a folder that changes texts and policy; may be repeated, later ones win',
  { isList: true },
];

/** Of `install` and `uninstall`. */
export const entry: readonly OptionRow[] = [
  ...talk,
  overlays,
  textOrJson,
  ['--name <name>', "the entry's name"],
  ['--project', "use the project's settings file instead of the user's"],
  ['--file <path>', 'use this settings file'],
  ['--force', 'replace an existing entry with this name, even if it does not belong to this pack'],
  ['--dry-run', 'change nothing; show the diff'],
];

export const noInstall: OptionRow = ['--no-install', 'do not install missing packs'];
export const mode: OptionRow = ['--mode <name>', 'only items in this mode'];
export const frozen: OptionRow = ['--frozen', 'leave out items from other packs that differ from toolwright.lock'];
export const host: OptionRow = ['--host <address>', 'address to listen on; anything but loopback needs auth'];
export const insecure: OptionRow = ['--insecure', 'listen anywhere without auth'];
export const http: OptionRow = ['--http [port]', 'serve over HTTP; port 0 picks a free one'];
export const strict: OptionRow = ['--strict', 'refuse if an item is broken or a handler is missing'];
export const envFile: OptionRow = [
  '--env-file <file>',
  'read variables from this file, as node --env-file does; the environment overrides it; may be repeated, later files win',
  { isList: true },
];
export const dryRun: OptionRow = ['--dry-run', 'write nothing; print what would change'];
export const checkOnly: OptionRow = ['--check', 'write nothing; exit with 1 if something would change'];

export const packPath: ArgumentRow = [
  '[path]',
  'a folder, a package name or a manifest file; default: the pack that contains the current folder',
];
export const ownServer: ArgumentRow = [
  '[server]',
  'its name; default: the first one under "servers:" in toolwright.yaml',
];
export const kind: ArgumentRow = ['<kind>', 'server, tool, prompt or resource'];
