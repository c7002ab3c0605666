// In: an item that gets a new name. Out: where its handler module moves, if it is called after the item.

import { type Modules, stemOf } from '../../runtime/call/handlers/find-handler.js';
import { type WantedHandler, wantedHandlers } from '../../runtime/call/handlers/wanted-handlers.js';
import { joinPath, nameOf } from '../../runtime/load/folder.js';
import type { LoadedPack } from '../../runtime/load/load.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import type { HandledKind } from '../compile/declarations/names.js';
import { movedPath } from './rename-manifests.js';
import type { EditBook, Move } from './text-edits.js';

export interface HandlerMove {
  readonly loaded: LoadedPack;
  readonly kind: HandledKind;
  readonly from: string;
  readonly to: string;
  readonly modules: Modules;
  readonly book: EditBook;
  readonly diagnostics: Diagnostic[];
}

export function moveHandler({ loaded, kind, from, to, modules, book, diagnostics }: HandlerMove): readonly Move[] {
  const wanted = wantedHandlers(loaded);
  const own = wanted.find(({ serves }) => serves?.kind === kind && serves.item === from) ?? undefinedItem();
  const path = own === undefined ? undefined : moduleOf(own);
  if (own === undefined || path === undefined || nameOf(stemOf(path)) !== from) return [];
  const isBuilt = stemOf(path) !== stemOf(own.path);
  const sharing = wanted.filter(one => one !== own && moduleOf(one) === path);
  const served = sharing.flatMap(({ serves }) => (serves === undefined ? [] : [serves.item]));
  if (isBuilt) return [];
  if (served.length > 0) {
    // A module that the manifest names can stay where it is.
    if (!own.isNamed) diagnostics.push(diagnose('rename/shared-handler', { path, items: served }, own.site()));
    return [];
  }
  for (const one of [own, ...sharing]) if (one.isNamed) renameReference(one);
  const target = movedPath(path, from, to);
  const inTheWay = otherModule(movedPath(own.path, from, to), target);
  if (inTheWay !== undefined)
    diagnostics.push(diagnose('rename/target-exists', { from: path, to: inTheWay }, startOf(inTheWay)));
  return [{ from: path, to: target }];

  /** A module of another extension that would be taken for the handler in place of the one that moves. */
  function otherModule(wanted: string, target: string): string | undefined {
    const found = wanted === target ? undefined : modules.find(wanted);
    if (found?.found !== 'module' || found.path === target) return undefined;
    return stemOf(found.path) === stemOf(wanted) ? found.path : undefined;
  }

  /** An item without definition, as a rename that was interrupted leaves it: its module is where it would be. */
  function undefinedItem(): WantedHandler | undefined {
    const entry = loaded.catalog[kind].find(({ name, winner }) => name === from && winner === undefined);
    const { declaration } = entry ?? {};
    if (declaration === undefined) return undefined;
    const path = joinPath(loaded.manifest?.handlers ?? '', `${kind}s`, `${from}.ts`);
    return { path, export: 'default', what: '', isNamed: false, site: declaration.site };
  }

  function moduleOf({ path: named }: WantedHandler): string | undefined {
    const found = modules.find(named);
    return found.found === 'module' ? found.path : undefined;
  }

  /** `handler: src/tools/get-issue.ts#run`: only the name of the file changes. */
  function renameReference({ site, path: named }: WantedHandler): void {
    const place = site();
    const span = book.offsetsOf(place);
    const raw = span === undefined ? '' : (book.text(place.file)?.slice(span.start, span.end) ?? '');
    const [file = ''] = raw.split('#');
    const start = file.lastIndexOf(nameOf(named));
    if (span === undefined || start < 0 || /\s/.test(raw)) {
      diagnostics.push(diagnose('rename/by-hand', { what: `the path ${JSON.stringify(named)}`, name: to }, place));
      return;
    }
    book.edit(place.file, { start: span.start + start, end: span.start + start + from.length, text: to });
  }
}
