// In: a program and its project. Out: every file that should exist, and how its text is made. Nothing is rendered yet.
import { hash } from 'node:crypto';
import { normalize } from '../runtime/load/folder.js';
import type { LoadedPack } from '../runtime/load/load.js';
import { manifestFile } from '../runtime/load/manifest.js';
import { definitionHash, type Program, type Prompt, type Resource, type Tool } from '../runtime/load/program.js';
import type { Diagnostic } from '../schema/diagnostics.js';
import { isMap } from '../schema/document.js';
import type { Artifact } from './artifact.js';
import { printAppDeclarations, printConfigDeclarations } from './declarations/config.js';
import { declared } from './declarations/declared-file.js';
import { printIndex } from './declarations/index-file.js';
import type { Section } from './declarations/item.js';
import { kindFilePath, printKindFile } from './declarations/kind-file.js';
import type { HandledKind } from './declarations/names.js';
import { generatedPath } from './declarations/paths.js';
import { printPromptSection } from './declarations/prompt.js';
import { printResourceSection } from './declarations/resource.js';
import { printToolSection } from './declarations/tool.js';
import { findWidened } from './declarations/tool-parts.js';
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
  /** What a tool comes from, in a word. */
  readonly originOf: LoadedPack['originOf'];
  readonly sections?: SectionMemo | undefined;
}

/** Remembers the declarations of items between runs: a file shows all of a kind, also those that did not change. */
export interface SectionMemo {
  get(key: string): Section | undefined;
  set(key: string, section: Section): void;
  /** What sections say less than their schemas, apart: every run tells it, few print sections. */
  readonly widened: {
    get(key: string): readonly Diagnostic[] | undefined;
    set(key: string, found: readonly Diagnostic[]): void;
  };
  /** The keys of tools by their origins: making them means to print every schema. */
  readonly keys: {
    get(origin: string): ToolKeys | undefined;
    set(origin: string, keys: ToolKeys): void;
  };
}

/** What decides the validators of a tool, the text of its declarations, and their map. */
export type ToolKeys = readonly [validator: string, inputs: string, positions: string];

export interface Plan {
  readonly artifacts: readonly Artifact[];
  /** The tools by the paths of their validators, which can be rendered only once their printer was given. */
  readonly validators: ReadonlyMap<string, Tool>;
  usePrinter(printer: ValidatorPrinter): void;
  /** Types that say less than their schemas, whether or not they are to be rendered. */
  diagnostics(): readonly Diagnostic[];
}

interface PartKeys {
  /** What decides the text, and what decides the map, which moves with the lines of the sources. */
  readonly inputs: string;
  readonly positions: string;
  readonly sources: readonly string[];
}

/** What one item has in the declaration file of its kind. */
interface Part extends PartKeys {
  section(): Section;
  widened(): readonly Diagnostic[];
}

export function plan(program: Program, options: PlanOptions): Plan {
  const { build, hashOf } = options;
  const { pack } = program;
  const validators = new Map<string, Tool>();
  const texts = new Map<string, string>();
  let printer: ValidatorPrinter | undefined;
  const key = (...parts: readonly unknown[]): string => shortHash([build, ...parts]);
  const surroundings = key(pack.config, pack.context, pack.generated, pack.handlers);

  const tools = program.tools.map(tool => {
    const sources = sourcesOf(tool);
    const [validator, inputs, positions] = keysOf(tool, sources);
    const print = (): Section => printToolSection(tool, program);
    return {
      validator: planValidator(tool, validator, sources),
      part: makePart({ inputs, positions, sources }, print, tool),
    };
  });
  const prompts = program.prompts.map(prompt => makePart(itemKeys(prompt), () => printPromptSection(prompt)));
  const resources = program.resources.map(resource =>
    makePart(itemKeys(resource), () => printResourceSection(resource)),
  );
  return {
    artifacts: [
      ...tools.map(({ validator }) => validator),
      ...planKind(
        'tool',
        tools.map(({ part }) => part),
      ),
      ...planKind('prompt', prompts),
      ...planKind('resource', resources),
      ...wholePack(),
      ...planStubs(program, options.project, options.find),
    ],
    validators,
    usePrinter: given => {
      printer = given;
    },
    diagnostics: () => tools.flatMap(({ part }) => part.widened()),
  };

  function planValidator(tool: Tool, inputs: string, sources: readonly string[]): Artifact {
    const path = generatedPath(program, `tools/${tool.item}.mjs`);
    validators.set(path, tool);
    const render = (): string => {
      const text = texts.get(path) ?? printer?.(tool);
      if (text === undefined) throw new Error('validators are rendered without their printer');
      texts.set(path, text);
      return text;
    };
    return { path, role: 'generated', inputs, sources, render };
  }

  function keysOf(tool: Tool, sources: readonly string[]): ToolKeys {
    const origin = options.originOf(tool);
    const memo = origin === undefined ? undefined : options.sections?.keys;
    // `surroundings` has the build in it.
    const place = `${surroundings} ${origin}`;
    return memo?.get(place) ?? remember(memo, place, makeKeys(tool, sources));
  }

  function makeKeys(tool: Tool, sources: readonly string[]): ToolKeys {
    const { item, name, description, definition, file } = tool;
    // It stands for both schemas, which are longer than all the rest.
    const schemas = definitionHash(tool);
    const inputs = key(surroundings, item, name, description, definition, schemas, file);
    return [key(schemas, file), inputs, positionsOf(inputs, sources)];
  }

  function itemKeys({ kind, item, name, description, definition, file }: Prompt | Resource): PartKeys {
    const inputs = key(surroundings, kind, item, name, description, definition, file);
    return { inputs, positions: positionsOf(inputs, [file]), sources: [file] };
  }

  function positionsOf(inputs: string, sources: readonly string[]): string {
    return key(inputs, sources.map(hashOf));
  }

  function makePart(keys: PartKeys, print: () => Section, tool?: Tool): Part {
    const { positions } = keys;
    const { sections } = options;
    let made: Section | undefined;
    const section = (): Section => {
      made ??= sections?.get(positions) ?? remember(sections, positions, print());
      return made;
    };
    const widened = (): readonly Diagnostic[] => {
      const known = sections?.widened.get(positions);
      if (known !== undefined || tool === undefined) return known ?? [];
      return remember(sections?.widened, positions, made?.diagnostics ?? findWidened(tool));
    };
    return { ...keys, section, widened };
  }

  /** The declaration file of all items of a kind. */
  function planKind(kind: HandledKind, parts: readonly Part[]): readonly Artifact[] {
    if (parts.length === 0) return [];
    const sections = (): readonly Section[] => parts.map(part => part.section());
    return declared({
      path: kindFilePath(kind, program),
      inputs: key(parts.map(({ inputs }) => inputs)),
      positions: key(parts.map(({ positions }) => positions)),
      sources: [...new Set(parts.flatMap(({ sources }) => sources))],
      print: () => printKindFile(kind, sections(), program),
    });
  }

  /** The files of every pack. */
  function wholePack(): readonly Artifact[] {
    const sources = [manifestFile];
    const make = (path: string, inputs: string, render: () => string): Artifact => {
      return { path: generatedPath(program, path), role: 'generated', inputs, sources, render };
    };
    const names = vocabularyOf(program);
    const schemas = Object.keys(options.schemas).map(kind =>
      make(`schema/${kind}.schema.json`, key(kind, names), () => {
        const [schema] = printPackSchemas(program, { [kind]: options.schemas[kind] });
        return schema?.text ?? '';
      }),
    );
    // A list of names: as quick to print as to tell apart from the last one.
    const { js, dts } = printIndex(program, options.project.moduleFormat);
    return [
      make('index.js', key(js), () => js),
      make('index.d.ts', key(dts), () => dts),
      ...declared({
        path: generatedPath(program, 'config.d.ts'),
        inputs: surroundings,
        positions: key(surroundings, hashOf(manifestFile)),
        sources,
        print: () => printConfigDeclarations(program),
      }),
      make('app.d.ts', surroundings, () => printAppDeclarations(program).text),
      ...schemas,
    ];
  }
}

function remember<T>(memo: { set(key: string, value: T): void } | undefined, key: string, value: T): T {
  memo?.set(key, value);
  return value;
}

function shortHash(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22);
}

function sourcesOf({ file, definition }: Tool): readonly string[] {
  const files = [definition.inputSchema, definition.outputSchema].flatMap(schema =>
    isMap(schema) && typeof schema['file'] === 'string' && schema['type'] === undefined ? [schema['file']] : [],
  );
  return [file, ...files.map(path => normalize(path) ?? path)];
}
