// In: a command line that begins with an option. Out: a refusal with the line that was meant.
import type { Command, Option } from 'commander';
import { shellLine } from './shell-words.js';
import { UsageError } from './usage-error.js';

/** Options belong to commands. */
export function refuseMisplaced(program: Command, words: readonly string[]): void {
  const meant = meantLine(program, words);
  if (meant !== undefined) throw new UsageError(`options come after the command: ${meant}`);
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
