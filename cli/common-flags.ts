// What the flags of commands have in common. In: a command. Out: the same with flags that several have.
import { type Command, Option } from 'commander';

export const formats = ['text', 'json', 'github', 'sarif'] as const;
export type OutputFormat = (typeof formats)[number];

/** Flags that every command has. */
export interface CommonFlags {
  readonly format: OutputFormat;
  readonly cwd?: string;
  readonly quiet?: boolean;
  readonly color?: boolean;
}

export function withCommonFlags(command: Command): Command {
  return withTalkFlags(
    command.addOption(new Option('--format <format>', 'how to print').choices([...formats]).default('text')),
  );
}

export function withTalkFlags(command: Command): Command {
  return command
    .option('--cwd <dir>', 'run as if started in this folder')
    .option('--quiet', 'print only errors')
    .option('--no-color', 'print without colours');
}

export function withEntryFlags(command: Command): Command {
  return withOverlays(withTalkFlags(command), 'for texts and policy')
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
    .option('--name <name>', 'the name of the entry')
    .option('--project', 'in the file of the project instead of the user')
    .option('--file <path>', 'in this file')
    .option('--force', 'also where there is an entry of that name that is not of this pack')
    .option('--dry-run', 'change nothing, show the difference');
}

/** The default is set apart from the option, or help would show it. */
export function withOverlays(command: Command, which: string): Command {
  return command
    .option('--overlay <dir>', `a folder of patches ${which}; may be repeated`, collect)
    .setOptionValueWithSource('overlay', [], 'default');
}

export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
