// In: what a real server lists under every setting that changes a tool. Out: mcp/tools.yaml of its pack. A tool that looks different under
// some settings becomes several items with one name and a `when` each; everything else about conditions is in the pack's server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import type { Axis, RealServer, Start, Tool } from './real-servers.js';

type Choice = Axis['values'][number];

/** A value of every axis, and a tool as it is listed with them. */
interface Seen {
  readonly choices: readonly Choice[];
  readonly tool: Tool;
}

export async function renewPack(
  real: RealServer,
  folder: string,
  list: (start: Start) => Promise<readonly Tool[]>,
): Promise<void> {
  const settings = real.axes.reduce<readonly (readonly Choice[])[]>(
    (before, { values }) => before.flatMap(choices => values.map(value => [...choices, value])),
    [[]],
  );
  const byName = new Map<string, Seen[]>();
  for (const choices of settings) {
    for (const start of real.whole) {
      const words = [...(start.words ?? []), ...choices.flatMap(choice => choice.words)];
      for (const tool of await list({ ...start, words }))
        byName.set(tool.name, [...(byName.get(tool.name) ?? []), { choices, tool }]);
    }
  }
  const items = [...byName.values()].flatMap(seen => formsOf(real, seen));
  const head = `# Written by \`npm run slow:conditions -- --renew\` from what ${real.package} ${real.version} lists.\n`;
  writeFileSync(join(folder, 'mcp/tools.yaml'), head + stringify(Object.fromEntries(items), { lineWidth: 0 }));
}

/** One item for each setting of the axes that make a difference to the tool. */
function formsOf(real: RealServer, seen: readonly Seen[]): readonly (readonly [string, object])[] {
  const axes = real.axes.flatMap((axis, index) => (makesDifference(seen, index) ? [{ ...axis, index }] : []));
  const forms = new Map<string, object>();
  for (const { choices, tool } of seen) {
    const chosen = axes.map(({ key, index }) => ({ key, ...choices[index] }));
    const item = [tool.name, ...chosen.flatMap(({ form }) => form ?? [])].join('.');
    const { name, description, inputSchema, annotations } = tool;
    forms.set(item, {
      ...(item !== name && { name }),
      description,
      tags: [real.tagOf(tool)],
      ...(chosen.length > 0 && { when: Object.fromEntries(chosen.map(({ key, value }) => [key, value])) }),
      ...(annotations !== undefined && { annotations }),
      handler: 'src/answer.ts#answer',
      inputSchema,
    });
  }
  return [...forms];
}

function makesDifference(seen: readonly Seen[], axis: number): boolean {
  const others = ({ choices }: Seen): readonly Choice[] => choices.toSpliced(axis, 1);
  return seen.some(one =>
    seen.some(other => isDeepStrictEqual(others(one), others(other)) && !isDeepStrictEqual(one.tool, other.tool)),
  );
}
