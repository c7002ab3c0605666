// The exit codes of all commands. docs/reference/exit-codes.md is made from this table.

export interface ExitCode {
  readonly code: number;
  readonly name: string;
  readonly meaning: string;
}

export const exitCodes: readonly ExitCode[] = [
  {
    code: 0,
    name: 'fine',
    meaning: 'The command did what was asked. Warnings do not change that, except with `--strict`.',
  },
  {
    code: 1,
    name: 'errors or differences',
    meaning:
      'A pack has errors, a test failed, a tool gave an error, `--check` found a difference, or the system refused something, such as a file that may not be written.',
  },
  {
    code: 2,
    name: 'wrong usage',
    meaning: 'An unknown command, option or name, or no pack where one is needed. Nothing was done.',
  },
  {
    code: 9,
    name: 'refused by Node',
    meaning:
      'Node itself looks for `--env-file` before a command or a built server runs. If the file does not exist, it prints `node: <file>: not found` and ends.',
  },
  {
    code: 70,
    name: 'a bug in Toolwright',
    meaning: 'Something failed that should not be able to fail. The message asks you to report it.',
  },
  { code: 130, name: 'interrupted', meaning: 'Ctrl+C ended the command.' },
  { code: 143, name: 'ended', meaning: 'The system or another program ended the command (SIGTERM).' },
];
