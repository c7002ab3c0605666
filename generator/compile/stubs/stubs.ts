// In: a program and its project. Out: the handlers that an author starts from, written once and never touched again (P12).
import type { Program } from '../../../runtime/load/program.js';
import { createTemplates, type Templates } from '../../render/templates.js';
import type { Project } from '../project/project.js';
import type { FindModule } from '../project/project-modules.js';
import { type Handled, type HandlerModule, listHandlerModules } from './handler-modules.js';
import { chooseTemplate, viewStub } from './stub-view.js';

export interface Stub {
  /** Relative to the pack. */
  readonly path: string;
  readonly text: string;
}

/** A module of handlers as a file that should exist. */
export interface PlannedStub {
  readonly path: string;
  readonly role: 'stub';
  readonly sources: readonly string[];
  render(): string;
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
 * One file per module of handlers. Those that exist already are among them, under the names they have, so
 * that they are kept and known.
 *
 * @example planStubs(program, project, createFinder(folder))
 */
export function planStubs(program: Program, project: Project, find?: FindModule): readonly PlannedStub[] {
  const templates = createTemplates();
  return listHandlerModules(program, project, find).map(module => ({
    path: module.path,
    role: 'stub',
    sources: module.sources,
    render: () => printModule(module, project, program, templates),
  }));
}

function printModule(module: HandlerModule, project: Project, program: Program, templates: Templates): string {
  return templates.render(chooseTemplate(module, project), viewStub(module, project, program));
}
