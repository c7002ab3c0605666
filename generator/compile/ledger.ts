// What generate remembers between two runs: `generated/.toolwright.json`, its version and a hash for each file it wrote.
// In: the texts of the ledger and of the journal, however damaged. Out: what is known of each path, and the text of the next ledger.
import { hash } from 'node:crypto';
import { isBelow, joinPath } from '../../runtime/load/folder.js';
import { compareVersions, isVersion } from '../../runtime/packs/installed-package.js';
import { isMap } from '../../schema/document.js';
import { version } from '../../schema/version.js';

/**
 * `hash`: of the text with LF. `inputs`: the file's, so that equal ones need no rendering. Of a stub both say what was written, or
 * would be: as long as the disk has that text, the author has not touched it. Earlier versions stored neither.
 */
export type LedgerEntry =
  | { readonly role: 'generated'; readonly hash: string; readonly inputs: string }
  | { readonly role: 'stub'; readonly hash?: string; readonly inputs?: string };

/** What the ledger says of a file as it is now, and once an operation is done. */
export interface LedgerChange {
  /** Relative to the pack, with forward slashes. */
  readonly path: string;
  readonly before?: LedgerEntry;
  readonly after?: LedgerEntry;
}

/** What the next ledger says, one entry per path. */
export type Ledger = ReadonlyMap<string, LedgerEntry>;

/** What is known when a run starts. A merge conflict or a killed run leaves several entries for one path: each is ours. */
export type Known = ReadonlyMap<string, readonly LedgerEntry[]>;

/** The files in the generated folder that hold no code. `journal` is there only while files are written. */
export interface Bookkeeping {
  readonly ledger: string;
  readonly journal: string;
  readonly lock: string;
}

/**
 * Where the ledger and its companions are.
 *
 * @example bookkeepingOf('generated').ledger // 'generated/.toolwright.json'
 */
export function bookkeepingOf(generated: string): Bookkeeping {
  return {
    ledger: joinPath(generated, '.toolwright.json'),
    journal: joinPath(generated, '.toolwright.pending.json'),
    lock: joinPath(generated, '.toolwright.lock'),
  };
}

/** Temporary files of apply; `.toolwright-<process>-<number>.tmp`. */
export const temporaryName = /^\.toolwright-\d+-\d+\.tmp$/;

/** Tells whether a file is there only while a run writes, or since one was killed. */
export function isPassing(name: string): boolean {
  const { journal, lock } = bookkeepingOf('');
  return name === journal || name === lock || temporaryName.test(name);
}

const notInPack = /^$|^\/|^[A-Za-z]:|[\\\0]|\/\/|\/$|(?:^|\/)\.\.?(?:\/|$)/;

/**
 * Tells whether a path stays in the pack and is written in the one way that paths are compared in.
 *
 * @example isPackPath('generated/a.js') // true; '../a.js', '/a.js', './a.js' and 'a//b.js' are not
 */
export function isPackPath(path: string): boolean {
  return !notInPack.test(path);
}

/** 128 bits of SHA-256, hexadecimal. CRLF counts as LF, because git may check files out either way. */
export function hashText(text: string | Uint8Array): string {
  return hash('sha256', withLf(text), 'hex').slice(0, 32);
}

function withLf(text: string | Uint8Array): string | Uint8Array {
  if (typeof text === 'string') return text.replaceAll('\r\n', '\n');
  if (!text.includes(13)) return text;
  // One character per byte, so that bytes that are not UTF-8 keep their difference.
  return Buffer.from(Buffer.from(text).toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** What the ledger stores of a file's inputs: short ones as they are. */
export function inputsKey(inputs: string): string {
  return /^[\w.:-]{1,64}$/.test(inputs) ? inputs : hashText(inputs);
}

/**
 * Reads what is left of ledgers. A string that is not JSON (git's conflict markers, a lost half) is read line by line.
 * The ledger is committed, so it may come from strangers: nothing in it reaches outside the pack, what it calls
 * generated is below the generated folder, and what it calls a stub of ours is a module.
 *
 * @example parseLedgers([ledgerText, journalText], 'generated').get('generated/index.js')
 */
export function parseLedgers(texts: readonly (string | undefined)[], generated: string): Known {
  const known = new Map<string, LedgerEntry[]>();
  const own = new Set<string>(Object.values(bookkeepingOf(generated)));
  for (const text of texts) {
    for (const [path, value] of text === undefined ? [] : readPairs(text)) {
      const entry = toEntry(value, path);
      if (entry === undefined || !isPackPath(path) || own.has(path)) continue;
      if (entry.role === 'generated' && !isBelow(path, generated)) continue;
      const entries = known.get(path);
      if (entries === undefined) known.set(path, [entry]);
      else if (!entries.some(other => isSame(other, entry))) entries.push(entry);
    }
  }
  return known;
}

function readPairs(text: string): readonly (readonly [string, unknown])[] {
  try {
    const value: unknown = JSON.parse(text);
    return isMap(value) ? Object.entries(value) : [];
  } catch {
    return text.split('\n').flatMap(readLine);
  }
}

function readLine(line: string): readonly (readonly [string, unknown])[] {
  const body = line.trim().replace(/,$/, '');
  if (!body.startsWith('"') || !body.endsWith('}')) return [];
  try {
    return Object.entries(JSON.parse(`{${body}}`) as Record<string, unknown>);
  } catch {
    return [];
  }
}

/** What a handler can be written in. */
const modulePath = /\.[cm]?[jt]s$/;

function toEntry(value: unknown, path: string): LedgerEntry | undefined {
  if (!isMap(value)) return undefined;
  const { hash: stored, inputs, stub } = value;
  if (Object.hasOwn(value, 'stub'))
    return typeof stub === 'string' && typeof inputs === 'string' && modulePath.test(path)
      ? { role: 'stub', hash: stub, inputs }
      : { role: 'stub' };
  if (typeof stored !== 'string' || typeof inputs !== 'string') return undefined;
  return { role: 'generated', hash: stored, inputs };
}

function isSame(a: LedgerEntry, b: LedgerEntry): boolean {
  return printEntry(a) === printEntry(b);
}

function printEntry(entry: LedgerEntry): string {
  const { role, hash: stored = true, inputs } = entry;
  return JSON.stringify(role === 'stub' ? { stub: stored, inputs } : { hash: stored, inputs });
}

/**
 * The text of a ledger: sorted, one line per path, so that git merges it like a list.
 *
 * @example printLedger(new Map([['src/tools/a.ts', { role: 'stub' }]])) // '{\n  "toolwright": {...},\n  "src/tools/a.ts": {"stub":true}\n}\n'
 */
export function printLedger(ledger: Ledger): string {
  const lines = [...ledger]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, entry]) => `  ${JSON.stringify(path)}: ${printEntry(entry)}`);
  return lines.length === 0 ? '{}\n' : `{\n${[madeBy, ...lines].join(',\n')}\n}\n`;
}

/** Not the path of any file: those that are generated are below a folder. */
const versionKey = 'toolwright';

/** The first line of every ledger; versions that did not write it ignore it. */
const madeBy = `  ${JSON.stringify(versionKey)}: ${JSON.stringify({ version })}`;

/**
 * The version that wrote a ledger; `0.0.0` where it does not say. After a merge there may be two: the earlier one counts.
 *
 * @example versionOfLedger('{\n  "toolwright": {"version":"0.1.0"}\n}\n') // '0.1.0'
 */
export function versionOfLedger(text: string): string {
  const found = readPairs(text).flatMap(([key, value]) =>
    key === versionKey && isMap(value) && typeof value['version'] === 'string' ? [value['version']] : [],
  );
  return found.filter(isVersion).sort(compareVersions)[0] ?? '0.0.0';
}

/**
 * The ledger once the operations that `isDone` tells are done and the others are not.
 *
 * @example printLedger(ledgerOf(ops, op => !failed.has(op)))
 */
export function ledgerOf<Op extends LedgerChange>(ops: readonly Op[], isDone: (op: Op) => boolean): Ledger {
  const ledger = new Map<string, LedgerEntry>();
  for (const op of ops) {
    const entry = isDone(op) ? op.after : op.before;
    if (entry !== undefined) ledger.set(op.path, entry);
  }
  return ledger;
}
