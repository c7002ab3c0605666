// The noun of toolwright.lock: what servers of a pack take from other packs, as it was when somebody looked at it.
import type { Kind } from '../definitions.js';
import { type Diagnostic, diagnose, type Outcome, type Site } from '../diagnostics.js';
import { parseName } from '../names.js';
import { makeLines } from '../parse/lines.js';

export const lockFile = 'toolwright.lock';

/** What a line pins, each by a hash of its own, so that a change can be named. */
export const lockParts = ['description', 'schema', 'annotations', 'behaviour'] as const;
export type LockPart = (typeof lockParts)[number];

/** One item of another pack. */
export interface LockLine {
  /** Qualified: `acme/jira/get-issue`. */
  readonly name: string;
  readonly kind: Exclude<Kind, 'server'>;
  /** Only a note for people: what counts are the hashes. */
  readonly version: string;
  /** An empty hash pins nothing: locks of format 1 have no `behaviour`. */
  readonly parts: Readonly<Record<LockPart, string>>;
}

export interface LockChange {
  readonly change: 'added' | 'changed' | 'removed' | 'version' | 'same';
  readonly line: LockLine;
  /** The line that is in the file, where there is one. */
  readonly before?: LockLine;
  /** What is not as it was; empty unless `change` is `changed`. */
  readonly parts: readonly LockPart[];
}

/** Names one item in a lock: the same name may stand for a tool and a prompt. */
export function lockKey({ name, kind }: Pick<LockLine, 'name' | 'kind'>): string {
  return `${name} ${kind}`;
}

/** What is not as it was; the version does not count. */
export function changedParts(before: LockLine, now: LockLine): readonly LockPart[] {
  return lockParts.filter(part => before.parts[part] !== '' && before.parts[part] !== now.parts[part]);
}

/** A version is whatever the other pack says: it must not become a line of its own. */
function noteOf(version: string): string {
  return /^[0-9A-Za-z.+-]{1,64}$/.test(version) ? version : '-';
}

/**
 * What accepting `now` would change in a lock, in the order of its lines.
 *
 * @example compareLocks([], [line])[0]?.change // 'added'
 */
export function compareLocks(before: readonly LockLine[], now: readonly LockLine[]): readonly LockChange[] {
  const old = new Map(before.map(line => [lockKey(line), line]));
  const current = new Set(now.map(lockKey));
  const changes = now.map((line): LockChange => {
    const known = old.get(lockKey(line));
    if (known === undefined) return { change: 'added', line, parts: [] };
    const parts = changedParts(known, line);
    const change = parts.length > 0 ? 'changed' : known.version === noteOf(line.version) ? 'same' : 'version';
    return { change, line, before: known, parts };
  });
  const removed = before.filter(line => !current.has(lockKey(line)));
  return [
    ...changes,
    ...removed.map((line): LockChange => ({ change: 'removed', line, before: line, parts: [] })),
  ].sort((a, b) => compareKeys(a.line, b.line));
}

/** In code-point order, on every machine. */
function compareKeys(a: LockLine, b: LockLine): number {
  const [one, other] = [lockKey(a), lockKey(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

const form =
  /^(\S+) (tool|prompt|resource|schema) (\S+) description=([\w-]{32}) schema=([\w-]{32}) annotations=([\w-]{32})(?: behaviour=([\w-]{32}))?$/;
/** Still read: it pins less. */
const oldFormat = 1;
const conflict = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/;

/** Nobody reads the hundred and first. */
const mostReported = 100;

/**
 * Reads a lock. Empty lines and comments are allowed anywhere; so are line ends of Windows.
 *
 * @example parseLock(text).value?.[0]?.name // 'acme/jira/get-issue'
 */
export function parseLock(text: string): Outcome<readonly LockLine[] | undefined> {
  const lines = makeLines(lockFile, text);
  const diagnostics: Diagnostic[] = [];
  const found = new Map<string, LockLine>();
  const format = /^# toolwright\.lock (\d+)\b/.exec(text)?.[1];
  const head = (): Site => lines.siteOf({ start: 0, end: firstLine(text).length });
  const isOld = format !== undefined && Number(format) === oldFormat;
  if (format !== undefined && Number(format) !== lockFormat && !isOld) {
    const site = head();
    return { value: undefined, diagnostics: [diagnose('lock/format', { format, known: lockFormat }, site)] };
  }
  let start = 0;
  for (const raw of text.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const site = lines.siteOf({ start, end: start + line.length });
    start += raw.length + 1;
    if (diagnostics.length === mostReported) break;
    if (conflict.test(line)) diagnostics.push(diagnose('lock/conflict', {}, site));
    else if (line.trim() !== '' && !line.startsWith('#')) {
      const one = readLine(line, isOld);
      if (one === undefined) diagnostics.push(diagnose('lock/syntax', {}, site));
      else if (found.has(lockKey(one))) diagnostics.push(diagnose('lock/duplicate', { name: one.name }, site));
      else found.set(lockKey(one), one);
    }
  }
  if (diagnostics.length > 0) return { value: undefined, diagnostics };
  const old = isOld ? [diagnose('lock/old-format', { format: oldFormat, known: lockFormat }, head())] : [];
  return { value: [...found.values()], diagnostics: old };
}

function readLine(line: string, isOld: boolean): LockLine | undefined {
  const [, name = '', kind, version = '', description = '', schema = '', annotations = '', behaviour = ''] =
    form.exec(line) ?? [];
  if ((behaviour === '') !== isOld) return undefined;
  if (kind !== 'tool' && kind !== 'prompt' && kind !== 'resource' && kind !== 'schema') return undefined;
  const parsed = parseName(name);
  if ('problem' in parsed || parsed.name.pack === undefined) return undefined;
  return { name, kind, version, parts: { description, schema, annotations, behaviour } };
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}

/** Goes up when the same items come out with other hashes or in another form. */
const lockFormat = 2;

const header = `# toolwright.lock ${lockFormat}: what the servers in this pack use from other packs.
# Made by "toolwright lock"; a changed line is a changed tool: review it like code.
`;

/** Equal lines give equal bytes, whatever their order. */
export function printLock(lines: readonly LockLine[]): string {
  const distinct = new Map(lines.map(line => [lockKey(line), line]));
  return header + [...distinct.values()].sort(compareKeys).map(printLine).join('');
}

function printLine({ name, kind, version, parts }: LockLine): string {
  return `${name} ${kind} ${noteOf(version)} ${lockParts.map(part => `${part}=${parts[part]}`).join(' ')}\n`;
}
