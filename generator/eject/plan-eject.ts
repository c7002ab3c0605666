// B9. In: a loaded pack and one of its items whose work is a request, a statement, a program or another server. Out: the files in which a handler
// does the same, or why there can be none. Nothing is written.
import { type Folder, formatOf, joinPath } from '../../runtime/load/folder.js';
import { type LoadedPack, load } from '../../runtime/load/load.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import type { Program } from '../../runtime/load/program.js';
import { callKindOf, configOfItem } from '../../schema/backend/calls.js';
import { type HandledKind, handledKinds, isHandled, type Kind, keyOf, kinds } from '../../schema/definitions.js';
import { type Diagnostic, diagnose, sortDiagnostics, startOf } from '../../schema/diagnostics.js';
import { asMap } from '../../schema/document.js';
import { type FileChange, notEditable, openBook, plannedFolder, readText } from '../author/change-book.js';
import { findBroken } from '../author/find-broken.js';
import { createFinder, detectProject, type Project } from '../compile/project/project.js';
import { type Handled, type HandlerModule, listHandlerModules } from '../compile/stubs/handler-modules.js';
import { printHandler } from '../compile/stubs/stubs.js';
import { itemsOf, unknownItem } from '../rename/plan-rename.js';
import { type DefinitionChange, editDefinition } from './edit-definition.js';
import { printWork } from './print-work.js';

export interface EjectPlan {
  /** Empty where an error is among the diagnostics. */
  readonly changes: readonly FileChange[];
  readonly diagnostics: readonly Diagnostic[];
  readonly found: { readonly kind: Kind; readonly item: string } | undefined;
}

/**
 * Plans the handler of an item, and its definition without the backend. `typed` may say the kind: `tool:get-issue`.
 *
 * @example const { changes } = await planEject(load(path), nodeFolder(path), 'get-issue');
 */
export async function planEject(loaded: LoadedPack, folder: Folder, typed: string): Promise<EjectPlan> {
  const { manifest, program } = loaded;
  if (manifest === undefined) return refuse(loaded.diagnostics);
  const named = findNamed(loaded, typed);
  if ('code' in named) return refuse([named]);
  const errors = loaded.diagnostics.filter(({ severity }) => severity === 'error');
  if (program === undefined || errors.length > 0) return refuse(errors, named);
  const item = itemOf(program, named);
  const works = item === undefined ? `a ${named.kind} has no handler` : workOf(item);
  if (item === undefined || works !== undefined) {
    const site = item?.at.site([], 'key') ?? startOf(manifestFile);
    return refuse([diagnose('eject/no-backend', { ...named, works: works ?? '' }, site)], named);
  }
  const planned = planFiles(item, program, folder);
  if ('code' in planned) return refuse([planned], named);
  const broken = await findBroken(folder, planned);
  if (broken.length === 0) return { changes: planned, diagnostics: [], found: named };
  return refuse(
    broken.map(one => diagnose('eject/broken', { ...named, problem: one.message }, one)),
    named,
  );
}

function refuse(diagnostics: readonly Diagnostic[], found?: EjectPlan['found']): EjectPlan {
  return { changes: [], diagnostics: sortDiagnostics(diagnostics), found };
}

interface Named {
  readonly kind: Kind;
  readonly item: string;
}

/** Without a kind: of several items of the name, the one that can be ejected. */
function findNamed(loaded: LoadedPack, typed: string): Named | Diagnostic {
  const { manifest, program } = loaded;
  const [, prefix, rest = typed] = /^(server|tool|prompt|resource|schema):(.*)$/s.exec(typed) ?? [];
  const own = `${manifest?.name}/`;
  const item = rest.startsWith(own) ? rest.slice(own.length) : rest;
  if (item.includes('/')) return diagnose('eject/foreign-item', { name: item }, startOf(manifestFile));
  const asked = kinds.filter(kind => prefix === undefined || prefix === kind);
  const having = asked.filter(kind => itemsOf(loaded, kind).some(({ name }) => name === item));
  const [only, ...others] = having;
  if (only === undefined) {
    const kind = asked.length === 1 ? (asked[0] ?? 'tool') : 'tool';
    const all = (asked.length === 1 ? asked : handledKinds).flatMap(one => itemsOf(loaded, one));
    return unknownItem({ kind, from: item }, [...new Map(all.map(one => [one.name, one])).values()]);
  }
  if (others.length === 0) return { kind: only, item };
  const able = having.filter(kind => {
    const found = program === undefined ? undefined : itemOf(program, { kind, item });
    return found !== undefined && workOf(found) === undefined;
  });
  const [kind, ...more] = able;
  if (kind !== undefined && more.length === 0) return { kind, item };
  const works = `there are several: write ${(able.length === 0 ? having : able).map(one => `${one}:${item}`).join(' or ')}`;
  return diagnose('eject/no-backend', { kind: only, item, works }, startOf(manifestFile));
}

function itemOf(program: Program, { kind, item }: Named): Handled | undefined {
  if (!isHandled(kind)) return undefined;
  const list: readonly Handled[] = program[keyOf(kind) as `${HandledKind}s`];
  return list.find(one => one.item === item);
}

/** Why it cannot be ejected; undefined where it can. */
function workOf(item: Handled): string | undefined {
  if (callKindOf(item.definition as Readonly<Record<string, unknown>>) !== undefined) return undefined;
  const { handler } = item;
  if (handler !== undefined) return `it has a handler, ${handler.path}`;
  return 'it has content of its own, which no code makes';
}

function planFiles(item: Handled, program: Program, folder: Folder): readonly FileChange[] | Diagnostic {
  const { kind, item: name, file } = item;
  const before = readText(folder, file) ?? '';
  const project = detectProject(folder, program.pack.handlers).value;
  for (const handler of [undefined, handlerBeside(item, program, project)]) {
    const edited = edit(item, program, before, handler);
    if (edited === undefined) return notEditable(file, 'the key cannot be removed from it safely', siteOf(item));
    const changed = [{ path: file, before, after: edited }];
    const after = load(plannedFolder(folder, changed));
    const found = after.program === undefined ? undefined : itemOf(after.program, { kind, item: name });
    if (after.program === undefined || found === undefined) {
      const [first] = after.diagnostics.filter(({ severity }) => severity === 'error');
      return diagnose(
        'eject/broken',
        { kind, item: name, problem: first?.message ?? 'it is broken' },
        first ?? siteOf(item),
      );
    }
    const module = moduleOf(found, after.program, project, folder);
    if (module === undefined || isShared(module, found)) continue;
    const text = printHandler(module, project, after.program, print => printWork({ item, program }, print));
    const there = readText(folder, module.path);
    // A run that was killed before it changed the definition has left it.
    if (folder.status(module.path) !== 'missing' && there !== text)
      return diagnose('eject/handler-exists', { path: module.path, kind, item: name }, startOf(module.path));
    const book = openBook(folder);
    // The code is there before anything needs it.
    if (there === undefined) book.put(module.path, text);
    book.put(file, edited);
    return book.changes();
  }
  const problem = 'there is no file of its own for its code';
  return diagnose('eject/broken', { kind, item: name, problem }, siteOf(item));
}

function siteOf(item: Handled) {
  const key = callKindOf(item.definition as Readonly<Record<string, unknown>>) ?? '';
  return item.at.site([key], 'key');
}

function moduleOf(item: Handled, program: Program, project: Project, folder: Folder): HandlerModule | undefined {
  return listHandlerModules(program, project, createFinder(folder)).find(({ exports }) =>
    exports.some(one => one.item === item || one.others.includes(item)),
  );
}

/** Another item may have taken the file that this one would have. */
function isShared({ exports }: HandlerModule, item: Handled): boolean {
  const [only, ...others] = exports;
  return others.length > 0 || only?.item !== item || only.others.length > 0;
}

function handlerBeside({ kind, item }: Handled, { pack }: Program, { handlerExtension }: Project): string {
  return joinPath(pack.handlers, keyOf(kind), `${item}-handler${handlerExtension}`);
}

function edit(item: Handled, program: Program, text: string, handler: string | undefined): string | undefined {
  const definition = item.definition as Readonly<Record<string, unknown>>;
  const kind = callKindOf(definition);
  if (kind === undefined) return undefined;
  const { config, isolate, backends = {} } = program.pack;
  const requires = definition['requires'] === undefined ? undefined : asMap(definition['requires']);
  const needed = item.kind === 'tool' ? configOfItem(definition, backends) : [];
  const change: DefinitionChange = {
    removed: definition['type'] === 'mcp' ? [kind, 'type'] : [kind],
    added: {
      ...(handler === undefined ? {} : { handler }),
      // It has never run in a thread of its own.
      ...(isolate === 'thread' && item.kind === 'tool' && item.definition.isolate === undefined
        ? { isolate: 'none' }
        : {}),
    },
    required: needed.filter(key => {
      const hasValue = config[key]?.default !== undefined && config[key]?.default !== '';
      return !hasValue && requires?.[key] !== 'required';
    }),
    requires,
  };
  return editDefinition(text, siteOf(item), change, formatOf(item.file) === 'json');
}
