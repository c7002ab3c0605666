// In: a program and its project. Out: every file that should exist, and how its text is made. Nothing is rendered yet.
import { hash } from 'node:crypto';
import { joinPath, normalizePath } from '../../runtime/load/folder.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { definitionHash, type Program, type Prompt, type Resource, type Tool } from '../../runtime/load/program.js';
import type { ContentCache } from '../../runtime/load/read.js';
import type { HandledKind } from '../../schema/definitions.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import type { Declarations } from './declarations/block.js';
import {
  kindFilePath,
  printAppDeclarations,
  printConfigDeclarations,
  printIndex,
  printKindFile,
} from './declarations/declaration-files.js';
import type { Section } from './declarations/item.js';
import { allSchemas, openSharedDeclarations, schemasFilePath, sharedFiles } from './declarations/shared-types.js';
import { printPromptSection, printResourceSection } from './declarations/text-items.js';
import { findWidened, printToolSection } from './declarations/tool.js';
import { listPackSchemas } from './pack-schemas.js';
import type { FindModule, Project } from './project/project.js';
import { planStubs } from './stubs/stubs.js';
import { makeValidatorPrinter } from './validators/print.js';

interface PlannedFile {
  /** Relative to the pack, with forward slashes. */
  readonly path: string;
  /** The definition files that it is made from. */
  readonly sources: readonly string[];
  /** Changes whenever the text could: equal inputs give equal texts. */
  readonly inputs: string;
  /** Its text, or why there can be none. */
  render(): Rendered | Promise<Rendered>;
}

type Rendered = string | Diagnostic;

/** `generated` files are replaced whenever their text changes; a `stub` as long as the author has not touched it. */
export interface GeneratedFile extends PlannedFile {
  readonly role: 'generated' | 'stub';
}

export interface PlanOptions {
  readonly project: Project;
  /** Finds handler modules that exist already. */
  readonly find: FindModule;
  /** The hash of a definition file's content: positions in it move with every change. */
  readonly hashOf: (file: string) => string;
  /** Of the compiler itself: another one may print other texts. */
  readonly build: string;
  /** Remembers the declarations of items: a file shows all of a kind, also those that did not change. */
  readonly cache?: ContentCache | undefined;
}

export interface Plan {
  readonly files: readonly GeneratedFile[];
  /** Where types say less than their schemas, whether or not they are rendered. */
  findWidened(): readonly Diagnostic[];
}

/** What one item has in the declaration file of its kind. */
interface ItemPart {
  readonly sources: readonly string[];
  /** What decides the text, and what decides the map, which moves with the lines of the sources. */
  readonly inputs: string;
  readonly positions: string;
  /** From the cache, or printed; the same object whenever it is asked for. */
  section(): Section;
  /** Undefined where it would have to be printed. */
  knownSection(): Section | undefined;
}

export function plan(program: Program, options: PlanOptions): Plan {
  const { build, cache, hashOf } = options;
  const { pack } = program;
  const printValidators = makeValidatorPrinter();
  const key = (...parts: readonly unknown[]): string => hashInputs(build, ...parts);
  const inGenerated = (path: string): string => joinPath(pack.generated, path);
  const surroundings = key(pack.config, pack.context, pack.generated, pack.handlers, pack.backends !== undefined);

  const shared = openSharedDeclarations(program);
  const tools = program.tools.map(tool => {
    const sources = [...sourcesOf(tool), ...sharedFiles(tool, program)];
    // It stands for both schemas, which are longer than all the rest.
    const schemas = definitionHash(tool);
    const validator: GeneratedFile = {
      path: inGenerated(`tools/${tool.item}.mjs`),
      role: 'generated',
      inputs: key(schemas, tool.file),
      sources,
      render: () => printValidators(tool),
    };
    return {
      tool,
      validator,
      part: planItem(tool, sources, [schemas, ...sharingOf(tool)], () => printToolSection(tool, program, shared)),
    };
  });
  const prompts = program.prompts.map(one => planItem(one, [one.file], [], () => printPromptSection(one)));
  const resources = program.resources.map(one => planItem(one, [one.file], [], () => printResourceSection(one)));
  return {
    files: [
      ...tools.map(({ validator }) => validator),
      ...planKind(
        'tool',
        tools.map(({ part }) => part),
      ),
      ...planKind('prompt', prompts),
      ...planKind('resource', resources),
      ...planSchemas(),
      ...planPackFiles(),
      ...planStubs(program, options.project, options.find).map(stub => ({ ...stub, inputs: key(stub.view) })),
    ],
    findWidened: () => [
      ...tools.flatMap(({ tool, part }) => part.knownSection()?.diagnostics ?? findWidened(tool, shared)),
      ...shared.findWidened(),
    ],
  };

  function planItem(
    item: Tool | Prompt | Resource,
    sources: readonly string[],
    more: readonly string[],
    print: () => Section,
  ): ItemPart {
    const { kind, item: itemName, name, description, definition, file } = item;
    const inputs = key(surroundings, kind, itemName, name, description, definition, file, ...more);
    const positions = key(inputs, sources.map(hashOf));
    let known: Section | undefined;
    const knownSection = (): Section | undefined => {
      known ??= cache?.get(positions)?.[0] as Section | undefined;
      return known;
    };
    const section = (): Section => {
      if (knownSection() !== undefined) return known as Section;
      known = print();
      cache?.set(positions, [known]);
      return known;
    };
    return { sources, inputs, positions, section, knownSection };
  }

  /** The declaration file of all items of a kind. */
  function planKind(kind: HandledKind, parts: readonly ItemPart[]): readonly GeneratedFile[] {
    if (parts.length === 0) return [];
    return planDeclarations({
      path: kindFilePath(kind, program),
      inputs: key(parts.map(({ inputs }) => inputs)),
      positions: key(parts.map(({ positions }) => positions)),
      sources: [...new Set(parts.flatMap(({ sources }) => sources))],
      print: () =>
        printKindFile(
          kind,
          parts.map(part => part.section()),
          program,
        ),
    });
  }

  /** The types of shared schemas. Which of them there are also depends on the tools that use them. */
  function planSchemas(): readonly GeneratedFile[] {
    const schemas = allSchemas(program);
    if (schemas.length === 0) return [];
    const inputs = key(
      schemas.map(({ item, file, schema }) => [item, file, schema]),
      program.tools.map(tool => [tool.filling, sharingOf(tool)]),
    );
    const sources = [...new Set(schemas.map(({ file }) => file))];
    const positions = key(inputs, sources.map(hashOf));
    return planDeclarations({ path: schemasFilePath(program), inputs, positions, sources, print: shared.print });
  }

  /** The files of every pack. */
  function planPackFiles(): readonly GeneratedFile[] {
    const sources = [manifestFile];
    const make = (path: string, inputs: string, render: () => string): GeneratedFile => {
      return { path, role: 'generated', inputs, sources, render };
    };
    // Lists of names: as quick to print as to tell apart from the last ones.
    const { text: app } = printAppDeclarations(program);
    const { js, dts } = printIndex(program, options.project.moduleFormat);
    return [
      make(inGenerated('index.js'), key(js), () => js),
      make(inGenerated('index.d.ts'), key(dts), () => dts),
      ...planDeclarations({
        path: inGenerated('config.d.ts'),
        inputs: surroundings,
        positions: key(surroundings, hashOf(manifestFile)),
        sources,
        print: () => printConfigDeclarations(program),
      }),
      make(inGenerated('app.d.ts'), key(app), () => app),
      ...listPackSchemas(program).map(({ path, inputs, print }) => make(path, key(...inputs), print)),
    ];
  }
}

/** What the text is made from, in a word of 132 bits. */
function hashInputs(...parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);
}

interface DeclarationFile {
  readonly path: string;
  readonly inputs: string;
  readonly positions: string;
  readonly sources: readonly string[];
  print(): Declarations;
}

/** A declaration file and its map, printed together, and only once one of them is asked for. */
function planDeclarations({ path, inputs, positions, sources, print }: DeclarationFile): readonly GeneratedFile[] {
  let printed: Declarations | undefined;
  const once = (): Declarations => {
    printed ??= print();
    return printed;
  };
  return [
    { path, role: 'generated', inputs, sources, render: () => once().text },
    { path: `${path}.map`, role: 'generated', inputs: positions, sources, render: () => once().map },
  ];
}

/** By which names a tool's schemas have those that they share. */
function sharingOf({ sharing }: Tool): readonly string[] {
  return sharing === undefined ? [] : [JSON.stringify(sharing)];
}

function sourcesOf({ file, definition }: Tool): readonly string[] {
  const files = [definition.inputSchema, definition.outputSchema].flatMap(schema =>
    isMap(schema) && typeof schema['file'] === 'string' && schema['type'] === undefined ? [schema['file']] : [],
  );
  return [file, ...files.map(path => normalizePath(path) ?? path)];
}
