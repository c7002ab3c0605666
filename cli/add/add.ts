// toolwright add <kind> <name>
import { resolve } from 'node:path';
import { type AddPlan, planAdd, type WrittenDefinition } from '../../generator/author/plan-add.js';
import { readSettings } from '../../generator/clients/client-file.js';
import { nodeFolder, relativePath } from '../../runtime/load/folder.js';
import { type LoadedPack, load } from '../../runtime/load/load.js';
import { hasErrors } from '../../schema/diagnostics.js';
import { visible } from '../../schema/print/visible.js';
import {
  type Authored,
  type AuthorFlags,
  carryOut,
  kindOf,
  operationOf,
  printAuthored,
  refusesWords,
  underAuthorLock,
  untouched,
} from '../generate/author-report.js';
import { findPackAround, workingFolder } from '../pack/pack-command.js';
import { readStdin } from '../terminal/read-stdin.js';
import { UsageError } from '../terminal/usage-error.js';

export interface AddFlags extends AuthorFlags {
  readonly description?: string;
  readonly definition?: string;
  readonly server?: string;
}

export async function add(word: string, item: string, flags: AddFlags): Promise<number> {
  const kind = kindOf(word);
  const { description, server } = flags;
  if (kind === 'server' && server !== undefined)
    throw new UsageError('--server is for tools, prompts and resources: leave it out');
  const cwd = workingFolder(flags);
  const pack = findPackAround(cwd);
  const definition = flags.definition === undefined ? undefined : readDefinition(flags.definition, { cwd, pack });
  if (definition !== undefined && description !== undefined)
    throw new UsageError('--definition has the description: leave out --description');
  const planNow = (): { readonly loaded: LoadedPack; readonly plan: AddPlan } => {
    const loaded = load(pack);
    return { loaded, plan: planAdd(loaded, nodeFolder(pack), { kind, item, description, definition, server }) };
  };
  const first = planNow();
  const areWrong = refusesWords(first.plan.diagnostics, flags);
  const isWritten = !hasErrors(first.plan.diagnostics) && flags.dryRun !== true;
  return underAuthorLock(first, planNow, { pack, isWritten }, async ({ loaded, plan }, lock) => {
    if (lock !== undefined && 'code' in lock) return report(loaded, [], { ...untouched, diagnostics: [lock] });
    const done = hasErrors(plan.diagnostics) ? untouched : await carryOut(plan.changes, pack, flags, { lock });
    return report(loaded, plan.changes, { ...done, diagnostics: [...plan.diagnostics, ...done.diagnostics] });
  });

  function report(loaded: LoadedPack, changes: AddPlan['changes'], done: Omit<Authored, 'operations'>): number {
    const authored = { ...done, operations: changes.map(operationOf) };
    process.stdout.write(printAuthored(authored, flags, { cwd, pack, more: { kind, item } }));
    if (loaded.manifest === undefined || areWrong) return 2;
    return hasErrors(done.diagnostics) ? 1 : 0;
  }
}

/** `-` stands for stdin. */
function readDefinition(
  typed: string,
  { cwd, pack }: { readonly cwd: string; readonly pack: string },
): WrittenDefinition {
  if (typed === '-') return { file: 'stdin', text: readStdin('the definition as YAML') };
  const path = resolve(cwd, typed);
  const text = readSettings(path);
  if (text === undefined) throw new UsageError(`there is no file ${visible(typed)}`);
  if (typeof text !== 'string') throw new UsageError(`${visible(typed)}: ${text.problem}`);
  return { file: relativePath(pack, path), text };
}
