// In: where the next page of a list begins, and a version of the list. Out: the cursor that says so, and back.

/** Cursors of ours have a few dozen characters. */
const longest = 200;

export interface Cursor {
  readonly start: number;
  /** Of the list that it was given for. */
  readonly version: string;
}

export function closeCursor({ start, version }: Cursor): string {
  return Buffer.from(`${start} ${version}`).toString('base64url');
}

/** Undefined: not one of ours. */
export function openCursor(cursor: string): Cursor | undefined {
  const text = cursor.length > longest ? '' : Buffer.from(cursor, 'base64url').toString('latin1');
  const [, start, version] = /^([1-9]\d{0,8}) ([A-Za-z0-9_-]{16})$/.exec(text) ?? [];
  return start === undefined || version === undefined ? undefined : { start: Number(start), version };
}
