// toolwright lock [path]

import { nodeDisk } from '../../generator/compile/apply-disk.js';
import { makeWriter } from '../../generator/compile/apply-writer.js';
import { startsOf } from '../../runtime/load/find-pack.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import { load } from '../../runtime/load/load.js';
import { composeServer, dependsOnOthers } from '../../runtime/packs/compose.js';
import { type ForeignItem, foreignItems, readLock } from '../../runtime/packs/lock.js';
import { makeLookup } from '../../runtime/packs/look-up.js';
import { toPack } from '../../runtime/packs/open-pack.js';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../../schema/diagnostics.js';
import { compareLocks, type LockChange, lockFile, lockKey, printLock } from '../../schema/lock/lock.js';
import type { Paint } from '../../schema/print/diagnostics.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { openMemory } from '../memory/memory.js';
import { findPack } from '../pack/find-pack.js';
import { colors, findPackAround, printDiagnostics, rebaseDiagnostics, workingFolder } from '../pack/pack-command.js';
import type { CommonFlags } from '../terminal/flags.js';

export interface LockFlags extends CommonFlags {
  readonly check?: boolean;
}

/** Overlays are the operator's own and change no pack: they have no part in it. */
export async function lock(path: string | undefined, flags: LockFlags): Promise<number> {
  const cwd = workingFolder(flags);
  const pack = path === undefined ? findPackAround(cwd) : findPack(path, cwd);
  const { items, diagnostics, isPack } = gather(pack);
  const before = readLock(nodeFolder(pack));
  const isOld = before.diagnostics.some(({ code }) => code === 'lock/old-format');
  // Writing it anew is what it asks for.
  const told = isOld && !flags.check ? [] : before.diagnostics;
  const wrong = sortDiagnostics([...diagnostics, ...told]);
  const lines = items.map(({ now }) => now);
  const changes = hasErrors(wrong) ? [] : compareLocks(before.lines, lines);
  const differs = changes.some(({ change }) => change === 'added' || change === 'changed' || change === 'removed');
  const isNoted = changes.some(({ change }) => change === 'version');
  // A lock that misses what cannot be looked at would accept whatever comes next.
  const isRefused = hasErrors(wrong);
  const isWritten = !isRefused && !flags.check && (differs || isNoted || isOld);
  const failed = isWritten ? await write(pack, printLock(lines)) : [];
  const shown = rebaseDiagnostics([...wrong, ...failed], pack, cwd);
  const ok = !isRefused && failed.length === 0 && !(flags.check && differs);
  const texts = new Map(items.map(one => [lockKey(one.now), one]));
  const outcome: LockOutcome = { ok, changes, isWritten: isWritten && failed.length === 0, items: lines.length };
  process.stdout.write(printOutcome(outcome, shown, texts, flags, cwd, pack));
  return isPack ? (ok ? 0 : 1) : 2;
}

interface Gathered {
  readonly items: readonly ForeignItem[];
  readonly diagnostics: readonly Diagnostic[];
  /** False where there is no toolwright.yaml. */
  readonly isPack: boolean;
}

/** What all servers of the pack take from other packs, each item once. */
function gather(folder: string): Gathered {
  const cache = openMemory(folder);
  const loaded = load(folder, { cache });
  const own = toPack(loaded);
  const errors = loaded.diagnostics.filter(({ severity }) => severity === 'error');
  const items = new Map<string, ForeignItem>();
  const lookUp = makeLookup({ starts: startsOf(folder, folder), project: folder, cache });
  const servers = 'program' in own ? own.program.servers.filter(one => dependsOnOthers(one, own.program)) : [];
  for (const server of servers) {
    if (!('program' in own)) break;
    const composed = composeServer(own, server, lookUp);
    errors.push(...composed.diagnostics.filter(({ severity }) => severity === 'error'));
    for (const one of foreignItems(composed)) items.set(lockKey(one.now), one);
  }
  cache.save();
  const isPack = !errors.some(({ code }) => code === 'discover/no-manifest');
  return { items: [...items.values()], diagnostics: errors, isPack };
}

async function write(pack: string, text: string): Promise<readonly Diagnostic[]> {
  const written = await makeWriter(pack, nodeDisk, { isDurable: true }).overwrite(lockFile, text);
  return written.isDone ? [] : [written.diagnostic];
}

function printOutcome(
  outcome: LockOutcome,
  diagnostics: readonly Diagnostic[],
  texts: LockTexts,
  flags: LockFlags,
  cwd: string,
  pack: string,
): string {
  if (flags.format === 'json') {
    const changes = outcome.changes
      .filter(({ change }) => change !== 'same')
      .map(({ change, line, before, parts }) => ({
        ...{ name: line.name, kind: line.kind, change, parts },
        ...workIn(texts.get(lockKey(line))),
        ...(before === undefined ? {} : { from: before.version }),
        ...(change === 'removed' ? {} : { to: line.version }),
      }));
    const { ok, items, isWritten } = outcome;
    return `${visibleJson({ ok, file: lockFile, written: isWritten, items, changes, diagnostics })}\n`;
  }
  const problems = diagnostics.length === 0 ? '' : printDiagnostics(diagnostics, flags, cwd, [pack]);
  if (flags.format !== 'text') return printDiagnostics(diagnostics, flags, cwd, [pack]);
  if (flags.quiet || problems !== '') return problems;
  return printLockChanges(outcome, texts, colors(flags));
}

// In: what accepting the items of other packs changes. Out: the same for people: one line per item, and the texts to look at.

export interface LockOutcome {
  readonly ok: boolean;
  readonly changes: readonly LockChange[];
  readonly isWritten: boolean;
  /** How many items the lock has. */
  readonly items: number;
}

const longestText = 300;

/** What items are now, by lock key; the lock has only hashes of what they were. */
type LockTexts = ReadonlyMap<string, Pick<ForeignItem, 'text' | 'work'>>;

function workIn(item: Pick<ForeignItem, 'work'> | undefined): { readonly work?: readonly string[] } {
  return item === undefined || item.work.length === 0 ? {} : { work: item.work };
}

export function printLockChanges(
  { ok, changes, isWritten, items }: LockOutcome,
  texts: LockTexts,
  paint: Paint,
): string {
  const told = changes.filter(({ change }) => change !== 'same');
  const lines = told.flatMap(one => [printChange(one, paint), ...printText(one, texts, paint)]);
  const count = `${items} ${items === 1 ? 'item' : 'items'} from other packs`;
  const summary = isWritten
    ? `toolwright.lock written: ${count}`
    : ok
      ? items === 0
        ? 'no server uses anything from other packs'
        : `toolwright.lock is up to date: ${count}`
      : 'toolwright.lock is out of date: look at the changes, then run toolwright lock';
  return `${[...lines, summary].join('\n')}\n`;
}

function printChange({ change, line, before, parts }: LockChange, paint: Paint): string {
  const item = `${line.name}  ${paint.dim(line.kind)}`;
  const versions =
    before === undefined || before.version === line.version ? line.version : `${before.version} -> ${line.version}`;
  switch (change) {
    case 'added':
      return `${paint.cyan('+')} ${item}  ${visible(versions)}`;
    case 'removed':
      return `${paint.red('-')} ${item}  ${visible(versions)}`;
    case 'changed':
      return `${paint.yellow('~')} ${item}  ${visible(versions)}  ${paint.yellow(`${parts.join(', ')} changed`)}`;
    case 'version':
    case 'same':
      return `  ${item}  ${visible(versions)}`;
    default:
      return change satisfies never;
  }
}

/** What a person must read before accepting it. */
function printText(one: LockChange, texts: LockTexts, paint: Paint): readonly string[] {
  const { text = '', work = [] } = texts.get(lockKey(one.line)) ?? {};
  const isNew = one.change === 'added';
  return [
    ...(isNew || one.parts.includes('description') ? [text] : []),
    ...(isNew || one.parts.includes('behaviour') ? work : []),
  ].flatMap(part => printPart(visible(part), paint));
}

function printPart(text: string, paint: Paint): readonly string[] {
  const rest = text.length - longestText;
  // A reader must know that this is not all of it.
  const more = rest > 0 ? `... (${rest} more characters: see toolwright inspect --format json)` : '';
  return text === '' ? [] : [`    ${paint.dim(text.slice(0, longestText))}${more}`];
}
