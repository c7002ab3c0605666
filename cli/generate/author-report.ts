// What the commands that write for an author share. In: planned changes. Out: what happened to each file, in every format.
import { type FileChange, plannedFolder, writeChanges } from '../../generator/author/change-book.js';
import { printChange } from '../../generator/clients/print-change.js';
import { lockPack } from '../../generator/compile/apply.js';
import type { Lock } from '../../generator/compile/apply-lock.js';
import { generate } from '../../generator/compile/generate.js';
import type { FileOp } from '../../generator/compile/reconcile.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import type { LoadedPack } from '../../runtime/load/load.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { type Kind, kinds } from '../../schema/definitions.js';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../../schema/diagnostics.js';
import { didYouMean } from '../../schema/nearest.js';
import { visible, visibleJson, visibleLines } from '../../schema/print/visible.js';
import { colors, printDiagnostics, rebaseDiagnostics } from '../pack/pack-command.js';
import type { CommonFlags } from '../terminal/flags.js';
import { UsageError } from '../terminal/usage-error.js';
import { generateAnew, listOperations, operationsOf } from './generate.js';

export interface AuthorFlags extends CommonFlags {
  readonly dryRun?: boolean;
}

/** What became of a file of the author's. */
interface AuthorOp {
  readonly op: 'create' | 'update' | 'keep' | 'delete';
  readonly path: string;
  /** Why it was kept. */
  readonly why?: string;
}

export interface Authored {
  readonly operations: readonly AuthorOp[];
  readonly generated: readonly FileOp[];
  readonly diagnostics: readonly Diagnostic[];
  readonly isApplied: boolean;
}

/** Writes the changes and brings the generated folder up to date; or, where nothing may be written, tells what would happen. `lock`: held by the caller. `root`: of the definitions. */
export async function carryOut(
  changes: readonly FileChange[],
  pack: string,
  flags: AuthorFlags,
  { lock, root }: { readonly lock?: Lock | undefined; readonly root?: string | undefined } = {},
): Promise<Omit<Authored, 'operations'>> {
  if (flags.dryRun) {
    // In a folder that is not there, everything would be new.
    if (nodeFolder(pack).status('') === 'missing') return { generated: [], diagnostics: [], isApplied: false };
    const { operations, diagnostics } = await generate(plannedFolder(nodeFolder(pack), changes));
    const paths = new Set(changes.map(({ path }) => path));
    return { generated: operations.filter(({ path }) => !paths.has(path)), diagnostics, isApplied: false };
  }
  const failures = await writeChanges(changes, pack, { root });
  if (failures.length > 0) return { generated: [], diagnostics: failures, isApplied: false };
  const { operations, diagnostics } = await generateAnew(pack, { write: true, lock });
  // Handlers of other items that nobody has written are not news here.
  const news = diagnostics.filter(({ code }) => code !== 'generate/unwritten');
  return { generated: operations, diagnostics: news, isApplied: true };
}

/** The pack's lock, for a command that changes files of the author; a diagnostic where another run keeps it. */
export async function lockAuthor(pack: string, { manifest }: LoadedPack): Promise<Lock | Diagnostic> {
  return lockPack(pack, { generated: manifest?.generated ?? 'generated', wait: 30_000 });
}

interface Planned {
  readonly loaded: LoadedPack;
}

/**
 * Plans again once the pack is locked and does the work with that: two at a time would each write a list without the entry of the
 * other. Without anything to write nothing is locked.
 */
export async function underAuthorLock<P extends Planned>(
  first: P,
  planNow: () => P | Promise<P>,
  { pack, isWritten }: { readonly pack: string; readonly isWritten: boolean },
  work: (planned: P, lock: Lock | Diagnostic | undefined) => Promise<number>,
): Promise<number> {
  const lock = isWritten ? await lockAuthor(pack, first.loaded) : undefined;
  try {
    return await work(lock === undefined ? first : await planNow(), lock);
  } finally {
    if (lock !== undefined && 'release' in lock) lock.release();
  }
}

/** Where nothing was done. */
export const untouched: Omit<Authored, 'operations'> = { generated: [], diagnostics: [], isApplied: false };

export function operationOf({ path, before, after }: FileChange): AuthorOp {
  return { op: after === undefined ? 'delete' : before === undefined ? 'create' : 'update', path };
}

/** `more`: what else the JSON says. Diagnostics are relative to the pack. */
export function printAuthored(
  { operations, generated, diagnostics: found, isApplied }: Authored,
  flags: AuthorFlags,
  { cwd, pack, more = {} }: { readonly cwd: string; readonly pack: string; readonly more?: object },
): string {
  const diagnostics = rebaseDiagnostics(sortDiagnostics(found), pack, cwd);
  const made = operationsOf(generated).filter(({ op }) => op !== 'keep');
  const ok = !hasErrors(diagnostics);
  if (flags.format === 'json') {
    const all = [...operations, ...made.map(({ op, path }) => ({ op, path }))];
    return `${visibleJson({ ok, applied: isApplied, ...more, operations: all, diagnostics })}\n`;
  }
  const text = diagnostics.length === 0 ? '' : printDiagnostics(diagnostics, flags, cwd, [pack]);
  if (flags.format !== 'text') return text;
  if (flags.quiet) return ok ? '' : text;
  const lines = [...operations.map(one => printOperation(one, flags)), ...listOperations(made, flags)];
  return `${lines.map(line => `${line}\n`).join('')}${text}`;
}

export interface ChangeScene {
  readonly flags: AuthorFlags;
  readonly cwd: string;
  readonly pack: string;
  readonly loaded: LoadedPack;
  /** The words of the command are. */
  readonly areWrong: boolean;
  /** What else the JSON says. */
  readonly more: object;
}

/** Prints what became of the changes, for a dry run with the diff. Out: the exit code. */
export function reportChanges(
  changes: readonly FileChange[],
  done: Omit<Authored, 'operations'>,
  { flags, cwd, pack, loaded, areWrong, more }: ChangeScene,
): number {
  const isShown = flags.dryRun && flags.format === 'text' && !flags.quiet;
  const diff = isShown ? changes.map(({ path, before, after }) => printChange(path, before, after)).join('') : '';
  const printed = printAuthored({ ...done, operations: changes.map(operationOf) }, flags, { cwd, pack, more });
  process.stdout.write(`${paintDiff(diff, flags)}${printed}`);
  if (loaded.manifest === undefined || areWrong) return 2;
  return hasErrors(done.diagnostics) ? 1 : 0;
}

/** Texts of a pack are shown as they are, but never act on the terminal. */
export function paintDiff(diff: string, flags: CommonFlags): string {
  const paint = colors(flags);
  return diff
    .split(/\r?\n/)
    .map(line => {
      const shown = visibleLines(line);
      if (/^(?:diff|---|\+\+\+|rename) /.test(line)) return paint.bold(shown);
      if (line.startsWith('@@')) return paint.cyan(shown);
      return line.startsWith('-') ? paint.red(shown) : line.startsWith('+') ? paint.green(shown) : shown;
    })
    .join('\n');
}

function printOperation({ op, path, why }: AuthorOp, flags: AuthorFlags): string {
  const paint = colors(flags);
  const color = { create: paint.green, update: paint.yellow, keep: paint.dim, delete: paint.red };
  return `${color[op](op.padEnd(7))} ${visible(path)}${why === undefined ? '' : ` (${why})`}`;
}

// In: what a person typed. Out: the kind that it names, or a usage error: no file has a mistake that only the command line has.

/** What is wrong with the words of the command and with no file: the start of a manifest is where nothing is written. */
function findWrongWords(diagnostics: readonly Diagnostic[]): Diagnostic | undefined {
  return diagnostics.find(({ code, file, line, column }) => {
    if (code === 'rename/invalid-name' || code === 'rename/unknown-item' || code === 'eject/foreign-item') return true;
    if (code !== 'resolve/item-name' && code !== 'link/unknown-reference') return false;
    return file === manifestFile && line === 1 && column === 1;
  });
}

/** True where the words of the command are wrong. People read that as a usage error; programs get the diagnostic. */
export function refusesWords(diagnostics: readonly Diagnostic[], { format }: CommonFlags): boolean {
  const wrong = findWrongWords(diagnostics);
  if (wrong === undefined || format !== 'text') return wrong !== undefined;
  throw new UsageError(visible(`${wrong.message}${wrong.hint === undefined ? '' : `: ${wrong.hint}`}`));
}

export function kindOf(word: string): Kind {
  const kind = kinds.find(one => one === word);
  if (kind !== undefined) return kind;
  const hint = didYouMean(word, kinds);
  throw new UsageError(
    `"${word}" is not a kind of item: write ${kinds.join(', ')}${hint === undefined ? '' : ` (${hint})`}`,
  );
}
