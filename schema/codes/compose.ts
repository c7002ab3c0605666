import { code, quote } from './entry.js';

/** What servers take from other packs and from code. */
export const composeCodes = {
  'pack/not-installed': code<{ pack: string }>({
    severity: 'error',
    message: ({ pack }) => `the pack ${quote(pack)} is not installed`,
    cause: 'A server names an item of a pack that is in no node_modules folder, here or above.',
    fix: 'Install the package of the pack: pack is npm pack, publisher/pack is npm @publisher/pack.',
  }),
  'pack/no-manifest': code<{ pack: string; folder: string }>({
    severity: 'error',
    message: ({ pack, folder }) => `${quote(pack)} is not a pack: ${quote(folder)} has no toolwright.yaml`,
    cause: 'The package is installed, but it is a plain package, or its toolwright.yaml was not published.',
    fix: 'Correct the name, or add toolwright.yaml to `files` in the package.json of the pack.',
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
      `the server ${quote(server)} needs ${quote(item)} of the pack ${quote(pack)}, which is not installed`,
    cause: 'A server names an item of a pack that is not installed and could not be installed.',
    fix: 'Install the package of the pack. Packs that package.json lists are installed at start, unless --no-install or TOOLWRIGHT_NO_INSTALL forbids it.',
  }),
  'pack/unknown-item': code<{ pack: string; kind: string; item: string }>({
    severity: 'error',
    message: ({ pack, kind, item }) => `the pack ${quote(pack)} has no ${kind} ${quote(item)}`,
    cause: 'A server names an item that the pack does not have.',
    fix: 'Correct the name.',
  }),
  'pack/broken-item': code<{ pack: string; kind: string; item: string }>({
    severity: 'error',
    message: ({ pack, kind, item }) => `the ${kind} ${quote(item)} of the pack ${quote(pack)} cannot be used`,
    cause: 'The definition of the item has errors; they are reported separately.',
    fix: 'Fix the definition, or install a version of the pack without the error.',
  }),
  'pack/unknown-built-in': code<{ kind: string; name: string }>({
    severity: 'error',
    message: ({ kind, name }) => `there is no built-in ${kind} ${quote(name)}`,
    cause: 'In code, a name without a slash is a built-in; items of packs are named pack/item or publisher/pack/item.',
    fix: 'Write the qualified name, even for items of your own pack.',
  }),
  'pack/no-function': code<{ kind: string; item: string }>({
    severity: 'error',
    message: ({ kind, item }) => `the ${kind} ${quote(item)} has no handler: it needs a function`,
    cause: 'Items that are defined in code are run by a function in the same code.',
    fix: 'Add `handler`, a function.',
  }),
  'pack/name-in-use': code<{ kind: string; name: string }>({
    severity: 'error',
    message: ({ kind, name }) => `the server already has a ${kind} ${quote(name)}`,
    cause: 'Adding to a running server never renames what clients already know, so the name must be free.',
    fix: 'Choose another name, or remove the other one first.',
  }),
} as const;
