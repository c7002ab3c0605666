// B2. In: how a statement of SQLite begins. Out: whether it is about the database as such, and whether it only reads: `query_only` is itself
// a setting, and does not keep a statement from making files.

/** They take what they ask for as an argument. */
const questions = new Set(
  `TABLE_INFO TABLE_XINFO TABLE_LIST INDEX_INFO INDEX_XINFO INDEX_LIST FOREIGN_KEY_LIST FOREIGN_KEY_CHECK INTEGRITY_CHECK
  QUICK_CHECK`.split(/\s+/),
);
/** They write without one. */
const actions = new Set(['INCREMENTAL_VACUUM', 'OPTIMIZE', 'WAL_CHECKPOINT']);

/** It cannot stand in a transaction, and what it sets would stay on the connection. */
export function isSetting(head: readonly string[]): boolean {
  return head[0] === 'PRAGMA' || head[0] === 'VACUUM';
}

/**
 * False: it may write though the connection may only read. What changes rows or tables is for SQLite to refuse.
 *
 * @example isReadOf(['PRAGMA', 'QUERY_ONLY', '=', 'OFF']) // false
 */
export function isReadOf(head: readonly string[]): boolean {
  if (!isSetting(head)) return true;
  const [verb, first = '', dot, second = ''] = head;
  if (verb === 'VACUUM') return false;
  const name = dot === '.' ? second : first;
  const hasArgument = head.length > (dot === '.' ? 4 : 2);
  return hasArgument ? questions.has(name) : !actions.has(name);
}
