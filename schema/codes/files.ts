import { code, quote } from './entry.js';

/** Finding, reading and parsing files. */
export const fileCodes = {
  'discover/no-manifest': code<{ folder: string }>({
    severity: 'error',
    message: ({ folder }) => `there is no toolwright.yaml in ${quote(folder)}`,
    cause: 'A pack is a folder with a toolwright.yaml, and the folder has none.',
    fix: 'Run the command in the folder of a pack, or name the folder. An empty toolwright.yaml is a valid start.',
  }),
  'discover/package-json': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => `package.json cannot be used: ${reason}`,
    cause: 'The name and version of a pack default to those of the package.json beside it, which is broken.',
    fix: 'Fix package.json, or remove it.',
  }),
  'discover/package-field': code<{ key: string; actual: string }>({
    severity: 'warning',
    message: ({ key, actual }) => `${quote(key)} in package.json is ${actual}, not a string, so it is not used`,
    cause:
      'The name and version of a pack default to those of the package.json beside it. Without them, the pack has the name of its folder and the version 0.0.0.',
    fix: 'Write a string, in quotes.',
  }),
  'read/not-found': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `the file ${quote(path)} does not exist`,
    cause: 'A manifest names a file that does not exist.',
    fix: 'Paths are relative to the pack folder, not to the file that names them.',
  }),
  'read/not-a-file': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `${quote(path)} is not a regular file`,
    cause: 'There is a folder, a pipe or a device where a file is expected.',
    fix: 'Rename or remove it.',
  }),
  'read/failed': code<{ path: string; reason: string }>({
    severity: 'error',
    message: ({ path, reason }) => `${quote(path)} cannot be read: ${reason}`,
    cause: 'The operating system refused to read the file.',
    fix: 'Check the permissions of the file and of its folders.',
  }),
  'read/too-large': code<{ path: string; bytes: number; limit: number }>({
    severity: 'error',
    message: ({ path, bytes, limit }) => `${quote(path)} has ${bytes} bytes; at most ${limit} are read`,
    cause: 'The file is far larger than any manifest.',
    fix: 'Split it: one file per item, or data in a resource `file`.',
  }),
  'read/encoding': code({
    severity: 'error',
    message: () => 'the file is not valid UTF-8 here',
    cause: 'Manifests are UTF-8 text; the file has bytes that are not.',
    fix: 'Save the file as UTF-8.',
  }),
  'parse/yaml': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => reason,
    cause: 'The text is not valid YAML 1.2.',
    fix: 'Check the indentation, quotes and colons at or just before this position.',
  }),
  'parse/json': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => reason,
    cause: 'The text is not valid JSON. Comments and trailing commas are not JSON.',
    fix: 'Fix the JSON, or rename the file to .yaml, which allows comments.',
  }),
  'parse/empty': code({
    severity: 'error',
    message: () => 'the file has no data',
    cause: 'The file is empty, or has only comments.',
    fix: 'Write a definition, or remove the file.',
  }),
  'parse/multiple-documents': code({
    severity: 'error',
    message: () => 'only combined files may contain several YAML documents',
    cause: 'A per-item file defines exactly one item, but a second document starts here.',
    fix: 'Move the other documents to separate files, or to the combined file.',
  }),
  'parse/duplicate-key': code<{ key: string }>({
    severity: 'error',
    message: ({ key }) => `the key ${quote(key)} is given twice`,
    cause: 'A map has the same key twice; only one value could be kept.',
    fix: 'Remove or rename one of them.',
  }),
  'parse/tab': code({
    severity: 'error',
    message: () => 'YAML does not allow tabs for indentation',
    cause: 'There is a tab where YAML counts spaces.',
    fix: 'Indent with spaces.',
  }),
  'parse/unknown-alias': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `the alias ${quote(`*${name}`)} has no anchor`,
    cause: 'An alias refers to an anchor that is not defined before it in the same document.',
    fix: 'Define the anchor with & before its first use. Text that starts with * needs quotes.',
  }),
  'parse/alias-cycle': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `the alias ${quote(`*${name}`)} contains itself`,
    cause: 'An alias is inside its own anchor, so the data would be endless.',
    fix: 'Remove the inner alias. For recursive schemas use $ref.',
  }),
  'parse/alias-bomb': code<{ nodes: number }>({
    severity: 'error',
    message: ({ nodes }) => `the aliases of this document expand to more than ${nodes} values`,
    cause: 'Aliases of aliases multiply: a small file would fill the memory.',
    fix: 'Use fewer nested aliases.',
  }),
  'parse/tag': code<{ tag: string }>({
    severity: 'error',
    message: ({ tag }) => `the tag ${quote(tag)} has no meaning here`,
    cause: 'Manifests are plain data; custom YAML tags are not resolved.',
    fix: 'Remove the tag. Text that starts with ! needs quotes.',
  }),
  'parse/complex-key': code({
    severity: 'error',
    message: () => 'a key must be plain text',
    cause: 'There is a list, a map or nothing where a key is expected.',
    fix: 'Put text with braces or brackets in quotes.',
  }),
  'parse/not-json': code<{ text: string }>({
    severity: 'error',
    message: ({ text }) => `${quote(text)} cannot be expressed in JSON`,
    cause: 'Definitions reach clients as JSON, which has no infinity and no NaN.',
    fix: 'Leave the limit out, or put the text in quotes.',
  }),
  'parse/lost-digits': code<{ typed: string; kept: string }>({
    severity: 'warning',
    message: ({ typed, kept }) => `${typed} becomes ${kept}: numbers keep about sixteen digits`,
    cause: 'JavaScript and most readers of JSON keep integers exactly only up to 9007199254740991.',
    fix: 'Write it as a string, in quotes, with `type: string` if it is a value of that schema.',
  }),
  'parse/too-deep': code<{ limit: number }>({
    severity: 'error',
    message: ({ limit }) => `the data is nested more than ${limit} levels deep`,
    cause: 'No definition needs this depth; it exhausts the stack of the programs that read it.',
    fix: 'Use $ref and $defs instead of nesting.',
  }),
  'parse/too-many': code<{ limit: number }>({
    severity: 'error',
    message: ({ limit }) => `the file has more than ${limit} lines, lists and entries`,
    cause: 'No pack needs this many parts in one file; reading them would fill the memory.',
    fix: 'Give each item its own file.',
  }),
  'parse/forbidden-key': code<{ key: string }>({
    severity: 'error',
    message: ({ key }) => `the key ${quote(key)} is not allowed`,
    cause: 'This key is special in JavaScript: it could change every object of a program.',
    fix: 'Use another name.',
  }),
  'parse/control-character': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `the text has the control character ${name}`,
    cause: 'YAML and JSON allow no control characters except tabs and line breaks.',
    fix: 'Remove it, or write it as an escape in double quotes.',
  }),
} as const;
