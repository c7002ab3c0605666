// In: what a source gives. Out: one list of all that is merged: its items, and its entries of toolwright.yaml as items of their own kinds.
import { isMap, setOwn } from '../../schema/document.js';
import type { Imported } from './imported.js';
import type { SourceItem } from './match-items.js';
import type { RecordedItem } from './record/record.js';

/** `server`: of a new pack, which gets what the source says about its server. Later imports merge what the first one wrote. */
export function listSource(
  { items, backends, config, instructions, server: more = {} }: Imported,
  recorded: readonly RecordedItem[],
  server: string | undefined,
): readonly SourceItem[] {
  const entry = (kind: 'backend' | 'config', [name, definition]: readonly [string, object]): SourceItem => {
    return { kind, name, from: { place: `${kind} ${name}` }, definition: withoutHoles(definition) };
  };
  const name = server ?? recorded.find(({ kind }) => kind === 'server')?.name;
  const definition = { ...(instructions === undefined ? {} : { instructions }), ...more };
  const served: SourceItem = { kind: 'server', name: name ?? '', from: { place: 'server' }, definition };
  return [
    ...Object.entries(backends).map(one => entry('backend', one)),
    ...Object.entries(config).map(one => entry('config', one)),
    ...(name === undefined || Object.keys(definition).length === 0 ? [] : [served]),
    ...items.map(item => ({ ...item, definition: withoutHoles(item.definition) })),
  ];
}

/** Members that are undefined are not there; most definitions have none and are not copied. */
function withoutHoles(definition: object): Readonly<Record<string, unknown>> {
  return (hasHole(definition) ? fill(definition) : definition) as Readonly<Record<string, unknown>>;
}

function hasHole(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasHole);
  return value === undefined || (isMap(value) && Object.values(value).some(hasHole));
}

function fill(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(one => fill(one) ?? null);
  if (!isMap(value)) return value;
  const next: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) if (one !== undefined) setOwn(next, key, fill(one));
  return next;
}
