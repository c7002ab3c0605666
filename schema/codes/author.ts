import { code, quote } from './entry.js';

/** What is written for the author: new items, renamed items; and checking the types of the author's own code. */
export const authorCodes = {
  'author/exists': code<{ kind: string; item: string; file: string }>({
    severity: 'error',
    message: ({ kind, item, file }) => `there is already a ${kind} ${quote(item)}, in ${quote(file)}`,
    cause: 'A new item needs its own name; existing items are never overwritten.',
    fix: 'Choose another name, or change the existing definition.',
  }),
  'author/still-used': code<{ kind: string; item: string; problem: string }>({
    severity: 'error',
    message: ({ kind, item, problem }) => `the ${kind} ${quote(item)} is still used here; without it: ${problem}`,
    cause: 'Prose, an example or code of the pack refers to the item.',
    fix: 'Change this place first, or remove the item with --force.',
  }),
  'author/overlay-entry': code<{ kind: string; item: string }>({
    severity: 'warning',
    message: ({ kind, item }) => `this overlay changes the ${kind} ${quote(item)}, which is being removed`,
    cause:
      'Overlays belong to operators, so they are left as they are. A patch for an item that no longer exists is reported when the overlay is used.',
    fix: 'Remove the patch.',
  }),
  'author/kept-handler': code<{ path: string; items: readonly string[] }>({
    severity: 'warning',
    message: ({ path, items }) =>
      items.length === 0
        ? `${quote(path)} was edited, so it is kept`
        : `${quote(path)} is kept: it also serves ${items.map(quote).join(', ')}`,
    cause: 'Handlers are yours: only a stub that nobody has edited is deleted with its item.',
    fix: 'Delete it by hand, or remove the item with --with-handler.',
  }),
  'author/not-editable': code<{ path: string; reason: string }>({
    severity: 'error',
    message: ({ path, reason }) => `${quote(path)} was not changed: ${reason}`,
    cause: 'The file is broken, or nothing can be added or removed without changing something else in it.',
    fix: 'Fix the file, or make the change by hand.',
  }),
  'author/not-listed': code<{ kind: string; item: string }>({
    severity: 'info',
    message: ({ kind, item }) => `no server in this pack lists the ${kind} ${quote(item)} yet`,
    cause: 'Every server has a list of this kind, and none of the lists names or matches the new item.',
    fix: "Add its name to a server's list; `toolwright add --server` does this.",
  }),
  'eject/no-backend': code<{ kind: string; item: string; works: string }>({
    severity: 'error',
    message: ({ kind, item, works }) => `the ${kind} ${quote(item)} cannot be ejected: ${works}`,
    cause: 'Only an item whose work is `http`, `sql`, `exec` or `mcp` can be turned into a handler.',
    fix: 'Name another item, or change its handler.',
  }),
  'eject/foreign-item': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `${quote(name)} belongs to another pack`,
    cause: 'Files of other packs, and of overlays, are never changed.',
    fix: 'Run the command in the pack that defines the item.',
  }),
  'eject/handler-exists': code<{ path: string; kind: string; item: string }>({
    severity: 'error',
    message: ({ path, kind, item }) => `the ${kind} ${quote(item)} cannot be ejected: ${quote(path)} already exists`,
    cause: 'The handler goes into a new file. Existing files are never replaced.',
    fix: 'Move or delete the file that is in the way.',
  }),
  'eject/broken': code<{ kind: string; item: string; problem: string }>({
    severity: 'error',
    message: ({ kind, item, problem }) => `the ${kind} ${quote(item)} cannot be ejected; with a handler: ${problem}`,
    cause: 'The pack would have a mistake that it does not have now, so nothing is written.',
    fix: 'Correct this place first.',
  }),
  'rename/unknown-item': code<{ kind: string; item: string }>({
    severity: 'error',
    message: ({ kind, item }) => `The pack has no ${kind} ${quote(item)}`,
    cause:
      'Only items of this pack can be renamed, removed or ejected, by their item name (not the name that clients see).',
    fix: 'Correct the name; `toolwright inspect` shows the items of a server, `toolwright inspect pack:<name>` those of a pack.',
  }),
  'rename/invalid-name': code<{ name: string; reason: string }>({
    severity: 'error',
    message: ({ name, reason }) => `${quote(name)} cannot be the new name: ${reason}`,
    cause: 'Item names become file names and identifiers.',
    fix: 'Choose a name of letters, digits, dots, dashes and underscores, with a letter or digit first.',
  }),
  'rename/name-clash': code<{ kind: string; name: string; other: string }>({
    severity: 'error',
    message: ({ kind, name, other }) =>
      name === other
        ? `there is already a ${kind} ${quote(name)}`
        : `${quote(name)} would clash with the ${kind} ${quote(other)}`,
    cause: 'Items of the same kind need different names, even when case is ignored and after conversion to camelCase.',
    fix: 'Choose another name, or rename the other item first.',
  }),
  'rename/target-exists': code<{ from: string; to: string }>({
    severity: 'error',
    message: ({ from, to }) => `${quote(from)} cannot be moved: ${quote(to)} already exists`,
    cause: 'Renaming an item moves its files, and never replaces a file.',
    fix: 'Move or delete the file that is in the way.',
  }),
  'rename/shared-handler': code<{ path: string; items: readonly string[] }>({
    severity: 'error',
    message: ({ path, items }) => `${quote(path)} cannot be moved: it also serves ${items.map(quote).join(', ')}`,
    cause: "The module's path follows from the item's name, and other items refer to that path.",
    fix: "Write its path under `handler` in the item's definition, so that it stays where it is.",
  }),
  'rename/broken-pack': code<{ path: string; reason: string }>({
    severity: 'error',
    message: ({ path, reason }) => `Nothing is renamed, because ${quote(path)} cannot be read: ${reason}`,
    cause: 'The file may mention the item, and cannot be changed safely until it is fixed.',
    fix: 'Fix the file first; `toolwright check` shows what is wrong with it.',
  }),
  'rename/by-hand': code<{ what: string; name: string }>({
    severity: 'warning',
    message: ({ what, name }) => `${what} must be changed to ${quote(name)} by hand`,
    cause:
      'The name is not written in a single place: it has escapes, spans several lines, or is part of a longer text.',
    fix: 'Change it yourself after the rename.',
  }),
  'rename/not-changed': code<{ name: string; more: number }>({
    severity: 'info',
    message: ({ name, more }) =>
      `${quote(name)} was not changed here${more === 0 ? '' : `, nor in ${more} more ${more === 1 ? 'place' : 'places'} in this file`}`,
    cause: 'Strings of your own code, your pages and titles are yours: they may mean something else.',
    fix: 'Change it by hand if it means the item; `toolwright docs` renews what it wrote into a page.',
  }),
  'rename/pattern': code<{ pattern: string; name: string; effect: 'leaves' | 'enters' }>({
    severity: 'warning',
    message: ({ pattern, name, effect }) =>
      effect === 'leaves'
        ? `The pattern ${quote(pattern)} does not match ${quote(name)}: this server no longer lists the item`
        : `The pattern ${quote(pattern)} matches ${quote(name)}: this server now lists the item`,
    cause: 'Servers that list items by a pattern follow their names.',
    fix: 'Change the list, or choose a name that the pattern treats as before.',
  }),
  'rename/wire-name': code<{ before: string; after: string }>({
    severity: 'info',
    message: ({ before, after }) => `Clients see ${quote(after)} from now on, not ${quote(before)}`,
    cause: "If a definition has no `name`, clients see the item's own name.",
    fix: 'To keep the name that clients see, write the old name under `name` in the definition.',
  }),
  'rename/changed-meanwhile': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `${quote(path)} was changed while the item was being renamed`,
    cause: 'A file is written only if it has not changed since it was read.',
    fix: 'Run the command again.',
  }),
  'rename/failed': code<{ path: string; reason: string }>({
    severity: 'error',
    message: ({ path, reason }) => `${quote(path)} could not be written: ${reason}`,
    cause: 'The operating system refused. Everything written before was restored.',
    fix: 'Make the folder writable, then run the command again.',
  }),
  'typecheck/error': code<{ number: number; message: string }>({
    severity: 'error',
    message: ({ number, message }) => `TS${number}: ${message}`,
    cause: 'The code does not match its types. The types of handlers come from the manifest.',
    fix: 'Change the code, or the manifest line shown with it; then run generate.',
  }),
  'typecheck/config': code<{ number: number; message: string }>({
    severity: 'error',
    message: ({ number, message }) => `TS${number}: ${message}`,
    cause: "The project's tsconfig has an error.",
    fix: 'Correct it.',
  }),
  'typecheck/compiler': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => `The project's TypeScript compiler cannot be run: ${reason}`,
    cause: 'Types are checked by the compiler that the project has in node_modules.',
    fix: 'Run npm install --save-dev typescript in the project.',
  }),
  'typecheck/not-generated': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `The types for handlers are missing: ${quote(path)} does not exist`,
    cause: 'The generated folder does not exist, or is not in the repository.',
    fix: 'Run toolwright generate.',
  }),
  'typecheck/out-of-date': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `${quote(path)} is out of date: run toolwright generate`,
    cause: 'The manifest changed after the types were generated, so a type check would prove nothing.',
    fix: 'Run toolwright generate.',
  }),
  'typecheck/unresolved': code<{ number: number; message: string }>({
    severity: 'error',
    message: ({ number, message }) => `TS${number}: ${message}`,
    cause: "The generated types need a module that cannot be found with the project's tsconfig.",
    fix: 'Set module to nodenext or node16 without a moduleResolution, or module to esnext with moduleResolution bundler. If CommonJS cannot import it, set skipLibCheck.',
  }),
} as const;
