// In: a program and its project. Out: every file that should exist, and how its text is made. Nothing is rendered yet.
import { hash } from 'node:crypto';
import { definitionHash } from '../runtime/load/definition-hash.js';
import { manifestFile } from '../runtime/load/manifest.js';
import type { Program, Prompt, Resource, Tool } from '../runtime/load/program.js';
import type { Diagnostic, Site } from '../schema/diagnostics.js';
import { isMap } from '../schema/document.js';
import type { Artifact } from './artifact.js';
import { printAppDeclarations, printConfigDeclarations } from './declarations/config.js';
import type { Declarations } from './declarations/draft.js';
import { printIndex } from './declarations/index-file.js';
import { definitionSite } from './declarations/item.js';
import { generatedPath } from './declarations/paths.js';
import { printPromptDeclarations, promptDeclarationsPath, promptTypeNames } from './declarations/prompt.js';
import { printResourceDeclarations, resourceDeclarationsPath, resourceTypeNames } from './declarations/resource.js';
import { printToolDeclarations, toolDeclarationsPath, toolTypeNames } from './declarations/tool.js';
import { printPackSchemas, vocabularyOf } from './pack-schemas.js';
import type { Project } from './project.js';
import type { FindModule } from './project-modules.js';
import { planStubs } from './render/stubs.js';
import type { ValidatorPrinter } from './validators/print.js';

export interface PlanOptions {
  readonly project: Project;
  /** Finds handler modules that exist already. */
  readonly find: FindModule;
  /** The published schemas by file name without ending. */
  readonly schemas: Readonly<Record<string, unknown>>;
  /** The hash of a definition file's content: positions in it move with every change. */
  readonly hashOf: (file: string) => string;
  /** Of the compiler itself: another one may print other texts. */
  readonly build: string;
  readonly sites?: SiteMemo | undefined;
}

/** Remembers where items are defined between runs: the index shows all of them, also of files that did not change. */
export interface SiteMemo {
  get(key: string): Site | undefined;
  set(key: string, site: Site): void;
}

export interface Plan {
  readonly artifacts: readonly Artifact[];
  /** The tools by the paths of their validators, which can be rendered only once their printer was given. */
  readonly validators: ReadonlyMap<string, Tool>;
  usePrinter(printer: ValidatorPrinter): void;
  /** What rendering found out: types that say less than their schemas. */
  readonly diagnostics: readonly Diagnostic[];
}

export function plan(program: Program, options: PlanOptions): Plan {
  const { build, hashOf } = options;
  const { pack } = program;
  const validators = new Map<string, Tool>();
  const diagnostics: Diagnostic[] = [];
  const texts = new Map<string, string>();
  let printer: ValidatorPrinter | undefined;
  const key = (...parts: readonly unknown[]): string => shortHash([build, ...parts]);
  const surroundings = key(pack.config, pack.context, pack.generated, pack.handlers);

  const tools = program.tools.flatMap((tool): readonly Artifact[] => {
    const sources = sourcesOf(tool);
    const path = generatedPath(program, `tools/${tool.item}.mjs`);
    validators.set(path, tool);
    const { item, name, description, definition, file } = tool;
    // It stands for both schemas, which are longer than all the rest.
    const schemas = definitionHash(tool);
    const inputs = key(surroundings, item, name, description, definition, schemas, file);
    return [
      {
        path,
        role: 'generated',
        inputs: key(schemas, file),
        sources,
        render: () => {
          const text = texts.get(path) ?? printer?.(tool);
          if (text === undefined) throw new Error('validators are rendered without their printer');
          texts.set(path, text);
          return text;
        },
      },
      ...declared(toolDeclarationsPath(tool, program), inputs, sources, () => {
        const printed = printToolDeclarations(tool, program);
        diagnostics.push(...printed.diagnostics);
        return printed;
      }),
    ];
  });
  const prompts = program.prompts.flatMap(prompt => {
    const path = promptDeclarationsPath(prompt, program);
    return declared(path, itemKey(prompt), [prompt.file], () => printPromptDeclarations(prompt, program));
  });
  const resources = program.resources.flatMap(resource => {
    const path = resourceDeclarationsPath(resource, program);
    return declared(path, itemKey(resource), [resource.file], () => printResourceDeclarations(resource, program));
  });
  const stubs = planStubs(program, options.project, options.find);
  return {
    artifacts: [...tools, ...prompts, ...resources, ...wholePack(), ...stubs],
    validators,
    usePrinter: given => {
      printer = given;
    },
    diagnostics,
  };

  function siteOf(item: Tool | Prompt | Resource): Site {
    const name = JSON.stringify([item.file, hashOf(item.file), item.kind, item.item, item.server]);
    const known = options.sites?.get(name);
    if (known !== undefined) return known;
    const site = definitionSite(item);
    // What another file says, such as an overlay, may change without this one.
    if (site.file === item.file) options.sites?.set(name, site);
    return site;
  }

  function itemKey({ kind, item, name, description, definition, file }: Prompt | Resource): string {
    return key(surroundings, kind, item, name, description, definition, file);
  }

  /** A declaration file and its map; the map moves with the lines of its sources. */
  function declared(
    path: string,
    inputs: string,
    sources: readonly string[],
    print: () => Declarations,
  ): readonly Artifact[] {
    let printed: Declarations | undefined;
    const once = (): Declarations => {
      printed ??= print();
      return printed;
    };
    const positions = key(inputs, sources.map(hashOf));
    return [
      { path, role: 'generated', inputs, sources, render: () => once().text },
      { path: `${path}.map`, role: 'generated', inputs: positions, sources, render: () => once().map },
    ];
  }

  /** The files that every item has a part in. */
  function wholePack(): readonly Artifact[] {
    const items = [...program.tools, ...program.prompts, ...program.resources];
    const sources = [...new Set([manifestFile, ...items.map(({ file }) => file)])];
    const faces = [
      ...program.tools.map(tool => [face(tool), toolTypeNames(tool, program)]),
      ...program.prompts.map(prompt => [face(prompt), promptTypeNames(prompt)]),
      ...program.resources.map(resource => [face(resource), resourceTypeNames(resource)]),
    ];
    const inputs = key(surroundings, faces);
    let index: ReturnType<typeof printIndex> | undefined;
    const once = (): ReturnType<typeof printIndex> => {
      index ??= printIndex(program, siteOf, options.project.moduleFormat);
      return index;
    };
    const make = (path: string, given: string, render: () => string): Artifact => ({
      path: generatedPath(program, path),
      role: 'generated',
      inputs: given,
      sources,
      render,
    });
    const names = vocabularyOf(program);
    const schemas = Object.keys(options.schemas).map(kind =>
      make(`schema/${kind}.schema.json`, key(kind, names), () => {
        const [schema] = printPackSchemas(program, { [kind]: options.schemas[kind] });
        return schema?.text ?? '';
      }),
    );
    return [
      make('index.js', key(inputs, options.project.moduleFormat), () => once().js),
      make('index.d.ts', inputs, () => once().dts),
      make('index.d.ts.map', key(inputs, sources.map(hashOf)), () => once().map),
      ...declared(generatedPath(program, 'config.d.ts'), surroundings, [manifestFile], () =>
        printConfigDeclarations(program),
      ),
      make('app.d.ts', surroundings, () => printAppDeclarations(program).text),
      ...schemas,
    ];
  }
}

/** What the index shows of an item. */
function face({ kind, item, description, file }: Tool | Prompt | Resource): readonly string[] {
  return [kind, item, description, file];
}

function shortHash(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22);
}

function sourcesOf({ file, definition }: Tool): readonly string[] {
  const files = [definition.inputSchema, definition.outputSchema].flatMap(schema =>
    isMap(schema) && typeof schema['file'] === 'string' && schema['type'] === undefined ? [schema['file']] : [],
  );
  return [file, ...files.map(path => path.replace(/^(\.\/)+/, ''))];
}
