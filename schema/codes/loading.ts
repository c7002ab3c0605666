import { code, enumerate, quote } from './entry.js';

/** Finding, reading and parsing files; which definition wins; overlays; items of other packs and of code. */
export const loadingCodes = {
  'discover/no-manifest': code<{ folder: string }>({
    severity: 'error',
    message: ({ folder }) => `there is no toolwright.yaml in ${quote(folder)}`,
    cause: 'A pack is a folder with a toolwright.yaml, and the folder has none.',
    fix: "Run the command in a pack's folder, or name the folder. An empty toolwright.yaml is a valid start.",
  }),
  'discover/package-json': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => `package.json cannot be used: ${reason}`,
    cause: "A pack's name and version come from the package.json next to it, which is broken.",
    fix: 'Fix package.json, or remove it.',
  }),
  'discover/package-field': code<{ key: string; actual: string }>({
    severity: 'warning',
    message: ({ key, actual }) => `${quote(key)} in package.json is ${actual}, not a string, so it is not used`,
    cause:
      "A pack's name and version come from the package.json next to it. Without them, the pack is named after its folder and has the version 0.0.0.",
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
    fix: 'Check the permissions of the file and its folders.',
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
    message: ({ nodes }) => `the aliases in this document expand to more than ${nodes} values`,
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
  'parse/cut-text': code<{ kept: string }>({
    severity: 'warning',
    message: ({ kept }) => `a comment begins here, so the text is only ${quote(kept)}`,
    cause: 'In text without quotes, everything after a space and a # is a YAML comment.',
    fix: 'Put the text in quotes. If it is meant to be a comment, write two spaces before the #.',
  }),
  'parse/anchor-text': code<{ anchor: string; kept: string }>({
    severity: 'warning',
    message: ({ anchor, kept }) => `${quote(`&${anchor}`)} is a YAML anchor, so the text is only ${quote(kept)}`,
    cause:
      'A word that starts with & before a value names the value, for aliases that repeat it. No alias uses this one.',
    fix: 'Put the text in quotes.',
  }),
  'parse/curly-quotes': code({
    severity: 'warning',
    message: () => 'these quotes are part of the text',
    cause: 'Word processors replace straight quotes with curly ones, which YAML takes for text.',
    fix: 'Write straight quotes, or none. Curly quotes that are meant need straight ones around them.',
  }),
  'parse/too-deep': code<{ limit: number }>({
    severity: 'error',
    message: ({ limit }) => `the data is nested more than ${limit} levels deep`,
    cause: 'No definition needs to be this deep; it would exhaust the stack of programs that read it.',
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
  'resolve/missing-root': code<{ root: string }>({
    severity: 'error',
    message: ({ root }) => `the root folder ${quote(root)} does not exist`,
    cause: 'Items are declared, but the folder that defines them is missing.',
    fix: 'Create the folder, or set `root` to the right one.',
  }),
  'resolve/path-escape': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `${quote(path)} is outside the pack`,
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
    cause: 'The same definition exists in several formats: .json overrides .yaml, and .yaml overrides .yml.',
    fix: 'Remove the files that you do not want.',
  }),
  'resolve/shadowed-entry': code<{ kind: string; item: string; used: string; ignored: string }>({
    severity: 'info',
    message: ({ kind, item, used, ignored }) =>
      `the ${kind} ${quote(item)} in ${quote(ignored)} is ignored: ${quote(used)} defines it`,
    cause: "An item's own file overrides its entry in the combined file, so this entry has no effect.",
    fix: 'Remove the entry, or the file.',
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
      'Names must differ even when case is ignored and after conversion to camelCase, because of file systems and generated code.',
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
  'overlay/not-found': code<{ folder: string }>({
    severity: 'error',
    message: ({ folder }) => `the overlay folder ${quote(folder)} does not exist`,
    cause: '--overlay or TOOLWRIGHT_OVERLAY names a folder that does not exist.',
    fix: 'Correct the path.',
  }),
  'overlay/unknown-item': code<{ kind: string; item: string }>({
    severity: 'warning',
    message: ({ kind, item }) => `the overlay patches the ${kind} ${quote(item)}, which the pack does not have`,
    cause: 'The overlay has a file or key for an item that the pack does not have.',
    fix: 'Correct the name, or remove the patch.',
  }),
  'overlay/unqualified': code<{ kind: string; item: string; pack: string }>({
    severity: 'warning',
    message: ({ kind, item, pack }) =>
      `the overlay patches this project's ${kind} ${quote(item)}, not the one in ${quote(pack)}`,
    cause:
      "In an overlay, a name without a slash means one of this project's items, but the server is from another pack.",
    fix: 'Write the qualified name into a combined file, as in `acme/jira/get-issue: { enabled: false }`.',
  }),
  'overlay/unknown-pack': code<{ kind: string; item: string; pack: string }>({
    severity: 'warning',
    message: ({ kind, item, pack }) =>
      `the overlay patches the ${kind} ${quote(item)} in the pack ${quote(pack)}, which is not installed`,
    cause: 'A qualified name in an overlay names a pack that is not installed.',
    fix: 'Correct the name, or remove the patch.',
  }),
  'overlay/refused': code<{ field: string; kind: string }>({
    severity: 'error',
    message: ({ field, kind }) => `an overlay cannot change ${quote(field)} of a ${kind}`,
    cause: "Overlays change only texts and policy, never a tool's name, input, output or code.",
    fix: 'Change the definition itself.',
  }),
  'overlay/unknown-option': code<{ option: string; item: string }>({
    severity: 'warning',
    message: ({ option, item }) => `${quote(item)} has no option ${quote(option)}`,
    cause: 'An overlay sets an option that the tool does not declare.',
    fix: 'Correct the name.',
  }),
  'overlay/option-type': code<{ option: string; expected: string; actual: string }>({
    severity: 'error',
    message: ({ option, expected, actual }) => `the option ${quote(option)} must be ${expected}, not ${actual}`,
    cause: "The overlay's value for this option does not have the type that the tool declares.",
    fix: 'Write a value of the declared type.',
  }),
  'pack/not-installed': code<{ pack: string }>({
    severity: 'error',
    message: ({ pack }) => `the pack ${quote(pack)} is not installed`,
    cause: 'A server names an item from a pack that no node_modules folder has, here or above.',
    fix: "Install the pack's npm package: the pack `name` is the package `name`, and `publisher/name` is `@publisher/name`.",
  }),
  'pack/no-manifest': code<{ pack: string; folder: string }>({
    severity: 'error',
    message: ({ pack, folder }) => `${quote(pack)} is not a pack: ${quote(folder)} has no toolwright.yaml`,
    cause: 'The package is installed, but it is a plain package, or its toolwright.yaml was not published.',
    fix: "Correct the name, or add toolwright.yaml to `files` in the pack's package.json.",
  }),
  'pack/unusable': code<{ pack: string }>({
    severity: 'error',
    message: ({ pack }) => `the pack ${quote(pack)} cannot be loaded`,
    cause: 'The pack is installed, but its toolwright.yaml has errors; they are reported separately.',
    fix: 'Fix the file, or install a version of the pack without the error.',
  }),
  'pack/dependency-missing': code<{ server: string; item: string; pack: string }>({
    severity: 'error',
    message: ({ server, item, pack }) =>
      `the server ${quote(server)} needs ${quote(item)} from the pack ${quote(pack)}, which is not installed`,
    cause: 'A server names an item from a pack that is not installed and could not be installed.',
    fix: "Install the pack's package. Packs that package.json lists are installed when the server starts, unless --no-install or TOOLWRIGHT_NO_INSTALL is set.",
  }),
  'pack/unknown-item': code<{ pack: string; kind: string; item: string }>({
    severity: 'error',
    message: ({ pack, kind, item }) => `the pack ${quote(pack)} has no ${kind} ${quote(item)}`,
    cause: 'A server names an item that the pack does not have.',
    fix: 'Correct the name.',
  }),
  'pack/broken-item': code<{ pack: string; kind: string; item: string }>({
    severity: 'error',
    message: ({ pack, kind, item }) => `the ${kind} ${quote(item)} in the pack ${quote(pack)} cannot be used`,
    cause: "The item's definition has errors; they are reported separately.",
    fix: 'Fix the definition, or install a version of the pack without the error.',
  }),
  'pack/unknown-built-in': code<{ kind: string; name: string }>({
    severity: 'error',
    message: ({ kind, name }) => `there is no built-in ${kind} ${quote(name)}`,
    cause:
      'In code, a name without a slash is a built-in item; items in packs are named pack/item or publisher/pack/item.',
    fix: 'Write the qualified name, even for items of your own pack.',
  }),
  'pack/no-function': code<{ kind: string; item: string }>({
    severity: 'error',
    message: ({ kind, item }) => `the ${kind} ${quote(item)} has no handler: it needs a function`,
    cause: 'Items that are defined in code are run by a function in the same code.',
    fix: 'Add `handler`, a function.',
  }),
  'pack/isolate': code<{ tool: string }>({
    severity: 'error',
    message: ({ tool }) => `the tool ${quote(tool)} cannot run in a thread: its handler is a function in code`,
    cause: '`isolate: thread` has a module imported in another thread. A function cannot be sent there.',
    fix: 'Remove `isolate`, or define the tool in a pack.',
  }),
  'pack/name-in-use': code<{ kind: string; name: string }>({
    severity: 'error',
    message: ({ kind, name }) => `the server already has a ${kind} ${quote(name)}`,
    cause: 'Adding to a running server never renames what clients already know, so the name must be free.',
    fix: 'Choose another name, or remove the other one first.',
  }),
} as const;
