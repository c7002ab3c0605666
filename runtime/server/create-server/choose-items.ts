// In: the lists of `createServer`. Out: what they name or define, in order; every mistake in them.

import { type HandledKind, handledKinds, keyOf, type TagSelector } from '../../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, startOf } from '../../../schema/diagnostics.js';
import { isMap } from '../../../schema/document.js';
import { parseReference } from '../../../schema/names.js';
import { didYouMean } from '../../../schema/nearest.js';
import { typeName } from '../../../schema/validate/errors.js';
import { type ItemOf, type PickedItem, pickItems } from '../../packs/compose.js';
import type { OpenPack } from '../../packs/open-pack.js';
import { serverlessItems } from '../pack-source.js';
import type { Packs } from './find-packs.js';
import { type CodeItem, type CodePack, linkCode } from './link-code.js';

/** An item and the pack that it belongs to; what code defines is a pack, too. */
export type ChosenItem<K extends HandledKind> = PickedItem<K>;

export interface ChosenItems {
  readonly tools: readonly ChosenItem<'tool'>[];
  readonly prompts: readonly ChosenItem<'prompt'>[];
  readonly resources: readonly ChosenItem<'resource'>[];
  /** Of what code defines. */
  readonly code: OpenPack;
  readonly diagnostics: readonly Diagnostic[];
}

type Lists = Readonly<Partial<Record<`${HandledKind}s`, readonly unknown[] | undefined>>>;

export function chooseItems(lists: Lists, packs: Packs, codePack: CodePack): ChosenItems {
  const diagnostics: Diagnostic[] = [];
  const definitions = handledKinds.flatMap(kind =>
    listOf(kind).flatMap(({ entry, place }): CodeItem[] =>
      typeof entry === 'string' || isSelector(entry) ? [] : [{ kind, definition: entry, place }],
    ),
  );
  const { program, diagnostics: wrongCode } = linkCode(definitions, codePack);
  const code: OpenPack = { program, errors: [] };
  const tools = choose('tool');
  const prompts = choose('prompt');
  const resources = choose('resource');
  addAll(diagnostics, wrongCode);
  return { tools, prompts, resources, code, diagnostics };

  function listOf(kind: HandledKind): readonly { readonly entry: unknown; readonly place: string }[] {
    const list = lists[keyOf(kind) as `${HandledKind}s`];
    return Array.isArray(list) ? list.map((entry, index) => ({ entry, place: `${kind}s[${index}]` })) : [];
  }

  function pick<K extends HandledKind>(kind: K, entry: string, place: string): readonly ChosenItem<K>[] {
    const parsed = parseReference(entry);
    if ('name' in parsed) {
      const reference = { name: parsed.name, site: () => startOf(place) };
      // What is broken was reported when its pack was opened.
      return pickItems(kind, reference, packs.lookUp, diagnostics).items;
    }
    diagnostics.push(diagnose('link/invalid-name', { name: entry, reason: parsed.problem }, startOf(place)));
    return [];
  }

  /** X12: of the packs that code lists; as in a manifest, the whole of an installed one is named by a pattern. */
  function pickTagged<K extends HandledKind>(kind: K, selector: TagSelector, place: string): readonly ChosenItem<K>[] {
    const wrong = checkSelector(selector, place);
    if (wrong !== undefined) {
      diagnostics.push(wrong);
      return [];
    }
    const { tag } = selector;
    const whole = packs.listed.flatMap(pack => serverlessItems(kind, pack));
    const found = whole.filter(({ item }) => item.definition.tags?.includes(tag));
    if (found.length > 0) return found;
    const hint =
      packs.listed.length === 0
        ? 'tags are looked for in `packs`, which is empty'
        : didYouMean(
            tag,
            whole.flatMap(({ item }) => item.definition.tags ?? []),
          );
    diagnostics.push(diagnose('link/no-such-tag', { tag, kind }, startOf(place), { hint }));
    return [];
  }

  function choose<K extends HandledKind>(kind: K): readonly ChosenItem<K>[] {
    // As in a manifest: a list that is absent means all.
    if (lists[`${kind}s`] === undefined) return packs.listed.flatMap(pack => serverlessItems(kind, pack));
    const defined: readonly ItemOf<K>[] = program[`${kind}s`];
    const chosen = new Map<string, ChosenItem<K>>();
    for (const { entry, place } of listOf(kind)) {
      if (typeof entry === 'string') {
        for (const one of pick(kind, entry, place)) {
          add(`${one.pack.program.pack.name}/${one.item.item}`, one, entry, place);
        }
      } else if (isSelector(entry)) {
        for (const one of pickTagged(kind, entry, place)) {
          const key = `${one.pack.program.pack.name}/${one.item.item}`;
          if (!chosen.has(key)) chosen.set(key, one);
        }
      } else {
        // Items know the place of their definition; a broken one is not among them.
        const item = defined.find(({ file }) => file === place);
        if (item !== undefined) chosen.set(place, { item, pack: code });
      }
    }
    return [...chosen.values()];

    function add(key: string, one: ChosenItem<K>, entry: string, place: string): void {
      // A pattern may overlap with names that are listed already: they keep their place.
      if (!chosen.has(key)) chosen.set(key, one);
      else if (!entry.includes('*'))
        diagnostics.push(diagnose('link/duplicate-reference', { name: entry }, startOf(place)));
    }
  }
}

/** As in a manifest, `tag` tells it from a definition. */
function isSelector(entry: unknown): entry is TagSelector {
  return isMap(entry) && Object.hasOwn(entry, 'tag');
}

function checkSelector({ tag, ...others }: TagSelector, place: string): Diagnostic | undefined {
  const [key] = Object.keys(others);
  if (key !== undefined) {
    const hint = 'a selection has nothing but its tag; a definition has a name and no tag';
    return diagnose('validate/unknown-key', { key, where: 'the selection' }, startOf(`${place}.${key}`), { hint });
  }
  if (typeof tag === 'string') return undefined;
  return diagnose(
    'validate/type',
    { where: 'tag', expected: 'a string', actual: typeName(tag) },
    startOf(`${place}.tag`),
  );
}
