// In: what a source gives. Out: one list of all that is merged: its items, and its entries of toolwright.yaml as items of their own kinds.

import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import { isMap, setOwn } from '../../schema/document.js';
import { depthLimit } from '../../schema/parse/report.js';
import type { Imported, LeftOut } from './imported.js';
import type { SourceItem } from './match-items.js';
import { importFile, type RecordedItem } from './record/record.js';

export interface ListedSource {
  readonly items: readonly SourceItem[];
  /** What no file of a pack can say, with the reason. */
  readonly leftOut: readonly LeftOut[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `server`: of a new pack, which gets what the source says about its server. Later imports merge what the first one wrote. */
export function listSource(
  { items, backends, config, instructions, server: more = {} }: Imported,
  recorded: readonly RecordedItem[],
  server: string | undefined,
): ListedSource {
  const entry = (kind: 'backend' | 'config', [name, definition]: readonly [string, object]): SourceItem => {
    return { kind, name, from: { place: `${kind} ${name}` }, definition: { ...definition } };
  };
  const name = server ?? recorded.find(({ kind }) => kind === 'server')?.name;
  const definition = { ...(instructions === undefined ? {} : { instructions }), ...more };
  const served: SourceItem = { kind: 'server', name: name ?? '', from: { place: 'server' }, definition };
  const all: readonly SourceItem[] = [
    ...Object.entries(backends).map(one => entry('backend', one)),
    ...Object.entries(config).map(one => entry('config', one)),
    ...(name === undefined || Object.keys(definition).length === 0 ? [] : [served]),
    ...items,
  ];
  const wrong = new Map(
    all.flatMap(item => {
      const reason = findUnwritable(item.definition, 1);
      return reason === undefined ? [] : [[item, reason]];
    }),
  );
  return {
    items: all.flatMap(item => (wrong.has(item) ? [] : [{ ...item, definition: withoutHoles(item.definition) }])),
    leftOut: [...wrong].map(([{ from }, reason]) => ({ from, reason })),
    diagnostics: [...wrong].map(
      ([
        {
          from: { place },
          site,
        },
        reason,
      ]) => diagnose('import/left-out', { place, reason }, site?.() ?? startOf(importFile)),
    ),
  };
}

/** Parsers of packs take no deeper nesting. */
const deepest = depthLimit - 10;

function findUnwritable(value: unknown, depth: number): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'it has a number that is too large';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > deepest) return `it is nested more than ${deepest} levels deep`;
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return 'it has a key called __proto__';
    const reason = findUnwritable((value as Readonly<Record<string, unknown>>)[key], depth + 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
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
