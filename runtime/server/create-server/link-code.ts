// In: tools, prompts and resources that code defines. Out: a program of them, by the same stages as manifests go
// through, and their functions. Mistakes have the place in the caller's data: `tools[0].parameters.city`.
import { type Backends, callKindOf } from '../../../schema/backend/calls.js';
import { type ConfigEntry, type HandledKind, handledKinds, type Kind } from '../../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, hasErrors, startOf } from '../../../schema/diagnostics.js';
import { isMap, type Locator, printPath } from '../../../schema/document.js';
import { validate } from '../../../schema/validate/validate.js';
import { type Folder, nodeFolder } from '../../load/folder.js';
import { itemKey, link } from '../../load/link.js';
import type { Manifest } from '../../load/manifest.js';
import type { Program } from '../../load/program.js';
import { createReader } from '../../load/read.js';
import type { Entry } from '../../load/resolve.js';
import type { Item } from '../../load/split.js';
import { type Functions, toData } from './to-data.js';

/** One definition of the caller, and what to call its place. */
export interface CodeItem {
  readonly kind: HandledKind;
  readonly definition: unknown;
  /** `tools[0]`. */
  readonly place: string;
}

/** What stands for toolwright.yaml. */
export interface CodePack {
  readonly name: string;
  readonly version: string;
  /** Where `{file: x.md}` starts; never left. */
  readonly folder: string | Folder;
  readonly config?: Readonly<Record<string, ConfigEntry>> | undefined;
  readonly backends?: Backends | undefined;
  /** Tools that exist already, for `{{tool:X}}`. */
  readonly known?: readonly string[] | undefined;
  /** Where the functions of the definitions go. */
  readonly functions: Functions;
}

export interface LinkedCode {
  readonly program: Program;
  readonly diagnostics: readonly Diagnostic[];
}

export function linkCode(items: readonly CodeItem[], pack: CodePack): LinkedCode {
  const { functions } = pack;
  const diagnostics: Diagnostic[] = [];
  const malformed = new Set<string>();
  const catalog: Record<Kind, Entry[]> = { server: [], tool: [], prompt: [], resource: [], schema: [] };
  const seen = new Set<string>();
  for (const name of pack.known ?? []) catalog.tool.push({ kind: 'tool', name, winner: undefined, ...nowhere });
  for (const one of items) {
    const before = diagnostics.length;
    const item = readItem(one, functions, diagnostics);
    if (item === undefined) continue;
    const key = itemKey(item);
    if (diagnostics.length > before) malformed.add(key);
    const wrong = validate(item.kind, item.definition, item.at);
    if (seen.has(key)) {
      const params = { kind: item.kind, item: item.name };
      wrong.push(diagnose('resolve/duplicate-item', params, item.at.site(['name'])));
    }
    seen.add(key);
    if (needsFunction(item) && !functions.has(handlerOf(item))) {
      wrong.push(diagnose('pack/no-function', { kind: item.kind, item: item.name }, item.at.site(['handler'])));
    }
    if (isMap(item.definition) && item.definition['isolate'] === 'thread')
      wrong.push(diagnose('pack/isolate', { tool: item.name }, item.at.site(['isolate'])));
    if (hasErrors(wrong)) malformed.add(key);
    addAll(diagnostics, wrong);
    catalog[item.kind].push({ kind: item.kind, name: item.name, winner: item, ...nowhere });
  }
  const manifest = makeManifest(pack, diagnostics);
  const folder = typeof pack.folder === 'string' ? nodeFolder(pack.folder) : pack.folder;
  const linked = link(catalog, manifest, createReader(folder), malformed, { mayHide: () => true });
  addAll(diagnostics, linked.diagnostics);
  return { program: linked.program, diagnostics };
}

const nowhere = { file: undefined, shadowed: [] } as const;

function readItem(
  { kind, definition, place }: CodeItem,
  functions: Functions,
  diagnostics: Diagnostic[],
): Item | undefined {
  const at = locate(place);
  const { data, diagnostics: unusable } = toData(definition, functions, path => at.site(path));
  addAll(diagnostics, unusable);
  if (!isMap(data)) {
    // What is not a definition at all has one mistake, whatever else could be said.
    if (unusable.length === 0) addAll(diagnostics, validate(kind, data ?? null, at));
    return undefined;
  }
  const { name } = data;
  if (typeof name === 'string') {
    return { kind, name, file: place, form: 'inline', definition: data, at, site: () => at.site([]) };
  }
  if (name === undefined) {
    diagnostics.push(diagnose('validate/missing-key', { keys: ['name'], where: `the ${kind}` }, at.site([])));
  }
  addAll(diagnostics, validate(kind, data, at));
  return undefined;
}

/** Something may stand in place of code, and a prompt or resource may be a string. */
function needsFunction({ kind, definition }: Item): boolean {
  if (!isMap(definition)) return true;
  const instead = kind === 'prompt' ? ['text', 'messages'] : kind === 'resource' ? ['text', 'file'] : [];
  return callKindOf(definition) === undefined && !instead.some(key => Object.hasOwn(definition, key));
}

function handlerOf({ definition }: Item): string {
  return isMap(definition) && typeof definition['handler'] === 'string' ? definition['handler'] : '';
}

/** Positions in code: a path such as `tools[0].effect`. The empty range tells that there is no line to show. */
export function locate(place: string): Locator {
  const site: Locator['site'] = path => startOf(path.length === 0 ? place : join(place, printPath(path)));
  return { site, find: path => site(path), source: () => undefined };
}

function join(place: string, path: string): string {
  return path.startsWith('[') ? `${place}${path}` : `${place}.${path}`;
}

function makeManifest({ name, version, config = {}, backends = {} }: CodePack, diagnostics: Diagnostic[]): Manifest {
  const at = locate('options');
  const wrong = validate('pack', { config, backends }, at);
  addAll(diagnostics, wrong);
  return {
    name,
    version,
    root: undefined,
    rootIsGiven: false,
    generated: 'generated',
    handlers: 'src',
    dist: 'dist',
    config: wrong.length === 0 ? config : {},
    backends: wrong.length === 0 ? backends : {},
    declarations: Object.fromEntries(handledKinds.map(kind => [kind, []])),
    at,
  };
}
