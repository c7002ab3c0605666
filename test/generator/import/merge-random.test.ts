// Random edits of an author, through the text of the files, and of a source. What must come of them is said here by the values of the
// fields alone, and not by the code of the merge.
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Document, isMap as isYamlMap, parseDocument, type Scalar, visit as visitYaml } from 'yaml';
import type { ImportedItem } from '../../../generator/import/imported.js';
import { amount, seedOr } from '../../harness/amount.js';
import { makeRandom, type Random } from '../../harness/random.js';
import { apply, importInto, plan, schema, source, type Texts, tool } from './merge-world.js';

type Map_ = Record<string, unknown>;
type Path = readonly string[];

const texts: readonly [string, ...string[]] = [
  'plain',
  'two words',
  'a: b',
  'x # y',
  ' lead',
  'end ',
  'line one\nline two',
  'tail\n',
  '{{x}}',
  '- dash',
  '',
  '✓ Ünï 😀',
  "it's",
  '"q"',
  '\\d+',
  'null',
  '12',
  'a\ttab',
  'cr\r\nlf',
  '\u2028sep',
  '[x]',
  '#',
  'yes',
];
const scalars: readonly [unknown, ...unknown[]] = [...texts, 1, 0, -2.5, true, false, null, 1e21];
const keys: readonly [string, ...string[]] = [
  'alpha',
  'beta',
  'gamma',
  'delta',
  'a b',
  'null',
  '123',
  'constructor',
  'toString',
  'x-y',
  'é',
  '',
  '<<',
  'key: odd',
  '$ref2',
];

function makeMap(random: Random, depth = 0): Map_ {
  const map: Map_ = {};
  for (let count = 1 + random.below(4); count > 0; count--) map[random.pick(keys)] = makeValue(random, depth);
  return map;
}

function makeValue(random: Random, depth: number): unknown {
  if (depth < 4 && random.chance(0.35)) return makeMap(random, depth + 1);
  if (random.chance(0.15)) return [{ a: random.pick(texts) }, random.pick(scalars)];
  return random.pick(scalars);
}

function makeDefinition(random: Random): Map_ {
  return {
    title: random.pick(texts),
    description: random.pick(texts),
    tags: ['keep', 'one', 'two'],
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string', description: random.pick(texts), enum: ['keep', 'x', 'y'] },
        ...makeMap(random, 1),
      },
      required: ['keep', 'id', 'other'],
    },
    output: makeMap(random),
    more: makeMap(random),
    http: { backend: 'shop', method: 'GET', path: '/x' },
  };
}

/** One change of a definition. */
type Edit =
  | { readonly do: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly do: 'remove'; readonly path: Path };

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((here, key) => (isMap(here) && Object.hasOwn(here, key) ? here[key] : undefined), value);
}

function isMap(value: unknown): value is Map_ {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Paths of all that is in a definition but for what says which operation it is. */
function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (path[0] === 'http') return [];
  const own = path.length === 0 ? [] : [path];
  return isMap(value) ? [...own, ...Object.keys(value).flatMap(key => pathsOf(value[key], [...path, key]))] : own;
}

const lists: readonly Path[] = [['tags'], ['inputSchema', 'required'], ['inputSchema', 'properties', 'id', 'enum']];

function randomEdit(random: Random, definition: Map_): Edit {
  const isList = (path: Path): boolean => lists.some(list => isDeepStrictEqual(list, path));
  if (random.chance(0.25)) {
    const path = random.pick(lists) ?? [];
    const list = at(definition, path);
    const words = Array.isArray(list) ? (list as readonly string[]) : ['keep'];
    const fresh = random.pick(['n1', 'n2', 'n3', 'null'] as const);
    const value = random.chance(0.5)
      ? words.filter(one => one === 'keep' || random.chance(0.6))
      : words.includes(fresh)
        ? words
        : words.toSpliced(random.below(words.length + 1), 0, fresh);
    return at(definition, path.slice(0, -1)) === undefined
      ? randomEdit(random, definition)
      : { do: 'set', path, value };
  }
  const all = pathsOf(definition).filter(
    path => !isList(path) && !lists.some(list => isDeepStrictEqual(list.slice(0, path.length), path)),
  );
  const path = random.pick(all) ?? ['title'];
  const old = at(definition, path);
  if (random.chance(0.25)) return { do: 'remove', path };
  if (isMap(old)) return { do: 'set', path: [...path, random.pick(keys)], value: makeValue(random, 3) };
  return { do: 'set', path, value: random.pick(scalars) };
}

/** A map that would be empty goes, too: what it held is what counts. */
function edited(definition: Map_, edit: Edit): Map_ {
  const next = structuredClone(definition);
  const above = at(next, edit.path.slice(0, -1));
  const key = edit.path.at(-1) ?? '';
  if (!isMap(above)) return next;
  if (edit.do === 'set') {
    // A value of another shape is left to the cases of the table.
    if (isMap(above[key]) !== isMap(edit.value) && Object.hasOwn(above, key)) return next;
    above[key] = edit.value;
    return next;
  }
  delete above[key];
  return Object.keys(above).length === 0 && edit.path.length > 1
    ? edited(next, { do: 'remove', path: edit.path.slice(0, -1) })
    : next;
}

/** Values of another shape are left to the cases of the table. */
function haveOneShape(all: readonly unknown[]): boolean {
  const there = all.filter(one => one !== undefined);
  const maps = there.filter(isMap);
  if (maps.length === 0) return true;
  const names = new Set(maps.flatMap(one => Object.keys(one)));
  return maps.length === there.length && [...names].every(name => haveOneShape(maps.map(one => at(one, [name]))));
}

// The author's text.

/** The same edit in a file, by the YAML library: it keeps comments, and has a style of its own. */
function editText(text: string, from: Map_, to: Map_): string {
  const document = parseDocument(text);
  change(document, [], from, to);
  visitYaml(document, {
    Pair(_, { key }) {
      // The library writes it without quotes, where it merges.
      if ((key as Scalar).value === '<<') (key as Scalar).type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}

function change(document: Document, path: Path, from: Map_, to: Map_): void {
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) removeAt(document, path, key);
  for (const [key, value] of Object.entries(to)) {
    const old = Object.hasOwn(from, key) ? from[key] : undefined;
    if (isDeepStrictEqual(old, value)) continue;
    if (isMap(old) && isMap(value)) change(document, [...path, key], old, value);
    else {
      removeAt(document, path, key);
      mapAt(document, path).items.push(document.createPair(key, value) as never);
    }
  }
}

/** Keys like `null` and `123` are words to us, and something else to the library. */
function isKey(key: unknown, name: string): boolean {
  const { source: typed, value } = key as { readonly source?: string; readonly value: unknown };
  return (typeof value === 'string' ? value : (typed ?? String(value))) === name;
}

function mapAt(document: Document, path: Path): { items: { key: unknown; value: unknown }[] } {
  let node: unknown = document.contents;
  for (const name of path) node = isYamlMap(node) ? node.items.find(({ key }) => isKey(key, name))?.value : undefined;
  if (!isYamlMap(node)) throw new Error(path.join('/'));
  return node as never;
}

function removeAt(document: Document, path: Path, name: string): void {
  const map = mapAt(document, path);
  map.items = map.items.filter(({ key }) => !isKey(key, name));
}

/** Comments between the lines of a block and at their ends; brackets in place of blocks; Windows. */
function decorate(text: string, random: Random): { readonly text: string; readonly comments: readonly string[] } {
  const document = parseDocument(text);
  const isFlow = (value: unknown): boolean =>
    JSON.stringify(value)?.length < 60 && !/\\[nrtu]/.test(JSON.stringify(value));
  if (isYamlMap(document.contents))
    for (const { value } of document.contents.items)
      if (isYamlMap(value) && random.chance(0.3) && isFlow(value.toJSON())) value.flow = true;
  const lines = document.toString({ lineWidth: 0 }).split('\n');
  const comments: string[] = [];
  const decorated = lines.flatMap((line, index) => {
    const isKeyLine = /^ *[A-Za-z$][\w$-]*:(?: [A-Za-z0-9][\w ]*)?$/.test(line) && !isInBlock(lines, index);
    if (!isKeyLine || !random.chance(0.2)) return [line];
    const comment = `# c${comments.length}-`;
    comments.push(comment);
    return random.chance(0.5) ? [`${/^ */.exec(line)?.[0]}${comment}`, line] : [`${line}  ${comment}`];
  });
  const next = decorated.join(random.chance(0.2) ? '\r\n' : '\n');
  // What is decorated must mean the same, or it is not.
  const isSame = isDeepStrictEqual(valueIn(next), valueIn(text));
  return isSame ? { text: next, comments } : { text, comments: [] };
}

/** Below a `|`. */
function isInBlock(lines: readonly string[], index: number): boolean {
  const indent = (line: string): number => line.length - line.trimStart().length;
  let depth = indent(lines[index] ?? '');
  for (let above = index - 1; above >= 0; above--) {
    const line = lines[above] ?? '';
    if (line.trim() === '' || indent(line) >= depth) continue;
    if (/[|>][-+\d]*$/.test(line)) return true;
    depth = indent(line);
  }
  return /[|>][-+\d]*$/.test(lines[index] ?? '');
}

/** By the library, with keys as they are typed. */
function valueIn(text: string): unknown {
  return plain(parseDocument(text.replace(/^\ufeff/, '')).contents);
}

function plain(node: unknown): unknown {
  if (isYamlMap(node)) {
    const map: Map_ = {};
    for (const { key, value } of node.items) {
      const { source: typed, value: name, type } = key as { source?: string; value: unknown; type?: string };
      map[type === 'PLAIN' && typed !== undefined ? typed : String(name)] = plain(value);
    }
    return map;
  }
  const { items, value } = node as { items?: readonly unknown[]; value?: unknown };
  return items === undefined ? value : items.map(plain);
}

// What must come of both.

type Flat = ReadonlyMap<string, string>;

/** A field is a leaf, and each element of three lists is one. */
function flatten(value: unknown): Flat {
  const flat = new Map<string, string>();
  visit(value, []);
  return flat;

  function visit(one: unknown, path: Path): void {
    const name = JSON.stringify(path);
    if (isMap(one)) for (const [key, inner] of Object.entries(one)) visit(inner, [...path, key]);
    else if (Array.isArray(one) && lists.some(list => isDeepStrictEqual(list, path)))
      for (const word of one) flat.set(`${name} ${word}`, 'here');
    else flat.set(name, JSON.stringify(one));
  }
}

interface Expected {
  readonly fields: Flat;
  /** Paths as JSON. */
  readonly conflicts: ReadonlySet<string>;
}

function expected(base: Map_, ours: Map_, theirs: Map_, side: 'ours' | 'theirs'): Expected {
  const [b, o, t] = [flatten(base), flatten(ours), flatten(theirs)];
  const fields = new Map<string, string>();
  const conflicts = new Set<string>();
  for (const name of new Set([...b.keys(), ...o.keys(), ...t.keys()])) {
    const [was, mine, its] = [b.get(name), o.get(name), t.get(name)];
    const path = JSON.parse(name.replace(/\] \w+$/, ']')) as string[];
    const gone = path
      .map((_, index) => path.slice(0, index + 1))
      .find(one => isMap(at(base, one)) && (at(ours, one) === undefined || at(theirs, one) === undefined));
    let value: string | undefined;
    if (gone !== undefined && at(ours, gone) === undefined) value = undefined;
    else if (gone !== undefined && !isDeepStrictEqual(at(ours, gone), at(base, gone))) {
      conflicts.add(JSON.stringify(gone));
      value = side === 'ours' ? mine : its;
    } else if (mine === its || mine === was) value = its;
    else if (its === was) value = mine;
    else {
      conflicts.add(name);
      value = side === 'ours' ? mine : its;
    }
    if (value !== undefined) fields.set(name, value);
  }
  return { fields, conflicts };
}

describe('the merge of random edits', () => {
  it('I1: nothing of the author is lost and nothing of the source is missed in 210 pairs of edits, and importing again changes nothing', () => {
    const random = makeRandom(seedOr(20_261_120));
    let conflicted = 0;
    let kept = 0;
    for (let round = 0; round < amount(70); round++) {
      const bases = Array.from({ length: 3 }, () => makeDefinition(random));
      const names = ['one', 'two', 'three'];
      const items = (definitions: readonly Map_[]): readonly ImportedItem[] =>
        definitions.map((definition, index) =>
          index === 2
            ? schema('three', definition)
            : tool(names[index] ?? '', { ...definition, http: { backend: 'shop', method: 'GET', path: `/${index}` } }),
        );
      const files = ['mcp/tools/one.yaml', 'mcp/tools/two.yaml', 'mcp/schemas/three.yaml'];
      const backends = { shop: { type: 'http', url: 'https://x.example' } } as const;
      const imported = importInto({ 'toolwright.yaml': '' }, source(items(bases), { backends }));
      const several = (definition: Map_, most: number): Map_ => {
        let next = definition;
        for (let count = random.below(most + 1); count > 0; count--) next = edited(next, randomEdit(random, next));
        return next;
      };
      const starts = items(bases).map(({ definition }) => definition as Map_);
      const ours = starts.map(one => several(one, 5));
      const theirs = starts.map((start, index) => {
        const next = several(start, 5);
        return haveOneShape([start, ours[index], next]) ? next : start;
      });
      const comments: string[][] = [];
      const before: Texts = {
        ...imported,
        ...Object.fromEntries(
          files.map((file, index) => {
            const text = imported[file] ?? '';
            expect(valueIn(text)).toEqual(starts[index]);
            const mine = isDeepStrictEqual(ours[index], starts[index])
              ? text
              : editText(text, starts[index] ?? {}, ours[index] ?? {});
            const decorated = random.chance(0.6) ? decorate(mine, random) : { text: mine, comments: [] };
            comments[index] = [...decorated.comments];
            expect(valueIn(decorated.text)).toEqual(ours[index]);
            return [file, decorated.text];
          }),
        ),
      };
      const second = source(items(theirs), { backends });
      const side = random.chance(0.5) ? 'ours' : 'theirs';
      const wanted = starts.map((start, index) => expected(start, ours[index] ?? {}, theirs[index] ?? {}, side));
      const first = plan(before, second);
      const named = (index: number): readonly string[] =>
        (first.items.find(({ name }) => name === names[index])?.conflicts ?? [])
          .map(({ path }) => JSON.stringify(path))
          .sort();
      const seed = { round, ours, theirs };
      for (const [index, { conflicts }] of wanted.entries())
        expect({ ...seed, conflicts: named(index) }).toEqual({ ...seed, conflicts: [...conflicts].sort() });
      const hasConflicts = wanted.some(({ conflicts }) => conflicts.size > 0);
      if (hasConflicts) conflicted++;
      expect(first.changes.length > 0 && hasConflicts).toBe(false);
      const after = importInto(before, second, { options: { [side]: 'all' } });
      for (const [index, file] of files.entries()) {
        const now = valueIn(after[file] ?? '');
        const sorted = (flat: Flat): readonly string[] => [...flat].map(([name, value]) => `${name} ${value}`).sort();
        expect({ ...seed, now: sorted(flatten(now)) }).toEqual({
          ...seed,
          now: sorted(wanted[index]?.fields ?? new Map()),
        });
        const isGrown =
          [...flatten(theirs[index])].every(([name]) => name !== '') &&
          [...flatten(starts[index])].every(([name]) => flatten(theirs[index]).has(name));
        if (!isGrown) continue;
        for (const comment of comments[index] ?? []) expect(after[file]).toContain(comment);
        kept += comments[index]?.length ?? 0;
      }
      const again = plan(after, second);
      expect(again.changes).toEqual([]);
      expect(again.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(apply(after, again)).toEqual(after);
    }
    expect(conflicted).toBeGreaterThan(amount(8));
    expect(kept).toBeGreaterThan(amount(8));
  }, 120_000);
});
