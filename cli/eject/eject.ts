// toolwright eject <item>
import { type EjectPlan, planEject } from '../../generator/eject/plan-eject.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import { type LoadedPack, load } from '../../runtime/load/load.js';
import { hasErrors } from '../../schema/diagnostics.js';
import {
  type AuthorFlags,
  carryOut,
  refusesWords,
  reportChanges,
  underAuthorLock,
  untouched,
} from '../generate/author-report.js';
import { findPackAround, workingFolder } from '../pack/pack-command.js';

export async function eject(item: string, flags: AuthorFlags): Promise<number> {
  const cwd = workingFolder(flags);
  const pack = findPackAround(cwd);
  const planNow = async (): Promise<{ readonly loaded: LoadedPack; readonly plan: EjectPlan }> => {
    const loaded = load(pack);
    return { loaded, plan: await planEject(loaded, nodeFolder(pack), item) };
  };
  const first = await planNow();
  const areWrong = refusesWords(first.plan.diagnostics, flags);
  const isWritten = !hasErrors(first.plan.diagnostics) && flags.dryRun !== true;
  return underAuthorLock(first, planNow, { pack, isWritten }, async ({ loaded, plan }, lock) => {
    const { changes, found: more = {} } = plan;
    const scene = { flags, cwd, pack, loaded, areWrong, more };
    if (lock !== undefined && 'code' in lock)
      return reportChanges(changes, { ...untouched, diagnostics: [lock] }, scene);
    const done = hasErrors(plan.diagnostics) ? untouched : await carryOut(changes, pack, flags, { lock });
    return reportChanges(changes, { ...done, diagnostics: [...plan.diagnostics, ...done.diagnostics] }, scene);
  });
}
