import { code, enumerate, quote } from './entry.js';

/** `check --publish`, toolwright.lock and `toolwright build`: what keeps a pack or a server from being used elsewhere. */
export const publishCodes = {
  'publish/no-package': code({
    severity: 'error',
    message: () => 'a pack is published as an npm package, and this one has no package.json',
    cause: 'npm publishes only folders with a package.json.',
    fix: "Run npm init in the pack's folder.",
  }),
  'publish/incomplete': code<{ key: string }>({
    severity: 'error',
    message: ({ key }) => `package.json has no ${quote(key)}, which npm needs to publish`,
    cause: 'A published package has a name and a version.',
    fix: 'Add the key.',
  }),
  'publish/private': code({
    severity: 'error',
    message: () => '"private": true keeps npm from publishing this package',
    cause: 'npm refuses to publish a private package.',
    fix: 'Remove the line if the pack is meant to be published.',
  }),
  'publish/missing-keyword': code<{ keyword: string }>({
    severity: 'error',
    message: ({ keyword }) => `the keyword ${quote(keyword)} is missing, so nobody can find the pack`,
    cause: '`toolwright list --remote` finds packs in a registry by this keyword.',
    fix: 'Add it to `keywords` in package.json.',
  }),
  'publish/no-summary': code({
    severity: 'error',
    message: () => 'package.json has no summary of the pack, so nobody can see what is in it before installing it',
    cause: 'The key `toolwright` in package.json says what the pack contains, and registries can show it.',
    fix: 'Run `toolwright check --publish --fix`, ideally in the `prepack` script.',
  }),
  'publish/stale-summary': code<{ differs: readonly string[] }>({
    severity: 'error',
    message: ({ differs }) => `the pack's summary is out of date: ${enumerate(differs)} changed`,
    cause: 'The key `toolwright` in package.json does not match the manifests.',
    fix: 'Run `toolwright check --publish --fix`, ideally in the `prepack` script.',
  }),
  'publish/missing-files': code<{ paths: readonly string[] }>({
    severity: 'error',
    message: ({ paths }) => `the published package would lack ${enumerate(paths)}`,
    cause:
      'The pack needs a file that `npm pack` leaves out: `files` in package.json does not name it, or it is ignored.',
    fix: 'Add its folder to `files` in package.json.',
  }),
  'publish/not-built': code<{ paths: readonly string[] }>({
    severity: 'error',
    message: ({ paths }) => `once installed, the pack has no JavaScript for ${enumerate(paths)}`,
    cause: 'Installed packs are not compiled: their handlers come from the `dist` folder, or are JavaScript already.',
    fix: 'Build the pack before it is published, into the folder that `dist` in toolwright.yaml names.',
  }),
  'publish/stale-generated': code<{ paths: readonly string[] }>({
    severity: 'error',
    message: ({ paths }) => `generated code is out of date: ${enumerate(paths)}`,
    cause: 'Handlers import generated code, which is published with the pack.',
    fix: 'Run `toolwright generate`.',
  }),
  'publish/no-dependency': code({
    severity: 'warning',
    message: () => 'package.json does not list toolwright among its dependencies',
    cause:
      'Generated code imports `toolwright/support`; with another package manager, or in another project, it would not be found.',
    fix: 'Add toolwright to `dependencies` or `peerDependencies`.',
  }),
  'publish/unlisted-pack': code<{ kind: string; item: string; pack: string; package: string }>({
    severity: 'error',
    message: ({ kind, item, pack, package: name }) =>
      `the ${kind} ${quote(item)} uses items from the pack ${quote(pack)}, but package.json does not install ${quote(name)} with this one`,
    cause:
      'Installing the pack installs what its `dependencies`, `peerDependencies` and `optionalDependencies` name; what uses the pack would be missing there. `devDependencies` are installed only in this folder.',
    fix: 'Add the package to `dependencies`, for example with `npm install`.',
  }),
  'publish/local-dependency': code<{ name: string; range: string }>({
    severity: 'error',
    message: ({ name, range }) => `the dependency ${quote(name)} is ${quote(range)}, which only this machine has`,
    cause: 'npm publishes the path as it is, and on other machines there is nothing at that path.',
    fix: 'Write a version range that the registry has.',
  }),
  'publish/unused-build': code<{ path: string }>({
    severity: 'warning',
    message: ({ path }) => `the package includes the built server ${quote(path)}, which its \`bin\` does not name`,
    cause:
      "An installed pack's server is started from its manifests. Files left over from an earlier build only make the package larger, and may be outdated.",
    fix: 'Leave it out under `files`, build into another folder with `--out`, or name it under `bin`.',
  }),
  'publish/unwritten': code<{ what: string; path: string }>({
    severity: 'error',
    message: ({ what, path }) => `${what} would be published, but is not written yet: ${quote(path)}`,
    cause: 'A stub refuses every call with NOT_IMPLEMENTED.',
    fix: 'Write the function, or remove the item with `toolwright remove`.',
  }),
  'publish/placeholder': code<{ text: string }>({
    severity: 'error',
    message: ({ text }) => `${quote(text)} is what toolwright add wrote, and would be published`,
    cause: 'Nobody has written what the item does or means, and a published pack is used by people who cannot ask.',
    fix: 'Write it, or remove the item with `toolwright remove`.',
  }),
  'publish/first-description': code<{ text: string }>({
    severity: 'warning',
    message: ({ text }) => `${quote(text)} is what toolwright init wrote, for you to replace`,
    cause: 'Registries show the description of a package, and clients that of a server.',
    fix: 'Write what it is for.',
  }),
  'publish/not-packed': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => `npm cannot tell what it would publish: ${reason}`,
    cause: 'Toolwright runs `npm pack --dry-run` to see which files belong to the package.',
    fix: 'Fix what npm reports.',
  }),
  'pack/changed': code<{ kind: string; name: string; parts: readonly string[]; from: string; to: string }>({
    severity: 'error',
    message: ({ kind, name, parts, from, to }) =>
      `the ${kind} ${quote(name)} is not what was locked: its ${enumerate(parts).replaceAll('"', '')} changed${from === to ? '' : ` from version ${from} to ${to}`}`,
    cause:
      'Another pack changed what models and clients read about an item after you accepted it. That is how harmless tools become harmful.',
    fix: 'Look at the item with `toolwright inspect`, then accept it with `toolwright lock`; or install the version that was locked.',
  }),
  'pack/not-locked': code<{ kind: string; name: string }>({
    severity: 'warning',
    message: ({ kind, name }) => `the ${kind} ${quote(name)} has no line in toolwright.lock`,
    cause:
      'A server uses an item from another pack that nobody has accepted yet; perhaps a pattern matches a new item.',
    fix: 'Look at the item with `toolwright inspect`, then accept it with `toolwright lock`.',
  }),
  'lock/left-out': code<{ kind: string; name: string; reason: string }>({
    severity: 'warning',
    message: ({ kind, name, reason }) => `the ${kind} ${quote(name)} is left out of the server (--frozen): ${reason}`,
    cause: 'With --frozen, only items from other packs that match toolwright.lock are served.',
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
    fix: 'Keep one line per item and remove the conflict markers, then run `toolwright lock` to see what still differs.',
  }),
  'lock/syntax': code({
    severity: 'error',
    message: () => 'this is not a valid line of toolwright.lock',
    cause: 'A line is an item, its kind, its version and four hashes, separated by single spaces.',
    fix: 'Restore the line from an earlier commit, or remove it and run `toolwright lock`.',
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
      `toolwright.lock has format ${format}; format ${known} also pins handlers, options, configuration, context and resource texts`,
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
  'build/no-server': code<{ pack: string }>({
    severity: 'error',
    message: ({ pack }) => `${pack} has no server to build`,
    cause: 'A build makes one program per server, and the pack has no enabled server.',
    fix: 'Write `mcp/servers/main.yaml`, or compile only the handlers with `toolwright build --pack`.',
  }),
  'build/unknown-server': code<{ name: string; known: readonly string[] }>({
    severity: 'error',
    message: ({ name, known }) =>
      `there is no server ${quote(name)}${known.length === 0 ? '' : `; the pack has ${enumerate(known)}`}`,
    cause: 'The command line names a server that the pack does not define, or that is disabled.',
    fix: "Name one of the pack's servers, or omit the name to build all of them.",
  }),
  'build/module': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => reason,
    cause: "One of the pack's modules, or a package that it imports, cannot be bundled.",
    fix: 'Fix the import or the syntax. Use `--external` for a package that cannot be bundled.',
  }),
  'build/module-warning': code<{ reason: string }>({
    severity: 'warning',
    message: ({ reason }) => reason,
    cause: 'The bundler found something that may not work as it does in the source.',
    fix: 'Change the code, or keep the package out of the bundle with `--external`.',
  }),
  'build/own-place': code<{ asks: string }>({
    severity: 'warning',
    message: ({ asks }) => `${asks} points elsewhere in a build, and the files next to the module are not there`,
    cause:
      'A module asks for its own location, probably to read or load files next to it. A build contains modules, not their folders.',
    fix: "Refer to a file as `new URL('./file', import.meta.url)`, which includes it in the build, and import modules and JSON.",
  }),
  'build/package-place': code<{ name: string; asks: string }>({
    severity: 'warning',
    message: ({ name, asks }) =>
      `the package ${quote(name)} looks for files next to itself (${asks}), which a build does not contain`,
    cause:
      'A package asks for its own location, probably to read its own files. A build contains its modules, not its other files.',
    fix: 'Try what needs it in the built server. If that fails, keep the package out of the bundle with `--external`.',
  }),
  'build/unused-external': code<{ name: string }>({
    severity: 'warning',
    message: ({ name }) => `nothing imports ${quote(name)}, which --external names`,
    cause: '--external names a package that no handler imports; it may be misspelt.',
    fix: 'Write the name as handlers import it, or omit the flag.',
  }),
  'build/isolate': code<{ what: string }>({
    severity: 'error',
    message: ({ what }) => `${what} (\`isolate: thread\`), and workers have no threads`,
    cause: 'Hosts of a server that is built with `--target worker` have no threads.',
    fix: 'Write `isolate: none`, leave such tools out of the server, or build for Node.',
  }),
  'build/backend': code<{ kind: string; item: string; key: string }>({
    severity: 'error',
    message: ({ kind, item, key }) => `the ${kind} ${quote(item)} has \`${key}\`, which workers cannot run`,
    cause:
      'Hosts of a server that is built with `--target worker` start no programs, and give no say in which address a request connects to.',
    fix: 'Leave such items out of the server, write a handler, or build for Node.',
  }),
  'build/large-file': code<{ path: string; bytes: number; limit: number }>({
    severity: 'error',
    message: ({ path, bytes, limit }) =>
      `${quote(path)} has ${bytes} bytes; resources and prompts send at most ${limit}`,
    cause: 'A resource or a message names a file that is too large to be sent, so every request for it would fail.',
    fix: 'Make the file smaller, or read it in a handler that returns only part of it.',
  }),
  'build/out-folder': code<{ path: string; reason: string }>({
    severity: 'error',
    message: ({ path, reason }) => `nothing can be built into ${quote(path)}: ${reason}`,
    cause: 'The output of a build must not mix with its sources, nor with files that it did not write.',
    fix: 'Name another folder with `--out`.',
  }),
  'build/foreign': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `${quote(path)} was not written by build, so it is left as it is`,
    cause: 'A built server is a file and a folder next to it, and something else already has that name.',
    fix: 'Move or delete it, or name another folder with `--out`.',
  }),
  'build/name-clash': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `two servers would both be built into ${quote(path)}`,
    cause: 'Each server is built into a file and a folder with its name, and these two servers need the same path.',
    fix: 'Build them one by one into separate folders with `--out`, or rename one of them.',
  }),
  'build/not-written': code<{ path: string; reason: string }>({
    severity: 'error',
    message: ({ path, reason }) => `${quote(path)} cannot be written: ${reason}`,
    cause: 'The operating system refused. The previous files are unchanged.',
    fix: 'Fix the cause (disk space, permissions, a file in use) and build again.',
  }),
  'build/no-start': code<{ server: string; reason: string }>({
    severity: 'error',
    message: ({ server, reason }) => `the built server ${quote(server)} does not start: ${reason}`,
    cause: 'Every build is started once in an empty folder, with nothing but Node. This one did not answer.',
    fix: 'Read what it printed. If nothing in the pack explains it, please report it.',
  }),
  'build/mismatch': code<{ server: string; list: string; reason: string }>({
    severity: 'error',
    message: ({ server, list, reason }) => `the built server ${quote(server)} lists different ${list}: ${reason}`,
    cause: 'What the built server lists differs from the manifests.',
    fix: 'This is a bug in the build, not in the pack: please report it.',
  }),
} as const;
