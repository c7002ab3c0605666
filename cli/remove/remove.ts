// toolwright remove <kind> <name>
import { planRemove, type RemovePlan } from '../../generator/remove/plan-remove.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import { type LoadedPack, load } from '../../runtime/load/load.js';
import {
  type AuthorFlags,
  carryOut,
  kindOf,
  refusesWords,
  reportChanges,
  underAuthorLock,
  untouched,
} from '../generate/author-report.js';
import { findPackAround, workingFolder } from '../pack/pack-command.js';

export interface RemoveFlags extends AuthorFlags {
  readonly withHandler?: boolean;
  readonly force?: boolean;
}

export async function remove(word: string, item: string, flags: RemoveFlags): Promise<number> {
  const kind = kindOf(word);
  const { withHandler = false, force = false } = flags;
  const cwd = workingFolder(flags);
  const pack = findPackAround(cwd);
  const planNow = async (): Promise<{ readonly loaded: LoadedPack; readonly plan: RemovePlan }> => {
    const loaded = load(pack);
    return { loaded, plan: await planRemove(loaded, nodeFolder(pack), { kind, item, withHandler, force }) };
  };
  const first = await planNow();
  const areWrong = refusesWords(first.plan.diagnostics, flags);
  const isWritten = !first.plan.isRefused && flags.dryRun !== true;
  return underAuthorLock(first, planNow, { pack, isWritten }, async ({ loaded, plan }, lock) => {
    const { changes } = plan;
    const scene = { flags, cwd, pack, loaded, areWrong, more: { kind, item } };
    if (lock !== undefined && 'code' in lock)
      return reportChanges(changes, { ...untouched, diagnostics: [lock] }, scene);
    const done = plan.isRefused
      ? untouched
      : await carryOut(changes, pack, flags, { lock, root: loaded.manifest?.root });
    const told = new Set(plan.diagnostics.map(({ file }) => file));
    // That a handler is kept is said already.
    const news = done.diagnostics.filter(({ code, file }) => !(isLeftover(code) && told.has(file)));
    return reportChanges(changes, { ...done, diagnostics: [...plan.diagnostics, ...news] }, scene);
  });
}

function isLeftover(code: string): boolean {
  return code === 'generate/leftover-stub' || code === 'generate/orphan-stub';
}
