// In: a program and its project. Out: the handlers that an author starts from, written once and never touched again (P12).
import type { Program } from '../../runtime/load/program.js';
import type { Artifact } from '../artifact.js';
import type { Project } from '../project.js';
import type { FindModule } from '../project-modules.js';
import { type Handled, type HandlerModule, listHandlerModules } from './handler-modules.js';
import { chooseTemplate, namesOf, viewStub } from './stub-view.js';
import { createTemplates, type Templates } from './templates.js';

export interface Stub {
  /** Relative to the pack. */
  readonly path: string;
  readonly text: string;
}

/**
 * The module of one item's handler, with the other handlers that live in it. Undefined where the item needs none, or
 * where nothing may be written.
 *
 * @example printStub(tool, project, program)?.text // "import { tools } from '../../generated/index.js'; ..."
 */
export function printStub(
  item: Handled,
  project: Project,
  program: Program,
  templates: Templates = createTemplates(),
): Stub | undefined {
  const module = listHandlerModules(program, project).find(({ exports }) =>
    exports.some(one => one.item === item || one.others.includes(item)),
  );
  return module === undefined
    ? undefined
    : { path: module.path, text: printModule(module, project, program, templates) };
}

/**
 * One artifact per module of handlers. Those that exist already are among them, under the names they have, so
 * that they are kept and known.
 *
 * @example planStubs(program, project, createFinder(folder))
 */
export function planStubs(program: Program, project: Project, find?: FindModule): readonly Artifact[] {
  const templates = createTemplates();
  return listHandlerModules(program, project, find).map(module => ({
    path: module.path,
    role: 'stub',
    // Asked for by nobody as long as the stub is there.
    get inputs() {
      return inputsOf(module, project, program);
    },
    sources: module.sources,
    render: () => printModule(module, project, program, templates),
  }));
}

/** Everything that the view of a module is made from: cheaper than the view, as most stubs are there and stay. */
function inputsOf(module: HandlerModule, project: Project, { pack }: Program): string {
  const { path, exports } = module;
  const items = exports.map(({ name, item }) =>
    item === undefined ? [name] : [name, item.kind, item.item, item.title, item.description, namesOf(item)],
  );
  return JSON.stringify([
    chooseTemplate(module, project),
    path,
    pack.generated,
    project.refusesUnusedParameters,
    items,
  ]);
}

function printModule(module: HandlerModule, project: Project, program: Program, templates: Templates): string {
  return templates.render(chooseTemplate(module, project), viewStub(module, project, program));
}
