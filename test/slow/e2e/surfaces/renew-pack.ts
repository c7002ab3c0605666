// In: what a real server lists under every setting that changes a tool. Out: mcp/tools.yaml of its pack, made by the importer. A tool that looks
// different under some settings becomes several items with one name and a `when` each; everything else about conditions is in the pack's server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Capture } from '../../../../generator/import/server/capture.js';
import { readFlagWords } from '../../../../generator/import/server/flag-words.js';
import { importServer } from '../../../../generator/import/server/import-server.js';
import type { Axis, RealServer, Start, Tool } from './real-servers.js';

type Choice = Axis['values'][number];

export async function renewPack(
  real: RealServer,
  folder: string,
  capture: (start: Start, words: readonly string[]) => Promise<Capture>,
): Promise<void> {
  const settings = real.axes.reduce<readonly (readonly Choice[])[]>(
    (before, { values }) => before.flatMap(choices => values.map(value => [...choices, value])),
    [[]],
  );
  const items: [string, object][] = [];
  for (const start of real.whole) {
    const captures: Capture[] = [];
    for (const choices of settings)
      captures.push(
        await capture(
          start,
          choices.flatMap(({ words }) => words),
        ),
      );
    const imported = importServer(captures, { place: { command: [real.package] }, name: real.name });
    const odd = imported.diagnostics.find(({ code }) => code === 'import/unclear-condition');
    if (odd !== undefined) throw new Error(odd.message);
    for (const { kind, from, definition } of imported.items)
      if (kind === 'tool') items.push(toItem(real, String(from.id), definition as never));
  }
  items.sort(([a], [b]) => (a < b ? -1 : 1));
  const head = `# Written by \`npm run slow:conditions -- --renew\` from what ${real.package} ${real.version} lists.\n`;
  writeFileSync(join(folder, 'mcp/tools.yaml'), head + stringify(Object.fromEntries(items), { lineWidth: 0 }));
}

interface Definition extends Tool {
  readonly when?: Readonly<Record<string, unknown>>;
}

/** Under the name that clients see, and with the keys of the pack. */
function toItem(
  real: RealServer,
  id: string,
  { when, annotations, inputSchema, ...more }: Definition,
): [string, object] {
  const name = id.replace(/ \(.*\)$/, '');
  const chosen = real.axes.flatMap(axis => {
    const [one] = Object.entries(when ?? {}).filter(([key]) => key === keyOf(real, axis));
    return one === undefined ? [] : [{ key: axis.key, choices: [one[1]].flat().map(value => choiceOf(axis, value)) }];
  });
  const item = [name, ...chosen.flatMap(({ choices }) => choices.flatMap(({ form }) => form ?? []))].join('.');
  const { name: _, ...texts } = more;
  const wantedOf = (choices: readonly Choice[]): unknown =>
    choices.length === 1 ? choices[0]?.value : choices.map(({ value }) => value);
  return [
    item,
    {
      ...(item !== name && { name }),
      ...texts,
      tags: [real.tagOf({ ...more, name, inputSchema, ...(annotations && { annotations }) })],
      ...(chosen.length > 0 && {
        when: Object.fromEntries(chosen.map(({ key, choices }) => [key, wantedOf(choices)])),
      }),
      ...(annotations !== undefined && { annotations }),
      handler: 'src/answer.ts#answer',
      inputSchema,
    },
  ];
}

const settingOf = ({ words }: Choice) => readFlagWords(words).settings[0];

/** As the importer calls it. */
function keyOf(real: RealServer, { values }: Axis): string {
  const flag = values.map(settingOf).find(setting => setting !== undefined)?.name;
  return `${real.name}-${flag}`.replaceAll('-', '_').toUpperCase();
}

/** A switch is on or off, and what has a value has none where the flag is not given. */
function choiceOf({ values }: Axis, wanted: unknown): Choice {
  const found = values.find(choice => {
    const setting = settingOf(choice);
    if (setting === undefined) return wanted === false || wanted === '';
    return setting.value === undefined ? wanted === true : wanted === setting.value;
  });
  if (found === undefined) throw new Error(`no value ${String(wanted)}`);
  return found;
}
