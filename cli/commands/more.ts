// The commands about the command line itself.
import type { Command } from 'commander';
import { type CommandRow, talk } from '../terminal/flags.js';

export const moreCommands: readonly CommandRow[] = [
  {
    name: 'completion',
    text: 'print a completion script for a shell: commands, options and the names in the pack',
    arguments: [['<shell>', 'the shell', { choices: ['bash', 'zsh', 'fish', 'powershell'] }]],
    options: talk,
    run: async (_, shell) => (await import('../completion/completion.js')).completion(shell),
  },
  {
    name: '__complete',
    text: 'what may come next, for the scripts of completion',
    isHidden: true,
    arguments: [['[words...]', 'what was typed']],
    options: [],
    run: async (_, words, program) => (await import('../completion/complete.js')).complete(program, words),
  },
  {
    name: 'help',
    text: 'print help for all commands, or for one',
    arguments: [['[command]', 'the command']],
    options: talk,
    run: async (_, name, program: Command) => {
      (program.commands.find(command => command.name() === name) ?? program).outputHelp();
      return 0;
    },
  },
];
