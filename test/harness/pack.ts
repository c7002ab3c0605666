// What the tests of loading share: check a pack written inside the test and read its diagnostics in one line each.
import { checkPack } from '../../runtime/index.js';
import { type Explanation, explainLoaded } from '../../runtime/load/explain.js';
import { type LoadedPack, type LoadOptions, load } from '../../runtime/load/load.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { type MemoryFile, memoryFolder } from './memory-folder.js';

export type Files = Readonly<Record<string, MemoryFile>>;

/** `code file:line:column`, in order. */
function places(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`);
}

export async function check(files: Files, options?: LoadOptions): Promise<readonly Diagnostic[]> {
  return (await checkPack(memoryFolder(files), options)).diagnostics;
}

export async function checkPlaces(files: Files, options?: LoadOptions): Promise<readonly string[]> {
  return places(await check(files, options));
}

/** One tool `t` in a pack without anything else. */
export function tool(definition: string): Files {
  return { 'toolwright.yaml': '', 'mcp/tools/t.yaml': definition };
}

export function loadFiles(files: Files, options?: LoadOptions): LoadedPack {
  return load(memoryFolder(files), options);
}

export function explained(files: Files, item: string, options?: LoadOptions): Explanation {
  const result = explainLoaded(loadFiles(files, options), item);
  if ('problem' in result) throw new Error(result.problem);
  return result.explanation;
}
