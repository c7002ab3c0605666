import { code, enumerate, quote } from './entry.js';

/** What toolwright.lock says about items of other packs. */
export const lockCodes = {
  'pack/changed': code<{ kind: string; name: string; parts: readonly string[]; from: string; to: string }>({
    severity: 'error',
    message: ({ kind, name, parts, from, to }) =>
      `the ${kind} ${quote(name)} is not what was locked: its ${enumerate(parts).replaceAll('"', '')} changed${from === to ? '' : ` from version ${from} to ${to}`}`,
    cause:
      'Another pack changed what models and clients read of an item after it was accepted. That is how harmless tools turn into harmful ones.',
    fix: 'Look at the item with `toolwright inspect`, then accept it with `toolwright lock`; or install the version that was locked.',
  }),
  'pack/not-locked': code<{ kind: string; name: string }>({
    severity: 'warning',
    message: ({ kind, name }) => `the ${kind} ${quote(name)} has no line in toolwright.lock`,
    cause: 'A server uses an item of another pack that nobody has accepted yet; perhaps a pattern matches a new item.',
    fix: 'Look at the item with `toolwright inspect`, then accept it with `toolwright lock`.',
  }),
  'lock/left-out': code<{ kind: string; name: string; reason: string }>({
    severity: 'warning',
    message: ({ kind, name, reason }) => `the ${kind} ${quote(name)} is left out of the server (--frozen): ${reason}`,
    cause: '--frozen serves only those items of other packs that match toolwright.lock.',
    fix: 'Look at the item with `toolwright inspect`, then accept it with `toolwright lock`.',
  }),
  'lock/unreadable': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => `toolwright.lock cannot be read: ${reason}`,
    cause: 'It is not a readable text file inside this pack.',
    fix: 'Remove it and make a new one with `toolwright lock`.',
  }),
  'lock/conflict': code({
    severity: 'error',
    message: () => 'toolwright.lock has a merge conflict here',
    cause: 'Two branches changed the same line; a person must decide which one is right.',
    fix: 'Keep one line per item and remove the marks, then run `toolwright lock` to see what is still different.',
  }),
  'lock/syntax': code({
    severity: 'error',
    message: () => 'this is not a valid line of toolwright.lock',
    cause: 'A line is an item, its kind, its version and four hashes, separated by single spaces.',
    fix: 'Take the line from an earlier commit, or remove it and run `toolwright lock`.',
  }),
  'lock/duplicate': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `${quote(name)} has two lines in toolwright.lock`,
    cause: 'A merge kept both sides; a person must decide which one is right.',
    fix: 'Keep one of the lines.',
  }),
  'lock/old-format': code<{ format: number; known: number }>({
    severity: 'warning',
    message: ({ format, known }) =>
      `toolwright.lock has format ${format}; format ${known} also pins handlers, options, configuration, context and texts of resources`,
    cause: 'An earlier version of toolwright wrote the file. What it pins still holds.',
    fix: 'Run `toolwright lock`, and review the items: what is pinned now was not before.',
  }),
  'lock/format': code<{ format: string; known: number }>({
    severity: 'error',
    message: ({ format, known }) =>
      `toolwright.lock has format ${format}, but this version reads formats up to ${known}`,
    cause: 'Another version of toolwright wrote the file.',
    fix: 'Install that version, or remove the file and make a new one with `toolwright lock`.',
  }),
} as const;
