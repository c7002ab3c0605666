import { code, enumerate, quote } from './entry.js';

/** Building servers: `toolwright build`. */
export const buildCodes = {
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
    fix: 'Name a server of the pack, or leave the name out to build all of them.',
  }),
  'build/module': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => reason,
    cause: 'A module of the pack, or a package that it imports, cannot be bundled.',
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
    cause: '--external names a package that no handler of the built servers imports; it may be misspelt.',
    fix: 'Write the name as handlers import it, or leave the flag out.',
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
    message: ({ path }) => `${quote(path)} was not written by build, so it is not replaced`,
    cause: 'A built server is a file and a folder next to it, and something else already has that name.',
    fix: 'Move or delete it, or name another folder with `--out`.',
  }),
  'build/name-clash': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `two servers would both be built into ${quote(path)}`,
    cause:
      'A server is built into a file and a folder of its name, and one of the servers has the same name as a file of the other.',
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
    cause: 'The lists of the running build differ from those that the manifests give.',
    fix: 'This is a bug in the build, not in the pack: please report it.',
  }),
} as const;
