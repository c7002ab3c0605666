// In: the text of toolwright.lock. Out: its lines, and what is wrong with it. A lock that is wrong anywhere pins nothing.
import { type Diagnostic, diagnose, type Outcome, type Site } from '../diagnostics.js';
import { makeLines } from '../locate/lines.js';
import { parseName } from '../names.js';
import { type LockLine, lockFile, lockKey } from './lock.js';
import { lockFormat } from './print-lock.js';

const form =
  /^(\S+) (tool|prompt|resource) (\S+) description=([\w-]{32}) schema=([\w-]{32}) annotations=([\w-]{32})(?: behaviour=([\w-]{32}))?$/;
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
  if (kind !== 'tool' && kind !== 'prompt' && kind !== 'resource') return undefined;
  const parsed = parseName(name);
  if ('problem' in parsed || parsed.name.pack === undefined) return undefined;
  return { name, kind, version, parts: { description, schema, annotations, behaviour } };
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}
