// In: texts of modules. Out: their syntax trees, with every name bound to its declaration. Nothing else is read or resolved.
import type { ts as Ts } from 'ts-morph';
import type { TypeScript } from './typescript.js';

export interface BoundSources {
  readonly checker: Ts.TypeChecker;
  file(path: string): Ts.SourceFile | undefined;
  /** What the parser found wrong with a file. */
  problems(path: string): readonly Ts.DiagnosticWithLocation[];
}

/** Paths are relative to the pack; as JavaScript and TypeScript are bound alike, the extension only decides the grammar. */
export function bindSources(ts: TypeScript, texts: ReadonlyMap<string, string>): BoundSources {
  const full = (path: string): string => `/${path}`;
  const files = new Map<string, Ts.SourceFile>();
  for (const [path, text] of texts) {
    const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseAll };
    files.set(full(path), ts.createSourceFile(full(path), text, options, true));
  }
  const host: Ts.CompilerHost = {
    getSourceFile: name => files.get(name),
    getDefaultLibFileName: () => '/lib.d.ts',
    writeFile: () => {},
    getCurrentDirectory: () => '/',
    getCanonicalFileName: name => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: name => files.has(name),
    readFile: name => files.get(name)?.text,
  };
  const program = ts.createProgram({
    rootNames: [...files.keys()],
    options: {
      allowJs: true,
      noLib: true,
      noResolve: true,
      types: [],
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      jsx: ts.JsxEmit.Preserve,
    },
    host,
  });
  return {
    checker: program.getTypeChecker(),
    file: path => files.get(full(path)),
    problems: path => program.getSyntacticDiagnostics(files.get(full(path))),
  };
}
