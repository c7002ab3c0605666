// toolwright remove <kind> <name>
import { printChange } from '../../generator/clients/print-change.js';
import { planRemove, type RemovePlan } from '../../generator/remove/plan-remove.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import { type LoadedPack, load } from '../../runtime/load/load.js';
import { hasErrors } from '../../schema/diagnostics.js';
import {
  type Authored,
  type AuthorFlags,
  carryOut,
  kindOf,
  operationOf,
  paintDiff,
  printAuthored,
  refusesWords,
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
    if (lock !== undefined && 'code' in lock) return report(loaded, plan, { ...untouched, diagnostics: [lock] });
    const done = plan.isRefused
      ? untouched
      : await carryOut(plan.changes, pack, flags, { lock, root: loaded.manifest?.root });
    const told = new Set(plan.diagnostics.map(({ file }) => file));
    // That a handler is kept is said already.
    const news = done.diagnostics.filter(({ code, file }) => !(isLeftover(code) && told.has(file)));
    return report(loaded, plan, { ...done, diagnostics: [...plan.diagnostics, ...news] });
  });

  function report({ manifest }: LoadedPack, { changes }: RemovePlan, done: Omit<Authored, 'operations'>): number {
    const operations = changes.map(operationOf);
    const isShown = flags.dryRun && flags.format === 'text' && !flags.quiet;
    const diff = isShown ? changes.map(({ path, before, after }) => printChange(path, before, after)).join('') : '';
    const printed = printAuthored({ ...done, operations }, flags, { cwd, pack, more: { kind, item } });
    process.stdout.write(`${paintDiff(diff, flags)}${printed}`);
    if (manifest === undefined || areWrong) return 2;
    return hasErrors(done.diagnostics) ? 1 : 0;
  }
}

function isLeftover(code: string): boolean {
  return code === 'generate/leftover-stub' || code === 'generate/orphan-stub';
}
