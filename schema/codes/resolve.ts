import { code, enumerate, quote } from './entry.js';

/** Which definition wins. */
export const resolveCodes = {
  'resolve/missing-root': code<{ root: string }>({
    severity: 'error',
    message: ({ root }) => `the root folder ${quote(root)} does not exist`,
    cause: 'Items are declared, but the folder that defines them is missing.',
    fix: 'Create the folder, or set `root` to the right one.',
  }),
  'resolve/path-escape': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `${quote(path)} leads out of the pack`,
    cause:
      'A pack is read and published as one folder; nothing outside belongs to it. Symbolic links are followed first.',
    fix: 'Move the file into the pack and use a relative path.',
  }),
  'resolve/missing-definition': code<{ kind: string; item: string; path: string }>({
    severity: 'error',
    message: ({ kind, item, path }) => `the ${kind} ${quote(item)} has no definition: expected ${quote(path)}`,
    cause: 'An item is declared, but neither its own file nor the combined file defines it.',
    fix: 'Write the definition at the expected path, or remove the declaration.',
  }),
  'resolve/duplicate-format': code<{ used: string; ignored: readonly string[] }>({
    severity: 'warning',
    message: ({ used, ignored }) =>
      `${quote(used)} is used, ${enumerate(ignored)} ${ignored.length > 1 ? 'are' : 'is'} ignored`,
    cause: 'The same definition exists in several formats: .json comes before .yaml, .yaml before .yml.',
    fix: 'Remove the files that you do not want.',
  }),
  'resolve/duplicate-declaration': code<{ kind: string; item: string }>({
    severity: 'error',
    message: ({ kind, item }) => `the ${kind} ${quote(item)} is declared twice`,
    cause: 'An item can be declared only once.',
    fix: 'Remove one of the declarations.',
  }),
  'resolve/duplicate-item': code<{ kind: string; item: string }>({
    severity: 'error',
    message: ({ kind, item }) => `the ${kind} ${quote(item)} is defined twice`,
    cause: 'Two definitions of the same rank have the same name, so neither wins.',
    fix: 'Rename or remove one of them.',
  }),
  'resolve/name-clash': code<{ kind: string; item: string; other: string }>({
    severity: 'error',
    message: ({ kind, item, other }) =>
      `the ${kind} names ${quote(item)} and ${quote(other)} would be the same in code`,
    cause:
      'Names must differ even ignoring case and after conversion to camelCase, for file systems and for generated code.',
    fix: 'Rename one of them. What clients see can be set with `name`.',
  }),
  'resolve/item-name': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) =>
      `${quote(name)} is not a valid item name: only letters, digits, dots, dashes and underscores are allowed`,
    cause: 'Item names start with a letter or digit and contain only letters, digits, dots, dashes and underscores.',
    fix: 'Rename it. What clients see can be set with `name`.',
  }),
  'resolve/reserved-name': code<{ name: string; reason: string }>({
    severity: 'warning',
    message: ({ name, reason }) => `Windows cannot have files called ${quote(name)}: ${reason}`,
    cause:
      'Items give their names to files: definitions, handlers, generated code. Windows keeps some names for devices, and drops a dot at the end.',
    fix: 'Rename it. What clients see can be set with `name`.',
  }),
  'resolve/stray': code<{ path: string; meant?: string }>({
    severity: 'warning',
    message: ({ path, meant }) =>
      meant === undefined
        ? `${quote(path)} is never read: it does not belong to any kind of item`
        : `${quote(path)} is never read; ${quote(meant)} would be`,
    cause:
      'Definitions are in servers/, tools/, prompts/ and resources/, not in folders below these, or in the combined files of these names, with lower-case extensions.',
    fix: 'Rename it, or move it elsewhere if it is not a definition.',
  }),
  'resolve/unreachable': code<{ kind: string; item: string }>({
    severity: 'warning',
    message: ({ kind, item }) => `the ${kind} ${quote(item)} is defined here but not declared, so nothing can use it`,
    cause: 'toolwright.yaml lists the items of this kind, and this one is not in the list.',
    fix: 'Add it to the list, remove the definition, or remove the whole list so that all files are discovered.',
  }),
  'resolve/name-mismatch': code<{ manifest: string; packageName: string }>({
    severity: 'error',
    message: ({ manifest, packageName }) =>
      `the pack is ${quote(manifest)} here but ${quote(packageName)} in package.json`,
    cause: 'A pack and its npm package have the same name (`acme/jira` is `@acme/jira`), or references to it break.',
    fix: 'Remove `name`, or make both agree.',
  }),
} as const;
