// In: texts of modules. Out: their syntax trees, with every name bound to its declaration. Nothing else is read or resolved.
// ts-morph takes half a second to load, so that only those who need a parser do.
import type { ts as Ts } from 'ts-morph';

export type TypeScript = typeof Ts;

export interface BoundSources {
  readonly checker: Ts.TypeChecker;
  file(path: string): Ts.SourceFile | undefined;
  /** What the parser found wrong with a file. */
  problems(path: string): readonly Ts.DiagnosticWithLocation[];
}

export interface Parser {
  readonly ts: TypeScript;
  /** Paths are relative to the pack; as JavaScript and TypeScript are bound alike, the extension only decides the grammar. */
  bind(texts: ReadonlyMap<string, string>): BoundSources;
}

export async function loadParser(): Promise<Parser> {
  const { Project, ts } = await import('ts-morph');
  return {
    ts,
    bind(texts) {
      const project = new Project({
        useInMemoryFileSystem: true,
        skipLoadingLibFiles: true,
        compilerOptions: {
          allowJs: true,
          noLib: true,
          noResolve: true,
          types: [],
          target: ts.ScriptTarget.ESNext,
          module: ts.ModuleKind.ESNext,
          jsx: ts.JsxEmit.Preserve,
        },
      });
      for (const [path, text] of texts) project.createSourceFile(`/${path}`, text);
      const program = project.getProgram().compilerObject;
      const file: BoundSources['file'] = path => program.getSourceFile(`/${path}`);
      return {
        checker: program.getTypeChecker(),
        file,
        problems: path => program.getSyntacticDiagnostics(file(path)),
      };
    },
  };
}
