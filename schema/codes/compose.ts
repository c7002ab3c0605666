import { code, quote } from './entry.js';

/** What servers take from other packs and from code. */
export const composeCodes = {
  'pack/not-installed': code<{ pack: string }>({
    severity: 'error',
    message: ({ pack }) => `the pack ${quote(pack)} is not installed`,
    cause: 'A server names an item of a pack that no node_modules folder on the way up has.',
    fix: 'Install the package of the pack: pack is npm pack, publisher/pack is npm @publisher/pack.',
  }),
  'pack/no-manifest': code<{ pack: string; folder: string }>({
    severity: 'error',
    message: ({ pack, folder }) => `${quote(pack)} is no pack: ${quote(folder)} has no toolwright.yaml`,
    cause: 'The package is installed, but it is a plain package, or its toolwright.yaml was not published.',
    fix: 'Correct the name, or add toolwright.yaml to `files` in the package.json of the pack.',
  }),
  'pack/unusable': code<{ pack: string }>({
    severity: 'error',
    message: ({ pack }) => `the pack ${quote(pack)} cannot be loaded`,
    cause: 'The pack is installed, but its toolwright.yaml has mistakes; they are reported beside this one.',
    fix: 'Correct the file, or install a version of the pack without the mistake.',
  }),
  'pack/dependency-missing': code<{ server: string; item: string; pack: string }>({
    severity: 'error',
    message: ({ server, item, pack }) =>
      `the server ${quote(server)} needs ${quote(item)} of the pack ${quote(pack)}, which is not installed`,
    cause: 'A server that is to run names an item of a pack that is not there and could not be installed.',
    fix: 'Install the package of the pack. Packs that package.json lists are installed at start, unless --no-install or TOOLWRIGHT_NO_INSTALL forbid it.',
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
    cause: 'The definition of the item has mistakes; they are reported beside this one.',
    fix: 'Correct the definition, or install a version of the pack without the mistake.',
  }),
  'pack/unknown-built-in': code<{ kind: string; name: string }>({
    severity: 'error',
    message: ({ kind, name }) => `there is no built-in ${kind} ${quote(name)}`,
    cause: 'In code, a name without a slash is a built-in; items of packs are named pack/item or publisher/pack/item.',
    fix: 'Write the qualified name, also for items of your own pack.',
  }),
  'pack/no-function': code<{ kind: string; item: string }>({
    severity: 'error',
    message: ({ kind, item }) => `the ${kind} ${quote(item)} has no handler: a function is needed`,
    cause: 'What is defined in code is run by a function of the same code.',
    fix: 'Add `handler`, a function.',
  }),
  'pack/name-in-use': code<{ kind: string; name: string }>({
    severity: 'error',
    message: ({ kind, name }) => `the server has a ${kind} ${quote(name)} already`,
    cause: 'What is added to a running server renames nothing that clients know, so that its name must be free.',
    fix: 'Choose another name, or remove the other one first.',
  }),
} as const;
