// In: what bench/generate.mjs measured. Out: a table for a terminal, and the requirements of the compiler with what was measured.
import { printTable, requirement } from './print.mjs';

const columns = [
  ['', row => row.id],
  ['ms', row => row.ms.toFixed(0)],
  ['x floor', row => row.ratio.toFixed(2)],
  ['of check', row => row.ofCheck.toFixed(2)],
  ['CPU ms', row => row.cpuMs.toFixed(0)],
  ['x floor', row => row.cpuRatio.toFixed(2)],
  ['of check', row => row.cpuOfCheck.toFixed(2)],
  ['RSS MB', row => row.rssMb.toFixed(0)],
  ['growth', row => (row.growth === undefined ? '' : row.growth.toFixed(1))],
];

export function printRows(rows) {
  return printTable(columns, rows, ({ size, rounds }) => `${size.toLocaleString('en')} tools (${rounds} rounds)`);
}

/** `met` is undefined where what it needs was left out. Fills in the growth of the rows. */
export function judge(rows, types, sizes, typedTools) {
  const find = (size, id) => rows.find(row => row.size === size && row.id === id);
  const of = (id, key, cpuKey, more = () => '') => {
    const row = find(1000, id);
    return [row?.[key], row === undefined ? '' : `CPU ${row[cpuKey].toFixed(2)}${more(row)}`];
  };
  const own = [
    'generate, cold',
    'generate, YAML in the cache',
    'generate, one tool changed',
    'generate, nothing changed, first run',
    'generate, nothing changed',
  ];
  const growths = own.flatMap(id =>
    sizes.flatMap(size => {
      const [row, tenth] = [find(size, id), find(size / 10, id)];
      if (row === undefined || tenth === undefined) return [];
      row.growth = row.ms / tenth.ms;
      return [
        { growth: row.growth, note: `${size / 10} -> ${size}, ${id}; CPU ${(row.cpuMs / tenth.cpuMs).toFixed(1)}` },
      ];
    }),
  );
  const [worst] = growths.sort((a, b) => b.growth - a.growth);
  const ours = find(1000, 'types: ours');
  const against = id => {
    const row = find(1000, `types: ${id}`);
    if (row === undefined || ours === undefined) return requirement(`types alone, against ${id}`, 1);
    return requirement(`types alone, against ${id}`, 1, ours.ms / row.ms, `CPU ${(ours.cpuMs / row.cpuMs).toFixed(2)}`);
  };
  const memory = own.map(id => find(1000, id)?.rssMb).filter(mb => mb !== undefined);
  const checking = Object.entries(types).flatMap(([compiler, { empty, handlers, ours: typed, zod }]) => {
    const aboveEmpty = project => (project.seconds - empty.seconds) / (zod.seconds - empty.seconds);
    const least = zod && `the same handlers typed \`any\` ${aboveEmpty(handlers).toFixed(2)}`;
    const perTool = (typed.instantiations - empty.instantiations) / typedTools;
    return [
      requirement(
        `tsc over ${typedTools} tools, ${compiler}, above empty, against zod`,
        0.1,
        zod && aboveEmpty(typed),
        least,
      ),
      requirement(`instantiations per tool, ${compiler}`, 50, perTool),
    ];
  });
  return [
    requirement('1,000 tools: cold generate, against the floor', 1.3, ...of('generate, cold', 'ratio', 'cpuRatio')),
    ...['json-schema-to-typescript', 'hey-api', 'openapi-typescript'].map(against),
    requirement(
      '1,000 tools: nothing changed, against a warm check',
      1.2,
      ...of('generate, nothing changed', 'ofCheck', 'cpuOfCheck'),
    ),
    requirement(
      '1,000 tools: one changed, against a warm check',
      2,
      ...of('generate, one tool changed', 'ofCheck', 'cpuOfCheck', row => {
        return `; of a check after the change ${row.ofChanged.toFixed(2)}, CPU ${row.cpuOfChanged.toFixed(2)}`;
      }),
    ),
    requirement(
      '1,000 tools: the run after a change, against a warm check',
      1.2,
      ...of('generate, nothing changed, first run', 'ofCheck', 'cpuOfCheck'),
    ),
    requirement('growth N -> 10 N, the worst', 11, worst?.growth, worst?.note),
    requirement('1,000 tools: RSS in MB', 500, memory.length === 0 ? undefined : Math.max(...memory)),
    ...checking,
  ];
}
