// In: a stored program and folders of patches. Out: the program with texts and policy replaced, as the loader does it (P2).
import { type Kind, kinds } from '../../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, type Outcome, startOf } from '../../../schema/diagnostics.js';
import { makeSuggester } from '../../../schema/nearest.js';
import { validate } from '../../../schema/validate/validate.js';
import { type Folder, nodeFolder } from '../../load/folder.js';
import type { ForeignShared } from '../../load/foreign-shared.js';
import { checkMentionsBelow, linkItem, type Scope } from '../../load/link-item.js';
import { linkInstructions } from '../../load/link-server.js';
import { makeShared } from '../../load/link-shared.js';
import { applyOverlays, type OverlayNames } from '../../load/overlay.js';
import type { Program, Prompt, Resource, Server, Tool } from '../../load/program.js';
import { createReader } from '../../load/read.js';
import type { Catalog, Entry, IsBuiltIn } from '../../load/resolve.js';
import type { Item } from '../../load/split.js';
import { noFiles } from './stored-folder.js';
import type { StoredProgram } from './stored-program.js';

type Linked = Server | Tool | Prompt | Resource;

interface Patches {
  readonly overlays: readonly (string | Folder)[];
  /** Whose items a key without a slash means. */
  readonly names: OverlayNames;
  readonly isBuiltIn: IsBuiltIn;
}

/**
 * Patches what can be patched; schemas, handlers and names are refused by the overlay stage itself. Names in a server stay
 * as they were settled.
 *
 * @example const { value, diagnostics } = patchProgram(program, stored, { overlays: ['/etc/jira'], names: 'own', isBuiltIn });
 */
export function patchProgram(
  program: Program,
  stored: Pick<StoredProgram, 'declared' | 'names'>,
  { overlays, names, isBuiltIn }: Patches,
): Outcome<Program> {
  const diagnostics: Diagnostic[] = [];
  const isJudge = names === 'own';
  const readers = overlays.flatMap(overlay => {
    const folder = typeof overlay === 'string' ? nodeFolder(overlay) : overlay;
    const { path } = folder;
    if (folder.status('') === 'folder') return [createReader(folder, { prefix: `${path}/` })];
    if (isJudge) diagnostics.push(diagnose('overlay/not-found', { folder: path }, startOf(path)));
    return [];
  });
  const items: Readonly<Record<Kind, readonly Linked[]>> = {
    server: program.servers,
    tool: program.tools,
    prompt: program.prompts,
    resource: program.resources,
    schema: [],
  };
  const catalog = Object.fromEntries(
    kinds.map(kind => {
      const own = items[kind].map(item => entryOf(kind, item));
      const served = new Set(own.map(({ name }) => name));
      // A server that was built before there were shared schemas has no names of them.
      const others = (stored.names[kind] ?? []).filter(name => !served.has(name));
      return [
        kind,
        [...own, ...others.map(name => ({ kind, name, winner: undefined, file: undefined, shadowed: [] }))],
      ];
    }),
  ) as unknown as Catalog;
  const patched = applyOverlays(catalog, readers, { pack: program.pack.name, names, isJudge, isBuiltIn });
  addAll(diagnostics, patched.diagnostics);
  const tools = new Set(stored.names.tool);
  const scope: Scope = {
    reader: createReader(noFiles),
    handlers: program.pack.handlers,
    config: new Map(Object.entries(program.pack.config)),
    backends: program.pack.backends ?? {},
    tools,
    suggestTool: makeSuggester(tools).didYouMean,
    pack: program.pack.name,
    isBuiltIn,
    shared: makeShared({ name: program.pack.name, folder: '', items: [], nameOf: item => item }, noForeign),
    mentions: [],
    mayHide: () => readers.some(one => one.mayHide()),
    diagnostics,
  };
  const relink = <T extends Linked>(kind: Kind, list: readonly T[]): readonly T[] =>
    list.map((item, index) => {
      const winner = patched.value.catalog[kind][index]?.winner;
      const before = catalog[kind][index]?.winner;
      if (winner === undefined || winner === before) return item;
      addAll(diagnostics, validate(kind, winner.definition, winner.at));
      return { ...item, ...relinkItem(item, winner, stored.declared[`${kind}:${item.item}`], scope) };
    });
  return {
    diagnostics,
    value: {
      ...program,
      servers: relink('server', program.servers),
      tools: relink('tool', program.tools),
      prompts: relink('prompt', program.prompts),
      resources: relink('resource', program.resources),
    },
  };
}

/** The texts that linking took out of a definition are put back, so that a patch can replace or remove them. */
function entryOf(kind: Kind, linked: Linked): Entry {
  const { item, file, at, description } = linked;
  const definition = {
    ...linked.definition,
    ...(description === '' ? {} : { description }),
    ...(linked.kind === 'server' && linked.instructions !== '' ? { instructions: linked.instructions } : {}),
  };
  const winner: Item = { kind, name: item, file, form: 'per-item', definition, at, site: () => at.site([]) };
  return { kind, name: item, winner, file, shadowed: [] };
}

function relinkItem(item: Linked, winner: Item, declared: string | undefined, scope: Scope): Partial<Linked> {
  const declaration =
    declared === undefined ? {} : { declaration: { name: item.item, description: declared, site: winner.site } };
  const { title, description, definition } = linkItem<Linked['definition']>(declaration, winner, scope);
  if (item.kind === 'tool') checkMentionsBelow(item.definition.guidelines, ['guidelines'], winner.at, scope);
  const texts = { description, definition, title } as Partial<Linked>;
  if (item.kind !== 'server') return texts;
  return { ...texts, instructions: linkInstructions((definition as Server['definition']).instructions, winner, scope) };
}

/** Overlays patch no schemas: nothing refers to one here. */
const noForeign: ForeignShared = {
  find: () => undefined,
  explain: () => '',
  known: () => undefined,
  hashOf: () => undefined,
};
