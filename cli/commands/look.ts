// The commands that only look around.
import { type CommandRow, common, formats, overlays, packPath, talk, textOrJson } from '../terminal/flags.js';

export const lookCommands: readonly CommandRow[] = [
  {
    name: 'list',
    text: 'list the servers in this project and in its installed packs, without running or installing anything',
    arguments: [['[pattern]', 'only servers whose full name matches, such as acme/*']],
    options: [
      ...talk,
      textOrJson,
      ['--tag <tag>', 'only servers that serve something with this tag'],
      ['--all', 'look at every installed package, not only at direct dependencies'],
      ['--builtin', 'include the server that comes with toolwright, and its tools'],
      ['--remote', 'include packs in the npm registry'],
      ['--refresh', 'with --remote: ask the registry again instead of using the cache'],
    ],
    run: async (flags, pattern) => (await import('../list/list.js')).list(pattern, flags),
  },
  {
    name: 'inspect',
    text: 'show everything about a server or pack: properties, items with schemas and origins, missing packs',
    arguments: [['[name]', 'a server or a pack: reporting, acme/jira or acme/jira/reporting']],
    options: [
      ...talk,
      overlays,
      ['--format <format>', 'output format', { choices: [...formats, 'mermaid'], default: 'text' }],
      ['--tag <tag>', 'only items with this tag'],
      [
        '--config <key=value>',
        'only items that servers offer with this configuration; may be repeated',
        { isList: true },
      ],
      ['--remote', 'ask the registry about packs that are not installed'],
    ],
    run: async (flags, name) => (await import('../inspect/inspect.js')).inspect(name, flags),
  },
  {
    name: 'explain',
    text: 'show which definition of an item wins, what it shadows, and where each field is written',
    arguments: [['<item>', 'its name: get-issue, tool:get-issue or acme/jira/get-issue']],
    options: [...common, overlays, ['--field <name>', 'only this field']],
    run: async (flags, item) => (await import('../explain/explain.js')).explainItem(item, flags),
  },
  {
    name: 'schema',
    text: 'explain the keys of a manifest file; in a pipe or a file, print its JSON Schema',
    arguments: [
      [
        '[kind]',
        'pack, server, tool, prompt, resource, their combined files (tools, ...), overlay or overlays; if omitted, lists where the schemas are installed',
      ],
      ['[key]', 'only this key, as in parameters or http.port'],
    ],
    // Overlays change no schema; they are taken so that one set of flags fits check, explain and schema.
    options: [
      ['--format <format>', 'output format; default: text on a terminal, json elsewhere', { choices: formats }],
      ...talk,
      overlays,
      ['--path', 'print the path of the file instead of its text'],
    ],
    run: async (flags, schemaKind, key) => (await import('../schema/schema.js')).schema(schemaKind, key, flags),
  },
  {
    name: 'doctor',
    text: 'find problems on this machine: Node, the pack, its project, its configuration, MCP clients',
    arguments: [packPath],
    options: [
      ...talk,
      textOrJson,
      [
        '--since <version>',
        'list what has changed for this pack since this version; default: the one that last ran generate',
      ],
    ],
    run: async (flags, path) => (await import('../doctor/doctor.js')).doctor(path, flags),
  },
];
