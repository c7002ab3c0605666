// In: measured rows. Out: what must hold of a built server, against the limit, against every other contender, and against
// the same server of another checkout.

const own = 'toolwright build';
const limits = [
  ['cold start, 50 tools', 1.15],
  ['cold start, 2000 tools', 1.3],
  ['memory after it, 50 tools', 1.2],
  ['stdio 2025, one by one, server CPU', 2],
  ['stdio 2025, 64 at a time, server CPU', 3],
  ['stdio 2026, 64 at a time, server CPU', 3],
  ['http 2026, one by one, server CPU', 1.5],
  ['http 2026, 32 at a time, server CPU', 1.5],
  ['http 2025, one by one, server CPU', 3],
  ['http 2025, 32 at a time, server CPU', 3],
];
/** Milliseconds above the limit's first call; loading one small handler is part of it. */
const firstCall = ['first call, 50 tools', 15];

export function judge(rows) {
  const byId = new Map(rows.map(row => [row.id, row]));
  const against = limits.map(([id, limit]) => {
    const measured = byId.get(id)?.of[own]?.ratio;
    return {
      text: `${id}, x the limit`,
      limit,
      measured,
      met: measured === undefined ? undefined : measured <= limit,
      note: '',
    };
  });
  const above = byId.get(firstCall[0])?.of[own]?.above;
  const first = {
    text: `${firstCall[0]}, ms above the limit`,
    limit: firstCall[1],
    measured: above,
    met: above === undefined ? undefined : above <= firstCall[1],
    note: '',
  };
  const measured = rows.filter(({ of }) => of[own] !== undefined);
  return [...against, first, ...measured.map(ahead), ...measured.flatMap(asBefore)];
}

/** Not slower or larger than the other checkout, where there is one. */
function asBefore({ id, of }) {
  const before = of[`${own} before`];
  if (before === undefined) return [];
  const measured = of[own].ratio / before.ratio;
  return [{ text: `${id}, x before`, limit: 1.1, measured, met: measured <= 1.1, note: '' }];
}

/** Ahead of every contender: the best of the others is slower or larger. */
function ahead({ id, of }) {
  const others = Object.entries(of).filter(([name]) => name !== 'limit' && !name.startsWith('toolwright'));
  const [best] = others.toSorted(([, a], [, b]) => a.ratio - b.ratio);
  if (best === undefined)
    return { text: `${id}, x the best peer`, limit: 1, measured: undefined, met: undefined, note: '' };
  const measured = of[own].ratio / best[1].ratio;
  return { text: `${id}, x the best peer`, limit: 1, measured, met: measured <= 1, note: best[0] };
}
