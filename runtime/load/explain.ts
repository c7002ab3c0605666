// In: a loaded pack and the name of an item. Out: which definition wins, what it shadows, where each field was written.
import { callKindOf, findBackend } from '../../schema/backend/calls.js';
import { reachOf } from '../../schema/backend/reach.js';
import { type Kind, kinds } from '../../schema/definitions.js';
import type { Site } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { didYouMean } from '../../schema/nearest.js';
import type { LoadedPack } from './load.js';
import type { Entry } from './resolve.js';

export interface Place {
  readonly file: string;
  readonly line: number;
}

export interface Explanation {
  readonly item: string;
  readonly kind: Kind;
  /** Null where the definition is missing or cannot be read. */
  readonly winner: Place | null;
  readonly shadowed: readonly (Place & { readonly why: string })[];
  /** By field; parts of maps that overlays merge are listed singly (`limits.timeoutMs`). */
  readonly fields: Readonly<Record<string, Place>>;
  /** Of an item without code: what a call of it reaches, and where its backend is declared. */
  readonly reaches?: Readonly<{ what: string; backend?: Place & { readonly name: string } }>;
  /** After overlays. */
  readonly definition: Readonly<Record<string, unknown>>;
}

/** Maps that overlays merge key by key, so that each key has an origin of its own. */
const mergedFields = ['guidelines', 'annotations', 'options', 'limits'];

export type ExplainResult =
  | { readonly explanation: Explanation; readonly entry: Entry }
  /** The name is ambiguous, or unknown; `candidates` are what could be meant. */
  | { readonly problem: string; readonly candidates: readonly string[] };

/** `query`: an item name, or `kind:name` where several kinds have it. */
export function explainLoaded(loaded: LoadedPack, query: string): ExplainResult {
  const [, prefix, rest] = /^(server|tool|prompt|resource|schema):(.*)$/s.exec(query) ?? [];
  const own = loaded.manifest === undefined ? '' : `${loaded.manifest.name}/`;
  const asked = rest ?? query;
  const name = own !== '' && asked.startsWith(own) ? asked.slice(own.length) : asked;
  const searched = prefix === undefined ? kinds : kinds.filter(kind => kind === prefix);
  const all = searched.flatMap(kind => loaded.catalog[kind]);
  const [found, ...others] = all.filter(entry => entry.name === name);
  if (found === undefined) {
    const hint = didYouMean(
      name,
      all.map(entry => entry.name),
    );
    return {
      problem: `the pack ${loaded.program?.pack.name ?? loaded.manifest?.name} has no ${prefix ?? 'item'} "${name}"${hint === undefined ? '' : `: ${hint}`}`,
      candidates: [],
    };
  }
  if (others.length > 0) {
    const candidates = [found, ...others].map(entry => `${entry.kind}:${entry.name}`);
    return { problem: `"${name}" is ambiguous`, candidates };
  }
  const explanation = explainEntry(found);
  return { explanation: { ...explanation, ...reachOfDefinition(explanation, loaded) }, entry: found };
}

/**
 * Where a field was written, or a part of one: `parameters.issueKey.description`, `errors.0.code`.
 *
 * @example findField(found, 'parameters.issueKey')?.line
 */
export function findField(
  { explanation, entry }: Extract<ExplainResult, { entry: unknown }>,
  field: string,
): Place | undefined {
  const { definition, fields } = explanation;
  if (Object.hasOwn(fields, field)) return fields[field];
  const path = pathOfField(definition, field);
  return path === undefined || entry.winner === undefined ? undefined : place(entry.winner.at.site(path, 'key'));
}

/**
 * The keys that lead to a field. Names may have dots: the longest that fits is meant.
 *
 * @example pathOfField({ limits: { timeoutMs: 5 } }, 'limits.timeoutMs') // ['limits', 'timeoutMs']
 */
export function pathOfField(value: unknown, field: string): readonly string[] | undefined {
  if (!isMap(value) && !Array.isArray(value)) return undefined;
  const fitting = Object.keys(value).filter(key => field === key || field.startsWith(`${key}.`));
  for (const key of fitting.sort((a, b) => b.length - a.length)) {
    if (field === key) return [key];
    const inner = pathOfField((value as Readonly<Record<string, unknown>>)[key], field.slice(key.length + 1));
    if (inner !== undefined) return [key, ...inner];
  }
  return undefined;
}

function explainEntry({ kind, name, winner, shadowed, declaration }: Entry): Explanation {
  const definition = isMap(winner?.definition) ? { ...winner.definition } : {};
  const fields = new Map<string, Place>();
  for (const [field, value] of Object.entries(definition)) {
    if (winner === undefined) continue;
    fields.set(field, place(winner.at.site([field], 'key')));
    if (!mergedFields.includes(field) || !isMap(value)) continue;
    for (const key of Object.keys(value)) {
      const path = field === 'options' ? [field, key, 'default'] : [field, key];
      fields.set(`${field}.${key}`, place(winner.at.site(path, 'key')));
    }
  }
  // W2: a declared description is the default of the definition's.
  const declared = declaration?.description;
  if (declared !== undefined && !Object.hasOwn(definition, 'description') && declaration !== undefined) {
    definition['description'] = declared;
    fields.set('description', place(declaration.site()));
  }
  return {
    item: name,
    kind,
    winner: winner === undefined ? null : place(winner.site()),
    shadowed: shadowed.map(one => ({ ...place(one.site()), why: one.why })),
    fields: Object.fromEntries(fields),
    definition,
  };
}

function reachOfDefinition({ definition }: Explanation, { manifest }: LoadedPack): Pick<Explanation, 'reaches'> {
  const backends = manifest?.backends ?? {};
  const kind = callKindOf(definition);
  const what = reachOf(definition, backends);
  if (kind === undefined || what === undefined) return {};
  const found = findBackend(kind, definition[kind], backends);
  if (found === undefined || found.problem !== undefined || manifest === undefined) return { reaches: { what } };
  const { name } = found;
  return { reaches: { what, backend: { name, ...place(manifest.at.site(['backends', name], 'key')) } } };
}

function place({ file, line }: Site): Place {
  return { file, line };
}
