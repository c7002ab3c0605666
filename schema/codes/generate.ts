import { code, quote } from './entry.js';

/** Compiling a pack: generated files, stubs and handlers. */
export const generateCodes = {
  'generate/unusable-schema': code<{ role: string; reason: string }>({
    severity: 'error',
    message: ({ role, reason }) => `no validator can be generated for the ${role} schema: ${reason}`,
    cause: 'The schema is well-formed, but the validator compiler cannot express it.',
    fix: 'Simplify the part that the message names.',
  }),
  'generate/edited': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `${quote(path)} was edited by hand, so it is left as it is`,
    cause:
      'Files in the generated folder belong to the compiler; this one is neither what it wrote nor what it would write.',
    fix: 'Delete the file, after moving your change elsewhere, or run generate with --force, which overwrites it.',
  }),
  'generate/foreign': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `${quote(path)} was not written by generate, so it is left as it is`,
    cause: 'A generated file belongs here, but this one is not in the ledger. The ledger may also have been lost.',
    fix: 'Move or delete the file, name another `generated` folder, or run generate with --force, which overwrites it.',
  }),
  'generate/edited-leftover': code<{ path: string }>({
    severity: 'warning',
    message: ({ path }) => `${quote(path)} is no longer generated, but was edited by hand, so it is not deleted`,
    cause: 'The source of this file no longer exists. Its content is not what generate wrote, so it may be your work.',
    fix: 'Delete the file, or move it out of the generated folder. Generate will not mention it again.',
  }),
  'generate/leftover-stub': code<{ path: string }>({
    severity: 'warning',
    message: ({ path }) =>
      `${quote(path)} is the handler of an item that no longer exists, or does its work without one now`,
    cause:
      'The item was removed, or has `http`, `sql`, `exec` or `mcp` now. Generate deletes stubs that nobody has edited; this file was edited, so it may be your work.',
    fix: 'Delete the file, or declare the item again with its handler. `toolwright rename` moves the handler too.',
  }),
  'generate/unused-handler': code<{ path: string; kind: string; item: string; named: string }>({
    severity: 'warning',
    message: ({ path, kind, item, named }) =>
      `${quote(path)} is not used: the handler of the ${kind} ${quote(item)} is ${quote(named)}`,
    cause: 'The file was written for this item, but `handler` in the manifest names another module.',
    fix: 'Correct `handler`, or move the code to the module that it names.',
  }),
  'generate/out-of-date': code<{ paths: readonly string[] }>({
    severity: 'error',
    message: ({ paths }) =>
      paths.length === 1
        ? `${quote(paths[0] ?? '')} is out of date`
        : `${paths.length} files are out of date: ${paths.map(quote).join(', ')}`,
    cause: 'The pack changed after its files were generated, or they were never committed: `generate --check` fails.',
    fix: 'Run generate and commit what it writes.',
  }),
  'generate/not-a-folder': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `${quote(path)} is not a folder`,
    cause: 'There is a file, a device or a broken link where generate needs a folder.',
    fix: 'Rename or remove it.',
  }),
  'generate/changed-meanwhile': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `${quote(path)} was changed while generate was running, so it is left unchanged`,
    cause: 'Another program wrote to the file before generate could replace it.',
    fix: 'Run generate again.',
  }),
  'generate/write-failed': code<{ path: string; reason: string }>({
    severity: 'error',
    message: ({ path, reason }) => `${quote(path)} cannot be written: ${reason}`,
    cause: 'The operating system refused. Every file is either unchanged or complete; none is half written.',
    fix: 'Fix the cause (permissions, disk space) and run generate again; it finishes the rest.',
  }),
  'generate/locked': code<{ path: string; holder: string }>({
    severity: 'error',
    message: ({ path, holder }) => `another generate (${holder}) is writing to this pack: it holds ${quote(path)}`,
    cause: 'Two runs at once would undo each other, so the second one waits a few seconds and then gives up.',
    fix: 'Wait for the other run to finish. If there is none, delete the lock file.',
  }),
  'generate/tsconfig': code<{ path: string; reason: string }>({
    severity: 'warning',
    message: ({ path, reason }) => `${quote(path)} cannot be used: ${reason}`,
    cause:
      'The tsconfig decides the module format of new handlers. It is broken, or extends a file that does not exist.',
    fix: 'Fix the tsconfig; until then, its module settings are ignored for new handlers.',
  }),
  'generate/missing-handler': code<{ what: string; path: string }>({
    severity: 'error',
    message: ({ what, path }) => `${what} is missing: ${quote(path)} does not exist`,
    cause:
      'Every tool needs a function in the pack, and so does every prompt or resource without text. All functions that a manifest names must exist.',
    fix: 'Write the function (generate makes a stub), or correct the path in the manifest.',
  }),
  'generate/unwritten': code<{ what: string; path: string }>({
    severity: 'warning',
    message: ({ what, path }) => `${what} is not written yet: ${quote(path)}`,
    cause: 'It is still a stub, or still contains `throw ctx.notImplemented()`: every call fails with NOT_IMPLEMENTED.',
    fix: 'Write the function in place of this statement.',
  }),
  'generate/missing-export': code<{ path: string; name: string }>({
    severity: 'error',
    message: ({ path, name }) =>
      name === 'default' ? `${quote(path)} has no default export` : `${quote(path)} does not export ${quote(name)}`,
    cause: 'The manifest names a function by its module and export (path#export, or the default export).',
    fix: 'Export the function under that name, or name the right export in the manifest.',
  }),
  'generate/wrong-tool': code<{ kind: string; item: string; used: string; wanted: string }>({
    severity: 'error',
    message: ({ kind, item, used, wanted }) => `The handler for the ${kind} ${quote(item)} is ${used}, not ${wanted}`,
    cause: 'The handler was written for another item, so its types say nothing about the calls it receives.',
    fix: "Use this item's function, or name another module under `handler`.",
  }),
  'generate/unknown-member': code<{ used: string; kind: string }>({
    severity: 'error',
    message: ({ used, kind }) => `${used} is not a ${kind} in this pack`,
    cause: 'The module fails to load: the generated folder has one function for each item, and none with this name.',
    fix: 'Correct the name, or declare the item in toolwright.yaml.',
  }),
  'generate/orphan-stub': code<{ path: string; used: string; kind: string }>({
    severity: 'warning',
    message: ({ path, used, kind }) =>
      `${quote(path)} does not belong to any item: the pack has no ${kind} for ${used}`,
    cause: 'Its item was deleted or renamed by hand. Handlers that were edited are yours, so they are never deleted.',
    fix: 'Delete the file, or bring the item back. To rename an item use toolwright rename.',
  }),
  'generate/unimportable': code<{ path: string; reason: string }>({
    severity: 'error',
    message: ({ path, reason }) => `${quote(path)} cannot be imported: ${reason}`,
    cause: 'Handlers are .ts, .mts, .js or .mjs modules inside the pack, and must parse.',
    fix: 'Correct the path or the module.',
  }),
  'generate/widened': code<{ path: string; reason: string }>({
    severity: 'info',
    message: ({ path, reason }) => `the type of ${quote(path)} is wider than its schema: ${reason}`,
    cause:
      'TypeScript has no type for every JSON Schema. The type accepts all valid values and some invalid ones; validation is exact.',
    fix: 'No action is needed; with a simpler schema, handlers get a more precise type.',
  }),
} as const;
