// toolwright generate [path]
import { readdirSync } from 'node:fs';
import type { Generated, GenerateOptions } from '../../generator/compile/generate.js';
import { hashText, isPassing, ledgerOf, printLedger } from '../../generator/compile/ledger.js';
import { type FileOp, isChange, isPending } from '../../generator/compile/reconcile.js';
import { type Folder, joinInside, nodeFolder, parentOf } from '../../runtime/load/folder.js';
import type { ContentCache } from '../../runtime/load/read.js';
import { maxCodeBytes, readBytes } from '../../runtime/load/read-file.js';
import { type Diagnostic, diagnose, sortDiagnostics, startOf } from '../../schema/diagnostics.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { build } from '../memory/build-id.js';
import {
  describeBytes,
  describeNames,
  describeType,
  type Fingerprints,
  type Found,
  type Looks,
  noteLooks,
} from '../memory/file-fingerprint.js';
import { openMemory } from '../memory/memory.js';
import { findPack } from '../pack/find-pack.js';
import { colors, findPackAround, printDiagnostics, rebaseDiagnostics, workingFolder } from '../pack/pack-command.js';
import type { CommonFlags } from '../terminal/flags.js';
import { UsageError } from '../terminal/usage-error.js';

export interface GenerateFlags extends CommonFlags {
  readonly check?: boolean;
  readonly dryRun?: boolean;
  readonly watch?: boolean;
  readonly force?: boolean;
}

/** More files than this are reported as one: nobody reads fifty lines that say the same. */
const mostListed = 20;

export async function generateCommand(path: string | undefined, flags: GenerateFlags): Promise<number> {
  const cwd = workingFolder(flags);
  const pack = path === undefined ? findPackAround(cwd) : findPack(path, cwd);
  if (flags.watch) {
    if (flags.check || flags.dryRun) throw new UsageError('--watch writes files: leave out --check and --dry-run');
    return (await import('./watch.js')).watch(pack, cwd, flags);
  }
  const writes = !flags.check && !flags.dryRun;
  const options = { force: flags.force === true, handlers: flags.check === true };
  const done = await (writes ? generateRemembered(pack, options) : generateAnew(pack, options));
  const result = flags.check ? expectCurrent(done) : done;
  process.stdout.write(printResult(result, pack, cwd, flags));
  if (result.diagnostics.some(({ code }) => code === 'discover/no-manifest')) return 2;
  return result.ok ? 0 : 1;
}

/** For `--check`: what would be written is a mistake like any other, so that every format shows it. */
function expectCurrent({ ok, operations, diagnostics }: RunResult): RunResult {
  const stale = operations.filter(isPending);
  // The ledger follows the other files; it is worth a word only where they are as they should be.
  const authored = operationsOf(stale);
  // Of a stub that is not there, the manifest's line tells already.
  const isTold = diagnostics.some(({ code }) => code === 'generate/missing-handler');
  const news = authored.filter(({ op, role }) => !(isTold && op === 'create' && role === 'stub'));
  const paths = (authored.length === 0 ? stale : news).map(({ path }) => path);
  const groups = paths.length > mostListed ? [paths] : paths.map(path => [path]);
  const found = groups.map(outOfDate);
  return { ok: ok && found.length === 0, operations, diagnostics: sortDiagnostics([...diagnostics, ...found]) };
}

function outOfDate(paths: readonly string[]): Diagnostic {
  const hint = 'run toolwright generate';
  return diagnose('generate/out-of-date', { paths }, startOf(paths[0] ?? ''), { hint });
}

/** What a command prints. */
export type RunResult = Pick<Generated, 'ok' | 'operations' | 'diagnostics'>;

/** Writes what changed; where nothing was touched since a run that left nothing to do, its result still holds. */
export async function generateRemembered(pack: string, options: RunOptions = {}, by = build): Promise<RunResult> {
  const memory = openMemory(pack, by);
  const settled = memory.recallResult('generate') as RunResult | undefined;
  if (settled !== undefined) return settled;
  const looks = noteLooks();
  const result = await runGenerate(looks.open(pack), memory, { ...options, write: true }, by);
  const { ok, operations, diagnostics } = result;
  if (ok && operations.every(leavesNothing)) {
    const kept = operations.map(({ path, role }) => ({ op: 'keep', path, role }));
    memory.keepResult('generate', { ok, operations: kept, diagnostics }, () =>
      takeFingerprints(pack, operations, looks),
    );
  }
  memory.save();
  return result;
}

export type RunOptions = Pick<GenerateOptions, 'write' | 'force' | 'handlers' | 'lock'>;

/** One run of the compiler, whatever the last one left, with what is remembered of contents. */
export async function generateAnew(pack: string, options: RunOptions): Promise<Generated> {
  const memory = openMemory(pack);
  const result = await runGenerate(pack, memory, options, build);
  memory.save();
  return result;
}

async function runGenerate(
  where: string | Folder,
  cache: ContentCache,
  options: RunOptions,
  by: string,
): Promise<Generated> {
  const { generate } = await import('../../generator/compile/generate.js');
  return generate(where, { ...options, cache, build: by });
}

export function printResult(result: RunResult, pack: string, cwd: string, flags: GenerateFlags): string {
  const diagnostics = rebaseDiagnostics(result.diagnostics, pack, cwd);
  const operations = operationsOf(result.operations);
  if (flags.format === 'json') {
    const shown = operations.map(({ op, path }) => ({ op, path }));
    return `${visibleJson({ ok: result.ok, operations: shown, diagnostics })}\n`;
  }
  if (flags.format !== 'text') return printDiagnostics(diagnostics, flags, cwd, [pack]);
  if (flags.quiet) return result.ok ? '' : printDiagnostics(diagnostics, flags, cwd, [pack]);
  const isStale = flags.check === true && (diagnostics.some(isOutOfDate) || operations.some(isPending));
  // The list of operations says it already, except of the ledger, which is not listed.
  const told = operations.some(isChange) ? diagnostics.filter(one => !isOutOfDate(one)) : diagnostics;
  const lines = [...listOperations(operations, flags)];
  if (told.length > 0) lines.push(printDiagnostics(told, flags, cwd, [pack]).trimEnd());
  const isSettled = result.ok && !isStale && operations.length > 0 && operations.every(({ op }) => op === 'keep');
  if (isSettled) lines.push(`generated code is up to date (${operations.length} files)`);
  else if (result.ok || operations.length > 0)
    lines.push(`${printOperationCounts(operations, flags)}${isStale ? ': run toolwright generate' : ''}`);
  return `${lines.join('\n')}\n`;
}

function isOutOfDate({ code }: Diagnostic): boolean {
  return code === 'generate/out-of-date';
}

/** Without the ledger and temporary files, which are ours alone. */
export function operationsOf(all: readonly FileOp[]): readonly FileOp[] {
  return all.filter(({ role }) => role === 'generated' || role === 'stub');
}

/** One line for each file that is not kept; the editor schemas, of which there are many, share one. */
export function listOperations(operations: readonly FileOp[], flags: CommonFlags): readonly string[] {
  const paint = colors(flags);
  const color = { create: paint.green, replace: paint.yellow, delete: paint.red, refuse: paint.red, keep: paint.dim };
  const groups = new Map<string, FileOp[]>();
  // A disk or another run that refuses one file refuses all of them, and the mistake is reported below.
  const areRefused = operations.filter(({ op }) => op === 'refuse').length > mostListed;
  for (const one of operations) {
    if (one.op === 'keep' || (one.op === 'refuse' && areRefused)) continue;
    const shown = one.role === 'generated' ? one.path.replace(/[^/]+\.json$/, '*.json') : one.path;
    const key = `${one.op} ${shown}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].flatMap(([key, [first, ...others]]) => {
    if (first === undefined) return [];
    const { op, path } = first;
    const shown = others.length === 0 ? path : `${key.slice(op.length + 1)} (${others.length + 1} files)`;
    return [`${color[op](op.padEnd(7))} ${visible(shown)}`];
  });
}

/** `3 created, 1 replaced, 40 kept`; `1 would be replaced` where nothing is written. */
export function printOperationCounts(operations: readonly FileOp[], flags: GenerateFlags): string {
  const words = { create: 'created', replace: 'replaced', delete: 'deleted', refuse: 'refused', keep: 'kept' } as const;
  const isTrial = flags.check || flags.dryRun;
  const counts = Object.entries(words).flatMap(([op, word]) => {
    const count = operations.filter(one => one.op === op).length;
    return count === 0 ? [] : [`${count} ${isTrial && op !== 'keep' ? 'would be ' : ''}${word}`];
  });
  return counts.length === 0 ? 'nothing to generate' : counts.join(', ');
}

// In: the operations of a run of generate. Out: whether the next run would have nothing to do, and what this one left on disk, in words
// that can be compared later.

/** What is created or deleted changes what the next run finds; a replaced file is kept by it. */
export function leavesNothing({ op, role }: FileOp): boolean {
  return op === 'keep' || (op === 'replace' && role !== 'stub');
}

/** The fingerprints of everything that a run looked at and left; undefined where something changed meanwhile. */
export function takeFingerprints(
  pack: string,
  operations: readonly FileOp[],
  { fingerprints }: Looks,
): Fingerprints | undefined {
  const left = new Map<string, () => Found>();
  const written = new Set<string>();
  for (const one of operations) {
    const path = joinInside(pack, one.path);
    // A folder changes with the names in it: handlers of another name, files that a killed run left behind.
    const folder = joinInside(pack, parentOf(one.path));
    left.set(path, () => describeFile(path, one, operations));
    left.set(folder, () => describeFolder(folder));
    if (one.op !== 'keep') written.add(path).add(folder);
  }
  return fingerprints(left, written);
}

/** A file that was just written, as the run knows it: what somebody else wrote meanwhile is not taken for it. */
function describeFile(path: string, op: FileOp, all: readonly FileOp[]): Found {
  if (op.role === 'stub') return describeType('file');
  try {
    const bytes = readBytes(path, maxCodeBytes);
    return isAsLeft(bytes, op, all) ? describeBytes(bytes) : undefined;
  } catch {
    return undefined;
  }
}

function isAsLeft(bytes: Buffer, op: FileOp, all: readonly FileOp[]): boolean {
  if (op.op === 'replace') return bytes.equals(Buffer.from(op.text));
  if (op.role === 'ledger') return hashText(bytes) === hashText(printLedger(ledgerOf(all, () => true)));
  return op.after?.role === 'generated' && hashText(bytes) === op.after.hash;
}

/** Nothing of a killed run, nor of one that writes at this moment, is part of what was found. */
function describeFolder(path: string): Found {
  try {
    return readdirSync(path).some(isPassing) ? undefined : describeNames(nodeFolder(path).list(''));
  } catch {
    return undefined;
  }
}
