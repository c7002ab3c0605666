// In: a program and its project. Out: the handlers that an author starts from, never touched again once they are edited (P12, Q3).
import { isTypeScript } from '../../../runtime/call/handlers/find-handler.js';
import type { Program } from '../../../runtime/load/program.js';
import { keyOf } from '../../../schema/definitions.js';
import { isMap } from '../../../schema/document.js';
import { memberName, typePrefix } from '../../../schema/names.js';
import { Code, importPath, isBlank, isParameterName, localName, printString } from '../../render/code.js';
import { createTemplates, type StubTemplate, type Templates } from '../../render/templates.js';
import { type FindModule, formatOfModule, type Project } from '../project/project.js';
import { type FunctionScene, formOf, typesOf, viewFunction } from './functions.js';
import { type Handled, type HandlerExport, type HandlerModule, listHandlerModules } from './handler-modules.js';

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
  /** All that its text is made from. */
  readonly view: unknown;
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
    : {
        path: module.path,
        text: templates.render(chooseTemplate(module, project), viewStub(module, project, program)),
      };
}

/**
 * One file per module of handlers. Those that exist already are among them, under the names they have, so
 * that they are kept and known.
 *
 * @example planStubs(program, project, createFinder(folder))
 */
export function planStubs(program: Program, project: Project, find?: FindModule): readonly PlannedStub[] {
  const templates = createTemplates();
  return listHandlerModules(program, project, find).map(module => {
    const template = chooseTemplate(module, project);
    const view = viewStub(module, project, program);
    return {
      path: module.path,
      role: 'stub',
      sources: module.sources,
      // Stubs have no helpers: packs of before stay as they are.
      view: [template, { ...view, helpers: undefined }],
      render: () => templates.render(template, view),
    };
  });
}

/** What a handler does, where somebody knows it already. */
export interface WrittenHandler {
  readonly parameters: string;
  readonly body: string;
  /** What it uses of this package. */
  readonly helpers: readonly string[];
}

/**
 * The module of a handler that is more than a stub. `write` gets what stands before the names of helpers.
 *
 * @example printHandler(module, project, program, write)
 */
export function printHandler(
  module: HandlerModule,
  project: Project,
  program: Program,
  write: (scene: { readonly helperPrefix: string; readonly isTypeScript: boolean }) => WrittenHandler,
): string {
  const template = chooseTemplate(module, project);
  const helperPrefix = template === 'handlers.cts' ? 'toolwright.' : '';
  const { parameters, body, helpers } = write({ helperPrefix, isTypeScript: isTypeScript(module.extension) });
  const view = viewStub(module, project, program);
  const exports = view.exports.map(one => ({ ...one, parameters: new Code(parameters), body: new Code(body) }));
  const list = new Code(`{ ${[...helpers].sort().join(', ')} }`);
  return createTemplates().render(template, { ...view, exports, helpers: helpers.length === 0 ? '' : list });
}

// In: a module of handlers. Out: the flat view that a template prints it from, and which template that is.

/** One export. What a form does not use is empty. */
interface ExportView {
  /** Declared as a function, with its types written out; handlers get theirs from the generated folder. */
  readonly isFunction: boolean;
  readonly description: string;
  readonly tags: readonly Code[];
  /** What stands before the value where it is exported at once: `export default `, `export const run = `. */
  readonly opening: Code;
  /** The name of the variable or function. */
  readonly local: string;
  /** `tools`, `prompts` or `resources`. */
  readonly group: string;
  readonly member: string;
  readonly parameters: Code;
  /** What stands between the parameters of a function and its body. */
  readonly returns: Code;
  readonly body: Code;
}

interface StubView {
  /** What stands between `import` and `from`; empty where nothing is imported. */
  readonly imports: Code | '';
  /** The same of this package. */
  readonly helpers: Code | '';
  readonly from: string;
  readonly exports: readonly ExportView[];
  /** The statements that export what its own line does not; empty where there are none. */
  readonly closing: Code | '';
  /** JavaScript asks editors to check its types. */
  readonly isChecked: boolean;
}

function chooseTemplate({ extension }: HandlerModule, project: Project): StubTemplate {
  const format = formatOfModule(extension, project);
  if (isTypeScript(extension)) return format === 'cjs' && project.verbatimModuleSyntax ? 'handlers.cts' : 'handlers.ts';
  return format === 'cjs' ? 'handlers.cjs' : 'handlers.js';
}

/** Flattens a module for its template. */
export function viewStub(module: HandlerModule, project: Project, program: Program): StubView {
  const template = chooseTemplate(module, project);
  const from = importPath(module.path, `${folderOf(program.pack.generated)}index.js`);
  const locals = nameLocals(module.exports);
  const scene = { from, project, template };
  const exports = module.exports.map((one, index): ExportView => {
    const local = locals[index] ?? one.name;
    const view = one.item === undefined ? viewFunction(one, scene) : viewItem(one.item, scene, program);
    return { ...view, local, opening: printOpening(one, local, template) };
  });
  const groups = exports.map(({ group }) => group).filter(group => group !== '');
  return {
    imports: printImports(groups, module.exports.flatMap(typesOf)),
    helpers: '',
    from,
    exports,
    closing: printClosing(module.exports, locals, template),
    isChecked: !isMixed(module.exports),
  };
}

function folderOf(path: string): string {
  return path === '' ? '' : `${path}/`;
}

/** `{ tools, type Completion_Context }`, or `type { Completion_Context }` where no value is needed. */
function printImports(groups: readonly string[], types: readonly string[]): Code | '' {
  const [values, named] = [[...new Set(groups)].sort(), [...new Set(types)].sort()];
  if (values.length + named.length === 0) return '';
  if (values.length === 0) return new Code(`type { ${named.join(', ')} }`);
  return new Code(`{ ${[...named.map(type => `type ${type}`), ...values].join(', ')} }`);
}

type ViewBody = Omit<ExportView, 'local' | 'opening'>;

function viewItem(item: Handled, { from, project }: FunctionScene, program: Program): ViewBody {
  const { kind, title = '' } = item;
  const text = [item.description, title].find(one => !isBlank(one)) ?? '';
  return {
    isFunction: false,
    description: text,
    tags: [new Code(`@type {import(${printString(from)}).${handlerType(item, program)}}`)],
    group: keyOf(kind),
    member: memberName(item.item),
    parameters: printParameters(item, project),
    returns: new Code(''),
    body: new Code('  throw ctx.notImplemented();'),
  };
}

/** As the index calls it: where a tool has a type of the same name, that of the prompt or resource ends in an underscore. */
function handlerType({ kind, item }: Handled, { tools }: Program): string {
  const prefix = typePrefix(kind, item);
  const isTaken = kind !== 'tool' && tools.some(tool => typePrefix('tool', tool.item) === prefix);
  return `${prefix}Handler${isTaken ? '_' : ''}`;
}

/** Variables cannot have every name that an export can: reserved words, and what the module has already. */
function nameLocals(exports: readonly HandlerExport[]): readonly string[] {
  const used = new Set(exports.map(({ name }) => name));
  return exports.map(one => {
    const { name, item } = one;
    const wanted =
      name !== 'default' ? name : item === undefined ? (formOf(one)?.local ?? name) : memberName(item.item);
    const others = new Set([...used].filter(one => one !== name));
    const local = localName(wanted, others);
    used.add(local);
    return local;
  });
}

/** TypeScript 7 finds no types for a CommonJS module with a default and other exports: checks would only mislead. */
function isMixed(exports: readonly HandlerExport[]): boolean {
  return exports.length > 1 && exports.some(({ name }) => name === 'default');
}

function printOpening(one: HandlerExport, local: string, template: StubTemplate): Code {
  const { name } = one;
  const form = formOf(one);
  const declared = form === undefined ? '' : `${form.returns === undefined ? '' : 'async '}function `;
  switch (template) {
    case 'handlers.ts':
    case 'handlers.js': {
      const start = name === 'default' ? 'export default ' : name === local ? 'export ' : '';
      if (form !== undefined) return new Code(`${start}${declared}`);
      return new Code(name === 'default' ? start : `${start}const ${local} = `);
    }
    case 'handlers.cjs':
    case 'handlers.cts':
      return new Code(declared);
    default:
      return template satisfies never;
  }
}

function printClosing(exports: readonly HandlerExport[], locals: readonly string[], template: StubTemplate): Code | '' {
  const named = exports.map(({ name }, index) => ({ name, local: locals[index] ?? name }));
  const members = named.map(({ name, local }) => (name === local ? name : `${name}: ${local}`)).join(', ');
  const [first] = named;
  const main = first?.name === 'default' ? first.local : undefined;
  switch (template) {
    case 'handlers.ts':
    case 'handlers.js': {
      const aliased = named.filter(({ name, local }) => name !== 'default' && name !== local);
      if (aliased.length === 0) return '';
      return new Code(`export { ${aliased.map(({ name, local }) => `${local} as ${name}`).join(', ')} };`);
    }
    case 'handlers.cts':
      if (main !== undefined && named.length === 1) return new Code(`export = ${main};`);
      // Only what has a name of its own can be imported by the names of its members.
      return new Code(`const handlers = { ${members} };\n\nexport = handlers;`);
    case 'handlers.cjs': {
      if (main === undefined) return new Code(`module.exports = { ${members} };`);
      const others = named.slice(1).map(({ name, local }) => `module.exports.${name} = ${local};`);
      return new Code([`module.exports = ${main};`, ...others].join('\n'));
    }
    default:
      return template satisfies never;
  }
}

/** Keeps the line short; the rest is one completion away. */
const mostNames = 4;
const mostCharacters = 60;

/** `{ issueKey, limit }, ctx`, or one name where there is nothing that can be taken apart. */
function printParameters(item: Handled, project: Project): Code {
  const whole = item.kind === 'resource' ? 'variables' : 'args';
  const names = namesOf(item);
  const usable = names.filter(
    name => isParameterName(name) && name !== 'ctx' && !Object.hasOwn(Object.prototype, name),
  );
  let length = 0;
  const shown = usable.slice(0, mostNames).filter(name => {
    length += name.length + 2;
    return length <= mostCharacters;
  });
  if (names.length === 0 || project.refusesUnusedParameters) return new Code(`_${whole}, ctx`);
  return new Code(shown.length === 0 ? `${whole}, ctx` : `{ ${shown.join(', ')} }, ctx`);
}

/** Keywords beside `properties` that may give an object another form, so that not every property is on every form. */
const forms = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'not'];

/** The names of what a handler is given; one that nothing can be called where they depend on the form of the value. */
function namesOf(item: Handled): readonly string[] {
  switch (item.kind) {
    case 'tool': {
      const schema: unknown = item.inputSchema;
      if (!isMap(schema)) return [];
      const properties = isMap(schema['properties']) ? schema['properties'] : {};
      if (forms.some(keyword => Object.hasOwn(schema, keyword))) return [''];
      return Object.keys(properties).filter(name => properties[name] !== false);
    }
    case 'prompt':
      return item.arguments.map(({ name }) => name);
    case 'resource':
      return item.variables;
    default:
      return item satisfies never;
  }
}
