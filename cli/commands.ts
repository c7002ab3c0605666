// The table of commands, as data: in the groups of `toolwright --help`, and in the order in which people need them. `run` makes the
// command line and its help of it, completion reads the same, the build takes from it which modules are entries, and
// docs/reference/commands.md is printed from it. A module is loaded when its command is called.
import { lookCommands } from './commands/look.js';
import { moreCommands } from './commands/more.js';
import { serveCommands } from './commands/serve.js';
import { tryCommands } from './commands/try.js';
import { writeCommands } from './commands/write.js';
import type { CommandRow } from './terminal/flags.js';

interface CommandGroup {
  readonly heading: string;
  readonly rows: readonly CommandRow[];
}

export const commandGroups: readonly CommandGroup[] = [
  { heading: 'Write a pack:', rows: writeCommands },
  { heading: 'Check it and try it out:', rows: tryCommands },
  { heading: 'Serve and share it:', rows: serveCommands },
  { heading: 'Look around:', rows: lookCommands },
  { heading: 'More:', rows: moreCommands },
];

export const commands: readonly CommandRow[] = commandGroups.flatMap(({ rows }) => rows);
