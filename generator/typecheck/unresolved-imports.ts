// In: the generated declarations as compiled. Out: each module that they import and that the project's settings do not find, once.
import type { ts as Ts } from 'ts-morph';
import { type Diagnostic, diagnose, type Site } from '../../schema/diagnostics.js';
import type { TypeScript } from '../handlers/typescript.js';

/** Cannot find module, or no types of it. */
export const notFound: readonly number[] = [2307, 2792, 7016];
/** An ES module that CommonJS may not import, not even its types. */
const wrongFormat: readonly number[] = [1541, 1542];

/** Others do not read `exports` of package.json, by which generated code finds its types. */
export const neededResolution = 'moduleResolution node16, nodenext or bundler is needed in tsconfig.json';

export interface GeneratedDeclarations {
  readonly ts: TypeScript;
  readonly compiled: Ts.Program;
  readonly files: readonly Ts.SourceFile[];
  /** The handlers have type errors, which may come from types that are not there. */
  readonly hasErrors: boolean;
  siteOf(place: Pick<Ts.DiagnosticWithLocation, 'file' | 'start' | 'length'>): Site;
}

interface Unresolved extends Pick<Ts.DiagnosticWithLocation, 'file' | 'start' | 'length'> {
  readonly code: number;
  readonly message: string;
}

export function reportUnresolved(declarations: GeneratedDeclarations): readonly Diagnostic[] {
  const { ts, compiled, files, hasErrors, siteOf } = declarations;
  const options = compiled.getCompilerOptions();
  const isSkipped = options.skipLibCheck === true;
  const reported = new Map<string, Diagnostic>();
  for (const file of files) {
    // With skipLibCheck TypeScript passes over them; where it then complains about the handlers, this is the cause.
    const found = isSkipped ? (hasErrors ? silentlyUnresolved(file, declarations) : []) : unresolvedIn(file);
    for (const one of found) {
      const specifier = specifierAt(one);
      if (reported.has(specifier)) continue;
      const hint = hintFor(ts, one.code, specifier, options);
      const params = { number: one.code, message: one.message };
      reported.set(specifier, diagnose('typecheck/unresolved', params, siteOf(one), { hint }));
    }
  }
  return [...reported.values()];

  function unresolvedIn(file: Ts.SourceFile): readonly Unresolved[] {
    return compiled.getSemanticDiagnostics(file).flatMap(({ code, messageText, start, length }) => {
      if (start === undefined || length === undefined) return [];
      if (!notFound.includes(code) && !wrongFormat.includes(code)) return [];
      // What follows the first line names folders of this machine.
      const [message = ''] = ts.flattenDiagnosticMessageText(messageText, '\n').split('\n');
      return [{ code, message, file, start, length }];
    });
  }
}

/** The text between the quotes that an error is about. */
export function specifierAt({
  file,
  start,
  length,
}: Pick<Ts.DiagnosticWithLocation, 'file' | 'start' | 'length'>): string {
  return file.text.slice(start + 1, start + length - 1);
}

function silentlyUnresolved(file: Ts.SourceFile, { ts, compiled }: GeneratedDeclarations): readonly Unresolved[] {
  const checker = compiled.getTypeChecker();
  return file.statements.flatMap(statement => {
    const specifier = ts.isImportDeclaration(statement) ? statement.moduleSpecifier : undefined;
    if (specifier === undefined || checker.getSymbolAtLocation(specifier) !== undefined) return [];
    const start = specifier.getStart(file);
    const message = `Cannot find module ${specifier.getText(file)} or its corresponding type declarations.`;
    return [{ code: 2307, message, file, start, length: specifier.getEnd() - start }];
  });
}

function hintFor(
  ts: TypeScript,
  code: number,
  specifier: string,
  { moduleResolution }: Ts.CompilerOptions,
): string | undefined {
  if (wrongFormat.includes(code)) return 'set skipLibCheck, or module: nodenext, in tsconfig.json';
  if (specifier.startsWith('.')) return undefined;
  const { Classic, Node10 } = ts.ModuleResolutionKind;
  return moduleResolution === Classic || moduleResolution === Node10
    ? neededResolution
    : `is ${specifier.split('/')[0]} installed?`;
}
