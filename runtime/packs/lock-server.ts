// In: a composed server and the lock of its pack. Out: which items of other packs are not what somebody accepted.
import { isUtf8 } from 'node:buffer';
import { type Diagnostic, type DiagnosticExtras, diagnose, type Site, startOf } from '../../schema/diagnostics.js';
import { changedParts, type LockLine, type LockPart, lockFile, lockKey } from '../../schema/lock/lock.js';
import { parseLock } from '../../schema/lock/parse-lock.js';
import { builtinPack } from '../load/builtin-pack.js';
import { codeOf, type Folder, nodeFolder } from '../load/folder.js';
import type { ListedKind } from '../load/link-server.js';
import { maxBytes } from '../load/read-file.js';
import type { ComposedItem, ComposedServer } from './compose.js';
import { lockLineOf } from './lock-item.js';
import type { PackLookup } from './look-up.js';

/** `lines` are empty where there is no lock, or one that cannot be used. */
export interface Lock {
  readonly state: 'absent' | 'broken' | 'read';
  readonly lines: readonly LockLine[];
  readonly diagnostics: readonly Diagnostic[];
}

export function readLock(folder: Folder): Lock {
  const status = folder.status(lockFile);
  if (status === 'missing') return { state: 'absent', lines: [], diagnostics: [] };
  if (status !== 'file') return unreadable(status === 'outside' ? 'it leads out of the pack' : 'it is not a file');
  try {
    const bytes = folder.read(lockFile, maxBytes);
    if (typeof bytes === 'number') return unreadable('it is too large');
    if (!isUtf8(bytes)) return unreadable('it is not UTF-8');
    const { value, diagnostics } = parseLock(new TextDecoder().decode(bytes));
    return { state: value === undefined ? 'broken' : 'read', lines: value ?? [], diagnostics };
  } catch (error) {
    return unreadable(codeOf(error) ?? String(error));
  }
}

function unreadable(reason: string): Lock {
  return { state: 'broken', lines: [], diagnostics: [diagnose('lock/unreadable', { reason }, startOf(lockFile))] };
}

/** An item of another pack as it is now. */
export interface ForeignItem {
  readonly item: ComposedItem<ListedKind>;
  readonly now: LockLine;
}

/**
 * What a server takes from other packs; what comes with this package needs no lock.
 * `plain` finds the same packs without overlays: those are the operator's own, and no change of a pack.
 */
export function foreignItems(composed: ComposedServer, plain?: PackLookup): readonly ForeignItem[] {
  const { pack: own, tools, prompts, resources } = composed;
  const all: readonly ComposedItem<ListedKind>[] = [...tools, ...prompts, ...resources];
  const builtin = builtinPack();
  return all
    .filter(({ pack }) => pack !== own && pack.program.pack.folder !== builtin)
    .map(item => ({ item, now: lineOf(item, plain) }));
}

function lineOf({ item, pack }: ComposedItem<ListedKind>, plain: PackLookup | undefined): LockLine {
  const { pack: origin } = pack.program;
  const unpatched = plain?.pack(origin.name);
  const items = unpatched !== undefined && 'program' in unpatched ? unpatched.program[`${item.kind}s`] : [];
  const same = items.find(one => one.item === item.item);
  return lockLineOf(same ?? item, origin, pack.folder ?? nodeFolder(origin.folder));
}

/** An item that nobody accepted as it is. */
interface Unaccepted extends ForeignItem {
  /** What changed; undefined where it has no line. */
  readonly changed?: { readonly parts: readonly LockPart[]; readonly before: LockLine };
}

function findUnaccepted(items: readonly ForeignItem[], { lines }: Lock): readonly Unaccepted[] {
  const known = new Map(lines.map(line => [lockKey(line), line]));
  return items.flatMap((one): Unaccepted[] => {
    const before = known.get(lockKey(one.now));
    if (before === undefined) return [one];
    const parts = changedParts(before, one.now);
    return parts.length === 0 ? [] : [{ ...one, changed: { parts, before } }];
  });
}

const acceptance = 'toolwright lock --check shows it, toolwright lock accepts it';

/** Told where the server names the item. `extras`: at start a change is a warning. */
function reportUnaccepted(
  { server }: Pick<ComposedServer, 'server'>,
  { item, now, changed }: Unaccepted,
  extras: DiagnosticExtras = {},
): Diagnostic {
  const { name, kind, version: to } = now;
  const site: Site = server.at.site(item.path ?? [`${kind}s`]);
  if (changed === undefined) return diagnose('pack/not-locked', { kind, name }, site);
  const { parts, before } = changed;
  return diagnose('pack/changed', { kind, name, parts, from: before.version, to }, site, {
    hint: acceptance,
    ...extras,
  });
}

/** For `check`: nothing where there is no lock, since nobody asked for one. */
export function checkLock(composed: ComposedServer, lock: Lock, plain?: PackLookup): readonly Diagnostic[] {
  if (lock.state !== 'read') return [];
  return findUnaccepted(foreignItems(composed, plain), lock).map(one => reportUnaccepted(composed, one));
}

export interface Thawed {
  /** Under --frozen without what nobody accepted. Names stay as they are. */
  readonly composed: ComposedServer;
  readonly diagnostics: readonly Diagnostic[];
}

/** For `start`: a change is reported; with `isFrozen` it is not served, nor is anything that has no line. */
export function applyLock(composed: ComposedServer, lock: Lock, isFrozen: boolean, plain?: PackLookup): Thawed {
  const diagnostics = [...lock.diagnostics];
  if (!isFrozen && lock.state !== 'read') return { composed, diagnostics };
  const unaccepted = findUnaccepted(foreignItems(composed, plain), lock);
  for (const one of unaccepted) {
    if (isFrozen) diagnostics.push(reportLeftOut(composed, one, lock));
    else diagnostics.push(reportUnaccepted(composed, one, { severity: 'warning' }));
  }
  if (!isFrozen || unaccepted.length === 0) return { composed, diagnostics };
  const out = new Set<ComposedItem<ListedKind>>(unaccepted.map(({ item }) => item));
  const { tools, prompts, resources } = composed;
  return {
    composed: {
      ...composed,
      tools: tools.filter(item => !out.has(item)),
      prompts: prompts.filter(item => !out.has(item)),
      resources: resources.filter(item => !out.has(item)),
    },
    diagnostics,
  };
}

function reportLeftOut({ server }: ComposedServer, { item, now, changed }: Unaccepted, { state }: Lock): Diagnostic {
  const { name, kind } = now;
  const none = state === 'read' ? 'it has no line in toolwright.lock' : 'there is no toolwright.lock that can be used';
  const reason = changed === undefined ? none : `its ${changed.parts.join(' and ')} changed`;
  return diagnose('lock/left-out', { kind, name, reason }, server.at.site(item.path ?? [`${kind}s`]));
}
