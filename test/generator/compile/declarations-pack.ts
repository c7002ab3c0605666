// What the tests of declarations share: the declaration files of a pack, in memory or in a folder of their own.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import {
  printAppDeclarations,
  printConfigDeclarations,
  printIndex,
  printKindFile,
} from '../../../generator/compile/declarations/declaration-files.js';
import { openSharedDeclarations } from '../../../generator/compile/declarations/shared-types.js';
import { printPromptSection, printResourceSection } from '../../../generator/compile/declarations/text-items.js';
import { printToolSection } from '../../../generator/compile/declarations/tool.js';
import { load } from '../../../runtime/load/load.js';
import type { Program } from '../../../runtime/load/program.js';
import { hasErrors } from '../../../schema/diagnostics.js';
import { writeFiles } from '../../harness/files.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import type { Files } from '../../harness/pack.js';

export type Texts = Readonly<Record<string, string>>;

/** The program of a pack without errors. */
export function programOf(files: Files): Program {
  const { program, diagnostics } = load(memoryFolder(files));
  if (program === undefined || hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics, null, 1));
  return program;
}

/** Every declaration file of a program with its map, and the index, by path. */
export function declarationsOf(program: Program): Record<string, string> {
  const files: Record<string, string> = {};
  const { generated } = program.pack;
  const add = (path: string, { text, map }: { readonly text: string; readonly map?: string }): void => {
    files[`${generated}/${path}.d.ts`] = text;
    if (map !== undefined) files[`${generated}/${path}.d.ts.map`] = map;
  };
  const shared = openSharedDeclarations(program);
  const sections = {
    tool: program.tools.map(tool => printToolSection(tool, program, shared)),
    prompt: program.prompts.map(printPromptSection),
    resource: program.resources.map(printResourceSection),
  };
  for (const kind of ['tool', 'prompt', 'resource'] as const)
    if (sections[kind].length > 0) add(`${kind}s`, printKindFile(kind, sections[kind], program));
  if (program.schemas.length > 0) add('schemas', shared.print());
  add('config', printConfigDeclarations(program));
  add('app', printAppDeclarations(program));
  const { js, dts } = printIndex(program);
  add('index', { text: dts });
  files[`${generated}/index.js`] = js;
  return files;
}

/** Where `toolwright/support` is found: the sources of this package. */
const supportFile = fileURLToPath(new URL('../../../schema/support.ts', import.meta.url));

/** What handlers find in every place they run; the whole of its types would take most of a test's time. */
const surroundings = `interface AbortSignal { readonly aborted: boolean }
declare function fetch(url: string, init: { readonly signal: AbortSignal }): Promise<unknown>;
`;

/** Writes the files of a project, with what it needs to be compiled. */
export function writeProject(files: Texts): { readonly folder: string; remove(): void } {
  const tsconfig = JSON.stringify({ compilerOptions, include: ['src', 'generated'] });
  return writeFolder({ ...files, 'src/surroundings.d.ts': surroundings, 'tsconfig.json': tsconfig });
}

/** The program of such a folder under TypeScript 5.9. */
export function compile(folder: string): ts.Program {
  const read = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(read.config, ts.sys, folder);
  return ts.createProgram({ rootNames: fileNames, options });
}

/** What is wrong with a program, one line each. */
export function complaints(program: ts.Program): readonly string[] {
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
    return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  types: [],
  lib: ['es2022'],
  skipDefaultLibCheck: true,
  paths: { 'toolwright/support': [supportFile] },
} as const;

/** Writes files into a new folder outside this package; `remove` deletes it. */
function writeFolder(files: Texts): { readonly folder: string; remove(): void } {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'toolwright é %20-')));
  writeFiles(folder, files);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
