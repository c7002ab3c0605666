// toolwright add <kind> <name>
import { planAdd } from '../generator/author/plan-add.js';
import { nodeFolder } from '../runtime/load/folder.js';
import { load } from '../runtime/load/load.js';
import { hasErrors } from '../schema/diagnostics.js';
import { type AuthorFlags, carryOut, operationOf, printAuthored } from './author-report.js';
import { findPackAround } from './find-pack.js';
import { kindOf } from './kind-word.js';
import { workingFolder } from './pack-command.js';
import { UsageError } from './usage-error.js';

export interface AddFlags extends AuthorFlags {
  readonly description?: string;
  readonly server?: string;
}

export async function add(word: string, item: string, flags: AddFlags): Promise<number> {
  const kind = kindOf(word);
  const { description, server } = flags;
  if (kind === 'server' && server !== undefined) throw new UsageError('a server is in no list: leave out --server');
  const cwd = workingFolder(flags);
  const pack = findPackAround(cwd);
  const loaded = load(pack);
  const plan = planAdd(loaded, nodeFolder(pack), { kind, item, description, server });
  const isRefused = hasErrors(plan.diagnostics);
  const operations = plan.changes.map(operationOf);
  const done = isRefused ? undefined : await carryOut(plan.changes, pack, flags);
  const diagnostics = [...plan.diagnostics, ...(done?.diagnostics ?? [])];
  const authored = { operations, generated: done?.generated ?? [], diagnostics, isApplied: done?.isApplied ?? false };
  process.stdout.write(printAuthored(authored, flags, { cwd, pack, more: { kind, item } }));
  if (loaded.manifest === undefined) return 2;
  return hasErrors(diagnostics) ? 1 : 0;
}
