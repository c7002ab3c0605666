// toolwright rename <kind> <old> <new>
import { resolve } from 'node:path';
import type { Lock } from '../../generator/compile/apply-lock.js';
import type { Generated } from '../../generator/compile/generate.js';
import { applyRename, leftovers, sweepRename, takeBackRename } from '../../generator/rename/apply-rename.js';
import { followMoves, planRename, type RenamePlan } from '../../generator/rename/plan-rename.js';
import { printDiff } from '../../generator/rename/print-diff.js';
import { nodeFolder, relativePath } from '../../runtime/load/folder.js';
import { type LoadedPack, load } from '../../runtime/load/load.js';
import { type Diagnostic, diagnose, hasErrors, sortDiagnostics, startOf } from '../../schema/diagnostics.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { kindOf, lockAuthor, paintDiff, refusesWords } from '../generate/author-report.js';
import { listOperations, operationsOf } from '../generate/generate.js';
import { openMemory } from '../memory/memory.js';
import {
  findPackAround,
  overlaysOf,
  type PackFlags,
  printDiagnostics,
  rebaseDiagnostics,
  workingFolder,
} from '../pack/pack-command.js';

export interface RenameFlags extends PackFlags {
  readonly dryRun?: boolean;
}

export interface RenameWords {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
}

/** `regenerate`: brings the generated folder up to date after the files were changed. */
export async function rename(
  words: RenameWords,
  flags: RenameFlags,
  regenerate: Regenerate = runGenerate,
): Promise<number> {
  const cwd = workingFolder(flags);
  const pack = findPackAround(cwd);
  const kind = kindOf(words.kind);
  const cache = openMemory(pack);
  const found = load(pack, { cache });
  const mayWrite = flags.dryRun !== true && found.manifest !== undefined;
  const wasCutOff = mayWrite && (await recover(found));
  const loaded = wasCutOff ? load(pack, { cache }) : found;
  cache.save();
  const overlays = overlaysOf(flags, cwd).map(path => relativePath(pack, path));
  const inside = overlays.filter(path => path !== '' && path.split('/')[0] !== '..');
  const missing = overlays.filter(path => nodeFolder(resolve(pack, path)).status('') !== 'folder').map(notFound);
  const plan =
    loaded.manifest !== undefined && missing.length > 0
      ? { edits: [], moves: [], diagnostics: missing }
      : await planRename(loaded, nodeFolder(pack), { kind, from: words.from, to: words.to, overlays: inside });
  const isRefused = hasErrors(plan.diagnostics);
  const isNeeded = mayWrite && (!isRefused || wasCutOff);
  const lock = isNeeded ? await lockAuthor(pack, loaded) : undefined;
  const { failures, isApplied, generated } =
    lock === undefined
      ? { failures: [], isApplied: false, generated: nothing }
      : 'code' in lock
        ? { failures: [lock], isApplied: false, generated: nothing }
        : await carryOut(lock);
  // Only now: words that name nothing must not keep an interrupted rename from being finished.
  const areWrong = refusesWords(plan.diagnostics, flags);
  const planned = isApplied ? followMoves(plan.diagnostics, plan.moves) : plan.diagnostics;
  // What a rename would have meant does not matter where the disk refused it.
  const all = sortDiagnostics([...(failures.length > 0 ? failures : planned), ...generated.diagnostics]);
  const diagnostics = rebaseDiagnostics(all, pack, cwd);
  process.stdout.write(printOutcome({ plan, diagnostics, isApplied, generated }, flags, cwd, pack));
  if (areWrong || diagnostics.some(({ code }) => code === 'discover/no-manifest')) return 2;
  return hasErrors(diagnostics) ? 1 : 0;

  async function carryOut(held: Lock): Promise<Done> {
    try {
      const failed = isRefused ? [] : applyRename(plan, pack, { keepsBackups: true });
      const isDone = !isRefused && failed.length === 0;
      // Also for the one that was cut off: it may have been in the middle of this.
      const made = isDone || wasCutOff ? await regenerate(pack, held) : nothing;
      sweepRename(pack);
      return { failures: failed, isApplied: isDone, generated: made };
    } finally {
      held.release();
    }
  }

  /** True where an earlier rename was cut off: files are as before it, unless all but generating was done. */
  async function recover(before: LoadedPack): Promise<boolean> {
    if (leftovers(pack).length === 0) return false;
    const held = await lockAuthor(pack, before);
    // The holder may be renaming; the lock that this rename needs says so.
    if ('code' in held) return false;
    try {
      takeBackRename(pack);
      const count = sweepRename(pack);
      if (count > 0 && flags.quiet !== true)
        process.stderr.write('toolwright: an earlier rename was interrupted; its leftovers were undone or removed\n');
      return count > 0;
    } finally {
      held.release();
    }
  }
}

interface Done {
  readonly failures: readonly Diagnostic[];
  readonly isApplied: boolean;
  readonly generated: Regenerated;
}

type Regenerate = (pack: string, lock: Lock) => Promise<Regenerated>;

/** Half a rename is worse than none: what an overlay says of the item would be left behind. */
function notFound(folder: string): Diagnostic {
  return diagnose('overlay/not-found', { folder }, startOf(folder));
}

type Regenerated = Pick<Generated, 'operations' | 'diagnostics'>;

const nothing: Regenerated = { operations: [], diagnostics: [] };

async function runGenerate(pack: string, lock: Lock): Promise<Regenerated> {
  const { generateAnew } = await import('../generate/generate.js');
  return generateAnew(pack, { write: true, lock });
}

interface Outcome {
  readonly plan: RenamePlan;
  readonly diagnostics: readonly Diagnostic[];
  readonly isApplied: boolean;
  readonly generated: Regenerated;
}

function printOutcome(outcome: Outcome, flags: RenameFlags, cwd: string, pack: string): string {
  const { plan, diagnostics, isApplied, generated } = outcome;
  const written = operationsOf(generated.operations).filter(({ op }) => op !== 'keep');
  if (flags.format === 'json') {
    const operations = written.map(({ op, path }) => ({ op, path }));
    const files = plan.edits.map(({ path, edits }) => ({ path, edits }));
    const ok = !hasErrors(diagnostics);
    return `${visibleJson({ ok, applied: isApplied, files, moves: plan.moves, operations, diagnostics })}\n`;
  }
  const text = printDiagnostics(diagnostics, flags, cwd, [pack]);
  if (flags.format !== 'text') return text;
  if (flags.quiet) return hasErrors(diagnostics) ? text : '';
  const problems = diagnostics.length === 0 ? '' : text;
  if (flags.dryRun) return `${paintDiff(printDiff(plan), flags)}${problems}`;
  const lines = isApplied ? [...listFiles(plan), ...listOperations(written, flags)] : [];
  return `${lines.map(line => `${line}\n`).join('')}${problems}`;
}

/** One line for each file of the author's that was edited or moved. */
function listFiles({ edits, moves }: RenamePlan): readonly string[] {
  const moved = new Set(moves.map(({ from }) => from));
  const edited = edits.filter(({ path }) => !moved.has(path));
  return [
    ...edited.map(({ path }) => `edit    ${visible(path)}`),
    ...moves.map(({ from, to }) => `move    ${visible(from)} -> ${visible(to)}`),
  ];
}
