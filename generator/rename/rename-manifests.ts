// In: a pack's manifests, definitions and overlays. Out: an edit for every place that names the item, and the files to move.

import { discover, type SourceRef } from '../../runtime/load/discover.js';
import { formatOf, joinPath } from '../../runtime/load/folder.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import type { Reader } from '../../runtime/load/read.js';
import { handledKinds, type Kind, keyOf, kinds } from '../../schema/definitions.js';
import { type Diagnostic, diagnose, type Site, startOf } from '../../schema/diagnostics.js';
import { type Document, isMap, type Locator, type Path, within } from '../../schema/document.js';
import { sharedName } from '../../schema/json-schema/refs.js';
import { matchesPattern } from '../../schema/names.js';
import { toolMentions } from '../../schema/template/template.js';
import { isPlainYaml } from '../edit/edit-yaml.js';
import type { EditBook, Move } from './text-edits.js';

export interface ManifestRename {
  readonly kind: Kind;
  readonly from: string;
  readonly to: string;
  /** The name of the pack: references may be qualified by it. */
  readonly pack: string;
  readonly root: string;
  readonly overlays: readonly string[];
  readonly reader: Reader;
  readonly book: EditBook;
  readonly diagnostics: Diagnostic[];
}

export function renameInManifests(rename: ManifestRename): readonly Move[] {
  const { kind, from, to, pack, reader, book, diagnostics } = rename;
  const moves: Move[] = [];
  let mentions = 0;
  for (const document of read(manifestFile, 'yaml')) visitPack(document);
  for (const base of [rename.root, ...rename.overlays]) {
    for (const ref of discover(reader.folder, base).value) visitFile(ref, base === rename.root ? '' : base);
  }
  return moves;

  /** A file that cannot be understood stops the rename, if it may mention the item. */
  function read(path: string, format: SourceRef['format']): readonly Document[] {
    const { value, diagnostics: wrong } = reader.documents(path, format);
    const [first] = wrong.filter(({ code, severity }) => severity === 'error' && code !== 'parse/empty');
    if (first !== undefined && (book.text(path)?.includes(from) ?? true)) {
      diagnostics.push(diagnose('rename/broken-pack', { path, reason: first.message }, first));
    }
    return value ?? [];
  }

  function visitPack({ value, site, find, source }: Document): void {
    const at = { site, find, source };
    if (!isMap(value)) return;
    for (const one of kinds) {
      const list = value[keyOf(one)];
      if (!Array.isArray(list)) continue;
      for (const [index, entry] of list.entries()) {
        const path = [keyOf(one), index];
        const name = Array.isArray(entry) ? [...path, 0] : isMap(entry) ? [...path, 'name'] : path;
        if (one === kind && valueAt(value, name) === from) renameAt(at.site(name));
        const described = [...path, Array.isArray(entry) ? 1 : 'description'];
        visitText(valueAt(value, described), described, at);
        if (one === 'server' && isMap(entry)) visitList(entry, path, at);
      }
    }
  }

  function visitFile(ref: SourceRef, overlay: string): void {
    if (ref.item !== undefined) {
      if (ref.kind === kind && ref.item === from) moves.push({ from: ref.path, to: movedPath(ref.path, from, to) });
      for (const document of read(ref.path, ref.format)) visitDefinition(ref.kind, document.value, document, overlay);
      return;
    }
    for (const document of read(ref.path, ref.format)) {
      if (!isMap(document.value)) continue;
      for (const [key, definition] of Object.entries(document.value)) {
        if (ref.kind === kind && isMeant(key)) renameAt(document.site([key], 'key'));
        else if (ref.kind === kind && key === to) reportTaken(document.site([key], 'key'));
        visitDefinition(ref.kind, definition, within(document, [key]), overlay);
      }
    }
  }

  function reportTaken(site: Site): void {
    diagnostics.push(diagnose('rename/name-clash', { kind, name: to, other: to }, site));
  }

  function visitDefinition(of: Kind, definition: unknown, at: Locator, overlay: string): void {
    if (!isMap(definition)) return;
    const before = mentions;
    if (kind === 'schema') visitRefs(of, definition, at);
    visitTextOrFile(definition['description'], ['description'], at, overlay);
    visitStrings(definition['guidelines'], ['guidelines'], at);
    visitStrings(definition['errors'], ['errors'], at);
    visitStrings(definition['resultText'], ['resultText'], at);
    visitStrings(definition['messages'], ['messages'], at);
    if (of === 'prompt') visitTextOrFile(definition['text'], ['text'], at, overlay);
    if (of === 'prompt' && mentions > before) visitExamples(definition['examples'], at);
    if (of !== 'server') return;
    const { instructions } = definition;
    if (!Array.isArray(instructions)) visitTextOrFile(instructions, ['instructions'], at, overlay);
    else for (const [i, one] of instructions.entries()) visitTextOrFile(one, ['instructions', i], at, overlay);
    visitList(definition, [], at);
    for (const inner of handledKinds) {
      const list = definition[keyOf(inner)];
      if (!Array.isArray(list)) continue;
      for (const [index, one] of list.entries()) {
        if (!isMap(one)) continue;
        const path = [keyOf(inner), index];
        if (inner === kind && one['name'] === from) renameAt(at.site([...path, 'name']));
        visitDefinition(inner, one, within(at, path), overlay);
      }
    }
  }

  /** `$ref: schema:from`, wherever a definition has schemas. Those of inline tools are visited with their tool. */
  function visitRefs(of: Kind, definition: Readonly<Record<string, unknown>>, at: Locator): void {
    if (of === 'schema') visitSchema(definition, [], at);
    if (of !== 'tool') return;
    for (const key of ['parameters', 'inputSchema', 'output', 'outputSchema']) {
      const { [key]: value } = definition;
      const file = isMap(value) && Object.keys(value).length === 1 ? value['file'] : undefined;
      if (typeof file !== 'string') visitSchema(value, [key], at);
      else if (reader.folder.status(file) === 'file')
        for (const document of read(file, formatOf(file))) visitSchema(document.value, [], document);
    }
  }

  function visitSchema(value: unknown, path: Path, at: Locator): void {
    if (Array.isArray(value)) for (const [index, one] of value.entries()) visitSchema(one, [...path, index], at);
    if (!isMap(value)) return;
    for (const [key, one] of Object.entries(value)) {
      const name = key === '$ref' ? sharedName(one) : undefined;
      if (name === undefined) visitSchema(one, [...path, key], at);
      else if (isMeant(name)) renameAt(at.site([...path, key]));
    }
  }

  /** The list of a server: references by name are changed, patterns stay and may now mean something else. */
  function visitList(server: Readonly<Record<string, unknown>>, base: Path, at: Locator): void {
    const list = kind === 'server' ? undefined : server[keyOf(kind)];
    if (!Array.isArray(list)) return;
    const listed = list.map((reference: unknown, index) => ({ reference, path: [...base, keyOf(kind), index] }));
    const isNamed = listed.some(({ reference }) => isMeant(isMap(reference) ? reference['name'] : reference));
    for (const { reference, path } of listed) if (isMeant(reference)) renameAt(at.site(path));
    if (isNamed) return;
    const patterns = listed.flatMap(({ reference, path }) =>
      typeof reference === 'string' && reference.includes('*') ? [{ pattern: reference, path }] : [],
    );
    const before = patterns.find(({ pattern }) => matchesPattern(pattern, from));
    const after = patterns.find(({ pattern }) => matchesPattern(pattern, to));
    const changed = before === undefined ? after : after === undefined ? before : undefined;
    if (changed === undefined) return;
    const params = { pattern: changed.pattern, name: to, effect: after === undefined ? 'leaves' : 'enters' } as const;
    diagnostics.push(diagnose('rename/pattern', params, at.site(changed.path)));
  }

  function isMeant(reference: unknown): boolean {
    return reference === from || reference === `${pack}/${from}`;
  }

  function visitTextOrFile(value: unknown, path: Path, at: Locator, overlay: string): void {
    if (isMap(value) && typeof value['file'] === 'string') visitMarkdown(joinPath(overlay, value['file']));
    else visitText(value, path, at);
  }

  function visitStrings(value: unknown, path: Path, at: Locator): void {
    if (Array.isArray(value)) for (const [index, one] of value.entries()) visitStrings(one, [...path, index], at);
    else if (isMap(value)) for (const [key, one] of Object.entries(value)) visitStrings(one, [...path, key], at);
    else visitText(value, path, at);
  }

  /** What an example of a prompt expects has the name that clients saw, among other words. */
  function visitExamples(examples: unknown, at: Locator): void {
    for (const [index, example] of Array.isArray(examples) ? examples.entries() : []) {
      const path = ['examples', index, 'output'];
      const output = valueAt(example, ['output']);
      if (typeof output !== 'string' || !output.split(/[^\w.-]+|\.(?=\s|$)/).includes(from)) continue;
      const params = { what: `the name ${JSON.stringify(from)} in what the example expects`, name: to };
      diagnostics.push(diagnose('rename/by-hand', params, at.find(path, from, 0)));
    }
  }

  /** `{{tool:from}}` in a string of a manifest. */
  function visitText(value: unknown, path: Path, at: Locator): void {
    if (kind !== 'tool' || typeof value !== 'string') return;
    for (const { name, tag, nth } of toolMentions(value)) {
      if (!isMeant(name)) continue;
      mentions += 1;
      const site = at.find(path, tag, nth);
      const span = book.offsetsOf(site);
      if (span !== undefined && book.text(site.file)?.slice(span.start, span.end) === tag) {
        renameInTag(site.file, span.start, tag, name);
      } else diagnostics.push(diagnose('rename/by-hand', { what: tag, name: to }, site));
    }
  }

  function visitMarkdown(given: string): void {
    const path = given.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
    const text = kind === 'tool' && reader.folder.status(path) === 'file' ? book.text(path) : undefined;
    for (const { name, tag, nth } of toolMentions(text ?? '')) {
      if (!isMeant(name)) continue;
      mentions += 1;
      let start = text?.indexOf(tag) ?? -1;
      for (let skip = 0; skip < nth && start >= 0; skip++) start = text?.indexOf(tag, start + tag.length) ?? -1;
      if (start >= 0) renameInTag(path, start, tag, name);
      else diagnostics.push(diagnose('rename/by-hand', { what: tag, name: to }, startOf(path)));
    }
  }

  function renameInTag(path: string, start: number, tag: string, name: string): void {
    const end = start + tag.indexOf(name, tag.indexOf('tool:') + 'tool:'.length) + name.length;
    book.edit(path, { start: end - from.length, end, text: to });
  }

  /** A scalar that is the name, perhaps qualified and in quotes. */
  function renameAt(site: Site): void {
    const span = book.offsetsOf(site);
    const raw = span === undefined ? '' : (book.text(site.file)?.slice(span.start, span.end) ?? '');
    const [, quote = '', prefix = '', name] = /^(["']?)((?:schema:)?(?:[^"'\s]+\/)?)([^"'/\s]+)\1$/.exec(raw) ?? [];
    if (span === undefined || name !== from) {
      diagnostics.push(diagnose('rename/by-hand', { what: `the name ${JSON.stringify(from)}`, name: to }, site));
      return;
    }
    const text = quote === '' && prefix === '' && !isPlainYaml(to) ? `'${to}'` : to;
    const start = span.start + quote.length + prefix.length;
    book.edit(site.file, { start, end: start + from.length, text });
  }
}

/** The same folder and extension under another name. */
export function movedPath(path: string, from: string, to: string): string {
  const start = path.lastIndexOf('/') + 1;
  return path.slice(0, start) + to + path.slice(start + from.length);
}

function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (Array.isArray(here) && typeof step === 'number') here = here[step];
    else here = isMap(here) && Object.hasOwn(here, step) ? here[String(step)] : undefined;
  }
  return here;
}
