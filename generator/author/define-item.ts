// In: a new item. Out: its definition in the change book: a file of its own, or an entry of the combined file where the pack
// keeps its items of that kind there.

import { discover } from '../../runtime/load/discover.js';
import { join } from '../../runtime/load/folder.js';
import type { Manifest } from '../../runtime/load/manifest.js';
import { keyOf } from '../../schema/definitions.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { parseJson } from '../../schema/json-text.js';
import { yaml } from '../../schema/parse/yaml-library.js';
import { aroundMark } from '../edit/byte-order-mark.js';
import { setInJson } from '../edit/edit-json.js';
import { addYamlEntry } from '../edit/edit-yaml.js';
import { Code } from '../render/code.js';
import { type ChangeBook, notEditable } from './change-book.js';
import type { AddRequest } from './plan-add.js';
import { printModeline, printStarter } from './print-starter.js';

export function defineItem(
  request: AddRequest,
  { root, generated, name: pack }: Manifest,
  book: ChangeBook,
): readonly Diagnostic[] {
  const { kind, item } = request;
  if (root === undefined) return [];
  const refs = discover(book.folder, root).value.filter(ref => ref.kind === kind);
  // A file that no declaration names is there all the same.
  const own = refs.find(ref => ref.item?.toLowerCase() === item.toLowerCase());
  if (own !== undefined) {
    const hint = 'declare it in toolwright.yaml, or choose another name';
    return [diagnose('author/exists', { kind, item, file: own.path }, startOf(own.path), { hint })];
  }
  const combined = refs.find(ref => ref.item === undefined);
  const starter = { ...request, pack };
  if (combined === undefined || refs.some(ref => ref.item !== undefined)) {
    const path = join(root, keyOf(kind), `${item}.yaml`);
    book.put(path, printStarter(starter, printModeline(path, generated, kind)));
    return [];
  }
  const body = printStarter(starter, new Code(''));
  const { path, format } = combined;
  const edited = aroundMark(book.text(path) ?? '', text => {
    if (format === 'yaml') return addYamlEntry(text, item, body);
    return isMap(parseJson(text)) ? setInJson(text, [item], yaml().parse(body)) : undefined;
  });
  if (edited === undefined) return [notEditable(path, 'nothing can be added to it safely')];
  book.put(path, edited);
  return [];
}
