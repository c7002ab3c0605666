// In: what accepting the items of other packs changes. Out: the same for people: one line per item, and the texts to look at.
import { type LockChange, lockKey } from '../../schema/lock/lock.js';
import type { Paint } from '../../schema/print/text.js';
import { visible } from '../../schema/print/visible.js';

export interface LockOutcome {
  readonly ok: boolean;
  readonly changes: readonly LockChange[];
  readonly isWritten: boolean;
  /** How many items the lock has. */
  readonly items: number;
}

const longestText = 300;

/** `texts`: the descriptions as they are now, by lock key; the lock has only hashes of those before. */
export function printLockChanges(
  { ok, changes, isWritten, items }: LockOutcome,
  texts: ReadonlyMap<string, string>,
  paint: Paint,
): string {
  const told = changes.filter(({ change }) => change !== 'same');
  const lines = told.flatMap(one => [printChange(one, paint), ...printText(one, texts, paint)]);
  const count = `${items} ${items === 1 ? 'item' : 'items'} of other packs`;
  const summary = isWritten
    ? `toolwright.lock written: ${count}`
    : ok
      ? items === 0
        ? 'no server takes anything from other packs'
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
function printText(one: LockChange, texts: ReadonlyMap<string, string>, paint: Paint): readonly string[] {
  if (one.change !== 'added' && !one.parts.includes('description')) return [];
  const text = visible(texts.get(lockKey(one.line)) ?? '');
  const rest = text.length - longestText;
  // A reader must know that this is not all of it.
  const more = rest > 0 ? `... (${rest} more characters: see toolwright inspect --format json)` : '';
  return text === '' ? [] : [`    ${paint.dim(text.slice(0, longestText))}${more}`];
}
