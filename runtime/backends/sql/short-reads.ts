// In: what SQLite would do for a statement (EXPLAIN). Out: whether that is surely short, so that it may run in this process, where nothing
// can interrupt it, and whether it gives one row at most. Anything that is not known to be short is not.

/** None of them calls a function, enters another program, or goes back. */
const steps = new Set(
  `Init Goto Halt Transaction Integer Int64 Real Null String8 String Blob Variable Copy SCopy Move ResultRow
  OpenRead Close Column Rowid IdxRowid DeferredSeek Affinity MakeRecord RealAffinity Cast Noop Explain Trace
  SeekRowid SeekGE SeekGT SeekLE SeekLT NotExists NotFound Found NullRow Rewind Last IfNot If IfNullRow IsNull NotNull
  Eq Ne Lt Le Gt Ge IdxGE IdxGT IdxLE IdxLT MustBeInt DecrJumpZero IfPos OffsetLimit Once Add Subtract Multiply Concat And Or Not
  AggStep AggFinal Count SorterOpen SorterInsert SorterSort SorterData OpenPseudo ReadCookie SeekHit SeekScan
  OpenEphemeral Sequence IfNotZero Delete IdxInsert Sort Compare Jump Permutation CollSeq IsTrue ZeroOrNull`.split(
    /\s+/,
  ),
);
const goesOn = new Set(['Next', 'Prev', 'SorterNext']);

type Program = readonly Readonly<Record<string, unknown>>[];

/**
 * At most one pass over one table or index, and one over what it found: never one inside the other.
 *
 * @example isShortRead(session.program('SELECT * FROM books WHERE id = ?', [7])) // true
 */
export function isShortRead(program: Program): boolean {
  const done = program.map(({ opcode, addr, p2 }) => ({ name: String(opcode), at: Number(addr), to: Number(p2) }));
  if (done.length === 0 || !done.every(({ name }) => steps.has(name) || goesOn.has(name))) return false;
  // The last step goes back to the first; any other way back is a loop.
  if (done.some(({ name, at, to }) => name === 'Goto' && to <= at && to !== 1)) return false;
  const passes = done.filter(({ name }) => goesOn.has(name));
  return passes.length <= 2 && passes.every(({ to }, index) => index === 0 || to > (passes[index - 1]?.at ?? 0));
}

/** Of a short read: without a pass over anything no step is done twice. */
export function givesOneRow(program: Program): boolean {
  const rows = program.filter(({ opcode }) => opcode === 'ResultRow');
  return rows.length <= 1 && !program.some(({ opcode }) => goesOn.has(String(opcode)));
}
