import { code, enumerate, quote } from './entry.js';

/** What keeps a pack from being found and used once it is published to npm: `check --publish`. */
export const publishCodes = {
  'publish/no-package': code({
    severity: 'error',
    message: () => 'a pack is published as an npm package, and this one has no package.json',
    cause: 'npm publishes folders with a package.json only.',
    fix: 'Run npm init in the folder of the pack.',
  }),
  'publish/incomplete': code<{ key: string }>({
    severity: 'error',
    message: ({ key }) => `package.json has no ${quote(key)}, without which npm publishes nothing`,
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
    message: () => 'package.json has no summary of the pack, so its contents are unknown until it is installed',
    cause: 'The key `toolwright` of package.json says what the pack has. Registries show it without the package.',
    fix: 'Run `toolwright check --publish --fix`, ideally in the `prepack` script.',
  }),
  'publish/stale-summary': code<{ differs: readonly string[] }>({
    severity: 'error',
    message: ({ differs }) => `the summary of the pack is out of date: ${enumerate(differs)} changed`,
    cause: 'The key `toolwright` of package.json does not say what the manifests say.',
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
    message: ({ paths }) => `installed, the pack has no JavaScript to run for ${enumerate(paths)}`,
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
  'publish/unlisted-pack': code<{ server: string; pack: string; package: string }>({
    severity: 'error',
    message: ({ server, pack, package: name }) =>
      `the server ${quote(server)} uses items of the pack ${quote(pack)}, but package.json does not install ${quote(name)} with this one`,
    cause:
      'Installing the pack installs what its `dependencies`, `peerDependencies` and `optionalDependencies` name; the server would not start there. `devDependencies` are installed only in this folder.',
    fix: 'Add the package to `dependencies`, such as with `npm install`.',
  }),
  'publish/local-dependency': code<{ name: string; range: string }>({
    severity: 'error',
    message: ({ name, range }) => `the dependency ${quote(name)} is ${quote(range)}, which only this machine has`,
    cause: 'npm publishes the path as it is, and on other machines there is nothing at that path.',
    fix: 'Write the range of versions that the registry has.',
  }),
  'publish/unused-build': code<{ path: string }>({
    severity: 'warning',
    message: ({ path }) => `the package includes the built server ${quote(path)}, which its \`bin\` does not name`,
    cause:
      'A server of an installed pack is started from its manifests. Files left over from an earlier build only make the package larger, and may be outdated.',
    fix: 'Leave it out under `files`, build into another folder with `--out`, or name it under `bin`.',
  }),
  'publish/not-packed': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => `npm cannot tell what it would publish: ${reason}`,
    cause: '`npm pack --dry-run` is asked which files belong to the package.',
    fix: 'Fix what npm reports.',
  }),
} as const;
