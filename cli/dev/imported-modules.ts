// N21. In: the packs of a server, and a module that changed. Out: whether the server can import it: a script or a test that nothing
// imports is no reason to start handlers anew. Where that is not sure, it can.
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { stemOf } from '../../runtime/call/handlers/find-handler.js';
import { loadEsbuild } from '../../runtime/call/handlers/load-esbuild.js';
import { isInsideFolder } from '../../runtime/load/folder.js';
import { maxCodeBytes, readUtf8 } from '../../runtime/load/read-file.js';
import type { WatchedPack } from '../../runtime/server/dev/messages.js';

export interface ImportedModules {
  /** Known without looking: manifests name it, or it was imported the last time. */
  isSure(path: string): boolean;
  /** Looks at what is imported now. */
  isImported(path: string): Promise<boolean>;
}

/** `packsNow`: those that are served. */
export function openImportedModules(packsNow: () => Iterable<WatchedPack>): ImportedModules {
  let known: ReadonlySet<string> = new Set();
  const packOf = (path: string): WatchedPack | undefined =>
    [...packsNow()].find(({ folder }) => isInsideFolder(path, folder));
  return {
    isSure(path) {
      const pack = packOf(path);
      if (pack?.modules === undefined || known.has(path)) return true;
      const stem = stemOf(path);
      return pack.modules.some(module => stemOf(join(pack.folder, module)) === stem);
    },
    async isImported(path) {
      const pack = packOf(path);
      if (pack?.modules === undefined) return true;
      const found = await importedBy(pack.folder, pack.modules);
      if (found === undefined) return true;
      known = new Set([...known, ...found]);
      return found.has(path);
    },
  };
}

/** Undefined where something cannot be found or parsed, or is imported by a name that only the code knows. */
async function importedBy(folder: string, modules: readonly string[]): Promise<ReadonlySet<string> | undefined> {
  const { build } = loadEsbuild();
  let inputs: Metafile['inputs'];
  try {
    const { metafile } = await build({
      absWorkingDir: folder,
      entryPoints: modules.map(module => join(folder, module)),
      ...{ bundle: true, metafile: true, write: false, outdir: 'out', platform: 'node', format: 'esm' },
      ...{ packages: 'external', logLevel: 'silent', loader: { '.node': 'empty' } },
    });
    inputs = metafile.inputs;
  } catch {
    return undefined;
  }
  const paths = Object.keys(inputs).map(path => join(folder, path));
  return paths.some(importsByName) ? undefined : new Set(paths);
}

function importsByName(path: string): boolean {
  try {
    return /\b(?:import|require|createRequire|registerHooks|Worker|fork)\s*\(\s*(?!['"\s])/.test(
      readUtf8(path, maxCodeBytes),
    );
  } catch {
    return true;
  }
}
