// toolwright __complete -- <words>: what the completion scripts of shells ask. In: the words after the command, the one at the cursor
// last. Out: a line per candidate, with what it means after a tab; nothing where the shell should offer files. Never fails.
import type { Argument, Command, Option } from 'commander';
import { visible } from '../../schema/print/visible.js';
import { type Candidate, findValues } from './complete-values.js';

export function complete(program: Command, typed: readonly string[]): number {
  try {
    const lines = candidates(program, joinAssignments(typed)).map(
      ({ value, hint = '' }) => `${visible(value)}${hint === '' ? '' : `\t${visible(hint)}`}\n`,
    );
    process.stdout.write(lines.join(''));
  } catch {
    // Somebody is typing: a pack that cannot be read has no names to offer, and that is all.
  }
  return 0;
}

/** Bash takes `--format=json` for three words. PowerShell cannot pass an empty one. */
function joinAssignments(typed: readonly string[]): readonly string[] {
  const words = typed.map((word, index) => (index === typed.length - 1 && (word === '=' || word === '""') ? '' : word));
  return words.filter((word, index) => word !== '=' || !(words[index - 1] ?? '').startsWith('--'));
}

function candidates(program: Command, words: readonly string[]): readonly Candidate[] {
  const current = words.at(-1) ?? '';
  const [name, ...rest] = words;
  const command = words.length > 1 ? program.commands.find(one => one.name() === name) : undefined;
  if (command === undefined) {
    if (words.length > 1) return [];
    const found = current.startsWith('-') ? optionsOf(program, []) : commandsOf(program);
    return found.filter(({ value }) => value.startsWith(current));
  }
  const { positional, options, pending } = readWords(command, rest.slice(0, -1));
  const asked = { positional, cwd: options.get('--cwd') ?? '.' };
  const given = (option: Option): readonly Candidate[] =>
    option.argChoices?.map(value => ({ value })) ?? findValues(`--${option.name()}`, command.name(), asked);
  // `--format=js`
  const [, flag = '', start = ''] = /^(--[^=]+)=(.*)$/.exec(current) ?? [];
  const assigned = flag === '' ? undefined : command.options.find(({ long }) => long === flag);
  if (assigned !== undefined)
    return given(assigned)
      .filter(({ value }) => value.startsWith(start))
      .map(({ value, ...more }) => ({ value: `${flag}=${value}`, ...more }));
  const isFit = ({ value }: Candidate): boolean => value.startsWith(current);
  if (pending !== undefined) return given(pending).filter(isFit);
  if (current.startsWith('-')) return optionsOf(command, [...options.keys()]).filter(isFit);
  const argument = argumentAt(command, positional.length);
  if (argument === undefined) return [];
  const values = argument.argChoices?.map(value => ({ value })) ?? findValues(argument.name(), command.name(), asked);
  return values.filter(isFit);
}

interface Read {
  readonly positional: readonly string[];
  /** By their long names. */
  readonly options: ReadonlyMap<string, string>;
  /** The option whose value comes next. */
  readonly pending: Option | undefined;
}

function readWords(command: Command, words: readonly string[]): Read {
  const positional: string[] = [];
  const options = new Map<string, string>();
  let pending: Option | undefined;
  for (const word of words) {
    if (pending !== undefined) {
      options.set(pending.long ?? '', word);
      pending = undefined;
      continue;
    }
    const [flag = '', value] = word.split('=', 2);
    const option = command.options.find(({ long, short }) => flag === long || flag === short);
    if (option === undefined) {
      if (!word.startsWith('-')) positional.push(word);
      continue;
    }
    options.set(option.long ?? '', value ?? '');
    if (option.required && value === undefined) pending = option;
  }
  return { positional, options, pending };
}

function argumentAt({ registeredArguments }: Command, index: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[index] ?? (last?.variadic ? last : undefined);
}

function commandsOf(program: Command): readonly Candidate[] {
  const shown = program.createHelp().visibleCommands(program);
  return shown.map(command => ({ value: command.name(), hint: command.description() }));
}

/** An option that was given is not offered again, unless it may be repeated, which the description says. */
function optionsOf(command: Command, used: readonly string[]): readonly Candidate[] {
  const isFree = ({ long, description }: Option): boolean =>
    !used.includes(long ?? '') || description.includes('may be repeated');
  const shown = command.createHelp().visibleOptions(command).filter(isFree);
  return shown.flatMap(({ long, description }) => (long ? [{ value: long, hint: description }] : []));
}
