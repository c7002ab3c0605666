// In: a loaded pack. Out: handlers that were written, of items whose manifest now names another module. Nothing is run.
import { openModules, type WantedHandler, wantedHandlers } from '../../runtime/call/handlers/find-handler.js';
import { isTaken } from '../../runtime/call/handlers/missing-handlers.js';
import type { Folder } from '../../runtime/load/folder.js';
import type { Program } from '../../runtime/load/program.js';
import { type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import { memberOf } from './check-handlers.js';

/**
 * Functions whose named module is missing, while a module of almost the same name has what was written for them: a slip in `handler`.
 * A stub in place of it would hide the mistake.
 *
 * @example findMisspelt(program, nodeFolder('packs/jira')).map(({ path }) => path)
 */
export function findMisspelt(program: Program, folder: Folder): readonly WantedHandler[] {
  const { handlers, dist } = program.pack;
  const modules = openModules(folder, { handlers, dist });
  const all = wantedHandlers({ program });
  return all.filter(one => {
    const found = one.isNamed && one.serves !== undefined ? modules.find(one.path) : undefined;
    if (found?.found !== 'nothing' || found.like === undefined || isTaken(found.like, all)) return false;
    return ownerOf(found.like, [one], modules.text) !== undefined;
  });
}

/** The item is still there: its manifest names another module, and what was written is the author's. */
export function explainLeftover(one: Diagnostic, program: Program, folder: Folder): Diagnostic {
  const { handlers, dist } = program.pack;
  const all = wantedHandlers({ program });
  const owner = ownerOf(one.file, all, openModules(folder, { handlers, dist }).text);
  if (owner?.serves === undefined) return one;
  const { kind, item } = owner.serves;
  return diagnose('generate/unused-handler', { path: one.file, kind, item, named: owner.path }, one);
}

/** The item that a written module is for, by the name that it has in the generated code. */
function ownerOf(
  path: string,
  wanted: readonly WantedHandler[],
  read: (path: string) => string,
): WantedHandler | undefined {
  try {
    const text = read(path);
    if (text.includes('notImplemented()')) return undefined;
    return wanted.find(({ serves }) => serves !== undefined && text.includes(`${memberOf(serves)}(`));
  } catch {
    return undefined;
  }
}
