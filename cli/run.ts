// In: the words of a command line. Out: an exit code: 0 fine, 1 errors, 2 usage, 70 a bug of ours. The commands are the table of
// commands.ts.

import { Argument, Command, CommanderError, Option } from 'commander';
import { nearest } from '../schema/nearest.js';
import { shellLine } from '../schema/print/shell-words.js';
import { commandGroups, commands } from './commands.js';
import { meantByPort } from './start/meant-by-port.js';
import { exitCodes } from './terminal/exit-codes.js';
import type { CommandRow, OptionRow } from './terminal/flags.js';
import { UsageError } from './terminal/usage-error.js';

export async function runCommandLine(typed: readonly string[]): Promise<number> {
  ignoreClosedPipes();
  let exitCode = 0;
  const { words, passed } = splitWords(typed);
  const program = makeProgram(passed, code => {
    exitCode = code;
  });
  try {
    refuseMisplaced(program, words);
    refusePort(program, words);
    refuseParameter(program, words);
    await addServerHelp(program, words);
    await program.parseAsync(withoutHelp(program, words), { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its own message; it calls help and version "errors" of exit code 0.
    if (error instanceof CommanderError) {
      if (error.code === 'commander.unknownOption') hintAtPassing(words);
      return error.exitCode === 0 ? 0 : 2;
    }
    return isOutOfFiles(error) ? reportOutOfFiles() : await reportLate(error);
  }
}

async function reportLate(error: unknown): Promise<number> {
  let report: (error: unknown) => number;
  try {
    report = (await import('./terminal/report-error.js')).reportError;
  } catch (failed) {
    if (isOutOfFiles(failed)) return reportOutOfFiles();
    throw failed;
  }
  return report(error);
}

/** Not even the module that words errors can be loaded then. */
function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

function reportOutOfFiles(): number {
  process.stderr.write('toolwright: too many files are open: raise the limit (ulimit -n), or close other programs\n');
  return 1;
}

/** Flags of a server look like options of the command. */
function hintAtPassing([name]: readonly string[]): void {
  const isPassing = commands.some(one => one.name === name && one.passesWords === true);
  if (isPassing) process.stderr.write(`Flags of the server itself come after --: toolwright ${name} ... -- --flag\n`);
}

interface SplitWords {
  readonly words: readonly string[];
  readonly passed: readonly string[] | undefined;
}

/** X3: what follows `--` is for the server, where the command runs one. */
function splitWords(typed: readonly string[]): SplitWords {
  const at = typed.indexOf('--');
  const isPassed = commands.some(({ name, passesWords }) => passesWords === true && name === typed[0]);
  if (at < 0 || !isPassed) return { words: typed, passed: undefined };
  return { words: typed.slice(0, at), passed: typed.slice(at + 1) };
}

/** The help of `start main` has the flags of that server, too. */
async function addServerHelp(program: Command, [name, ...words]: readonly string[]): Promise<void> {
  const command = program.commands.find(one => one.name() === name);
  const isAsked = words.some(word => word === '--help' || word === '-h');
  if (!isAsked || command === undefined || (name !== 'start' && name !== 'dev')) return;
  const { operands } = command.parseOptions(words.filter(word => word !== '--help' && word !== '-h'));
  const { serverHelp } = await import('./start/server-help.js');
  const text = await serverHelp(operands[0], command.opts());
  if (text !== '') command.addHelpText('after', `\n${text.trimEnd()}`);
}

/** `exit` gets the code of the command that runs. */
function makeProgram(passed: SplitWords['passed'], exit: (code: number) => void): Command {
  const program = new Command('toolwright')
    .description('Check, compile and serve MCP servers written as YAML manifests.')
    .option('-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .showHelpAfterError('Run with --help for usage.')
    .configureHelp({ showGlobalOptions: false })
    .helpCommand(false)
    .addHelpText('after', `\nExit codes: ${exitCodes.map(({ code, name }) => `${code} ${name}`).join(', ')}`);
  for (const { heading, rows } of commandGroups)
    for (const row of rows) addCommand(program, row, { passed, exit }).helpGroup(heading);
  return program;
}

interface Running {
  readonly passed: SplitWords['passed'];
  exit(code: number): void;
}

function addCommand(program: Command, row: CommandRow, { passed, exit }: Running): Command {
  const command = program.command(row.name, { hidden: row.isHidden === true });
  if (row.isHidden !== true) command.description(row.text);
  if (row.usage !== undefined) command.usage(row.usage);
  for (const [form, text, { choices } = {}] of row.arguments) {
    const argument = new Argument(form, text);
    const allowed = row.name === 'help' ? visibleNames : choices;
    command.addArgument(allowed === undefined ? argument : argument.choices(allowed));
  }
  for (const option of row.options) addOption(command, option);
  const count = row.arguments.length;
  command.action(async (...given: unknown[]) => {
    // Commander gives arguments, flags and the command; each row knows what its own are.
    const flags = passed === undefined ? given[count] : { ...(given[count] as object), words: passed };
    exit(await row.run(flags as never, ...(given.slice(0, count) as never[]), program as never));
  });
  return command;
}

const visibleNames = commands.flatMap(({ name, isHidden }) => (isHidden ? [] : [name]));

function addOption(
  command: Command,
  [form, text, { choices, default: value, isList, isHidden } = {}]: OptionRow,
): void {
  const option = new Option(form, text);
  if (choices !== undefined) option.choices(choices);
  if (value !== undefined) option.default(value);
  if (isHidden) option.hideHelp();
  const { parseArg } = option;
  if (isList)
    option.argParser((given: string, before: readonly string[]) => {
      // Refuses what is not among the choices.
      parseArg?.(given, undefined);
      return [...before, given];
    });
  command.addOption(option);
  // Apart from the option, or help would show it.
  if (isList) command.setOptionValueWithSource(option.attributeName(), [], 'default');
}

/** `toolwright check | head` closes the pipe early: that is not an error of ours. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', error => {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    });
  }
}

/** Options belong to commands. */
function refuseMisplaced(program: Command, words: readonly string[]): void {
  const meant = meantLine(program, words);
  if (meant !== undefined) throw new UsageError(`options come after the command: ${meant}`);
}

/** What most other servers call it. */
function refusePort(program: Command, [name, ...words]: readonly string[]): void {
  const options = program.commands.find(one => one.name() === name)?.options ?? [];
  const meant = options.some(({ long }) => long === '--http') ? meantByPort(words) : undefined;
  if (meant !== undefined) throw new UsageError(`there is no option --port: ${meant}`);
}

/** Arguments of tools are not options: `call greet --name Ada`. */
function refuseParameter(program: Command, [name, ...words]: readonly string[]): void {
  if (name !== 'call') return;
  const options = program.commands.find(one => one.name() === name)?.options ?? [];
  const at = words.findIndex((word, index) => {
    const isValue = options.some(one => one.required && isCalled(one, words[index - 1]));
    return word.startsWith('--') && word.length > 2 && !isValue && !isKnown(word);
  });
  const [, key = '', value] = /^--([^=]+)(?:=(.*))?$/s.exec(words[at] ?? '') ?? [];
  const known = options.flatMap(({ long }) => long?.slice(2) ?? []);
  // A misspelt option is left to commander.
  if (at < 0 || key === '' || words.slice(0, at).includes('--') || nearest(key, known) !== undefined) return;
  const next = words[at + 1];
  const given = value ?? (next === undefined || next.startsWith('-') ? '...' : next);
  throw new UsageError(
    `there is no option --${key}: to pass it to the tool, write ${shellLine(['--arg', `${key}=${given}`])}`,
  );

  function isKnown(word: string): boolean {
    const [head] = word.split('=');
    return head === '--help' || options.some(one => isCalled(one, head));
  }
}

/** Help of a command that does not exist would look as if it did: commander refuses the command alone. */
function withoutHelp(program: Command, words: readonly string[]): readonly string[] {
  const [first = '-'] = words;
  const isUnknown = !first.startsWith('-') && !program.commands.some(one => one.name() === first);
  return isUnknown ? [first] : words;
}

/** Undefined where no command follows, or the option is one of the program itself. */
function meantLine(program: Command, words: readonly string[]): string | undefined {
  const [first = ''] = words;
  const isOwn = /^(?:-h|--help)$/.test(first) || program.options.some(option => isCalled(option, first));
  if (!first.startsWith('-') || isOwn) return undefined;
  const at = words.findIndex((word, index) => {
    const command = program.commands.find(one => one.name() === word);
    // `--cwd check` has a folder of that name.
    return command !== undefined && !command.options.some(one => one.required && isCalled(one, words[index - 1]));
  });
  const command = words[at];
  if (command === undefined) return undefined;
  return shellLine(['toolwright', command, ...words.slice(0, at), ...words.slice(at + 1)]);
}

function isCalled({ short, long }: Option, word: string | undefined): boolean {
  return word !== undefined && (word === short || word === long);
}
