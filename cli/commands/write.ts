// The commands that write a pack.
import { type CommandRow, checkOnly, common, dryRun, kind, packPath } from '../terminal/flags.js';

export const writeCommands: readonly CommandRow[] = [
  {
    name: 'init',
    text: 'start a pack in a new folder or an existing package, without overwriting anything',
    arguments: [['[dir]', "the pack's folder; default: the current folder"]],
    options: [
      ...common,
      ['--name <name>', 'package name'],
      ['--description <text>', 'what the pack is for'],
      ['--language <language>', 'language for handlers', { choices: ['ts', 'js'] }],
      ['--transport <transport>', 'how clients reach the server', { choices: ['stdio', 'http'] }],
      ['--toolwright <spec>', 'toolwright version to write to package.json; default: this one'],
      [
        '--editor <editor>',
        'write settings for this editor; default: VS Code, or the editor that the folder already has settings for; may be repeated',
        { choices: ['vscode', 'jetbrains', 'none'], isList: true },
      ],
      ['--empty', 'write no tool and no prompt to start from, only a server'],
      ['--install', "install dependencies with the project's package manager; exit with 1 if that fails"],
      ['--no-install', 'install nothing'],
      ['--yes', 'ask nothing: use the default for every question'],
      dryRun,
    ],
    run: async (flags, dir) => (await import('../init/init.js')).init(dir, flags),
  },
  {
    name: 'add',
    text: 'add an item: its definition, a handler stub, and its entry in toolwright.yaml if that lists items',
    arguments: [kind, ['<name>', 'its name, such as get-issue']],
    options: [
      ...common,
      ['--description <text>', 'what it does, for models to read'],
      ['--definition <file>', 'write this definition instead of a starter; - reads it from stdin'],
      ['--server <name>', "also add it to this server's list"],
      dryRun,
    ],
    run: async (flags, itemKind, item) => (await import('../add/add.js')).add(itemKind, item, flags),
  },
  {
    name: 'rename',
    text: 'rename an item everywhere: in manifests, texts, handlers and their imports',
    arguments: [kind, ['<old>', 'its name now'], ['<new>', 'its new name']],
    options: [
      ...common,
      ['--overlay <dir>', 'also rename in this overlay inside the pack; may be repeated', { isList: true }],
      dryRun,
    ],
    run: async (flags, itemKind, from, to) =>
      (await import('../rename/rename.js')).rename({ kind: itemKind, from, to }, flags),
  },
  {
    name: 'remove',
    text: "undo add: remove an item's definition, its entries in toolwright.yaml and in server lists, and an unedited stub",
    arguments: [kind, ['<name>', 'its item name']],
    options: [
      ...common,
      ['--with-handler', 'delete its handler, too, even if it was edited'],
      ['--force', "remove it even if the pack's texts, examples or code refer to it"],
      ['--dry-run', 'write nothing; print the diff'],
    ],
    run: async (flags, itemKind, item) => (await import('../remove/remove.js')).remove(itemKind, item, flags),
  },
  {
    name: 'eject',
    text: 'turn `http`, `sql`, `exec` or `mcp` of an item into a handler that does the same, and remove the key',
    arguments: [['<item>', 'its name; if several kinds have it, tool:<name>, prompt:<name> or resource:<name>']],
    options: [...common, ['--dry-run', 'write nothing; print the diff']],
    run: async (flags, item) => (await import('../eject/eject.js')).eject(item, flags),
  },
  {
    name: 'generate',
    text: 'write types, validators and handler stubs',
    arguments: [packPath],
    options: [
      ...common,
      checkOnly,
      dryRun,
      ['--watch', 'generate again on every change'],
      ['--force', 'replace generated files that were edited by hand'],
    ],
    run: async (flags, path) => (await import('../generate/generate.js')).generateCommand(path, flags),
  },
];
