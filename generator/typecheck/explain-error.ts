// In: errors of the project's compiler. Out: for each, what it concerns: how far it reaches, and the declarations behind it, those of
// the generated folder as places in a manifest. The compiler prints neither, so that the checker of ts-morph reads the same files.
import { relative, sep } from 'node:path';
import type { ts as Ts } from 'ts-morph';
import { joinInside } from '../../runtime/load/folder.js';
import type { Related, Site } from '../../schema/diagnostics.js';
import { makeLines } from '../../schema/parse/lines.js';
import { type Blaming, blame } from './blame.js';
import { type CompiledProject, plainOptions } from './compile-project.js';
import { createManifestPlaces } from './manifest-places.js';
import { type CheckedPack, kindOfFile, type PlacedError, shortenMessage } from './place-error.js';
import { isUnsuitedResolution, textOf } from './unresolved-imports.js';

export interface Explainer {
  explain(error: PlacedError): { readonly site: Site; readonly related: readonly Related[] };
  /** With skipLibCheck the compiler passes over what generated declarations import; where it complains, this is the cause. */
  silentlyUnresolved(): readonly PlacedError[];
}

interface Told {
  readonly related: Related;
  /** The author's own code, or what a manifest was made into: a field, or a whole definition. */
  readonly means: 'code' | 'member' | 'type';
}

export async function openExplainer(
  errors: readonly PlacedError[],
  { tsconfig, options }: CompiledProject,
  { program, folder, version }: CheckedPack,
): Promise<Explainer> {
  const { Project, ts } = await import('ts-morph');
  const said = { module: textOf(options, 'module'), moduleResolution: textOf(options, 'moduleResolution') };
  const project = new Project({
    ...(tsconfig === undefined ? {} : { tsConfigFilePath: tsconfig }),
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
    compilerOptions: {
      ...(tsconfig === undefined ? ts.convertCompilerOptionsFromJson(plainOptions(), folder.path).options : {}),
      ...(isUnsuitedResolution(said, version) ? { moduleResolution: ts.ModuleResolutionKind.Node10 } : {}),
      ...{ noEmit: true, composite: false, incremental: false, ignoreDeprecations: '6.0' },
    },
  });
  for (const path of new Set(errors.map(({ site }) => site.file)))
    project.addSourceFileAtPathIfExists(joinInside(folder.path, path));
  const compiled = project.getProgram().compilerObject;
  const inside = (file: Ts.SourceFile): string => relative(folder.path, file.fileName).split(sep).join('/');
  const declarations = compiled.getSourceFiles().filter(file => kindOfFile(inside(file), program) === 'generated');
  const generatedFiles = new Set(declarations);
  const places = createManifestPlaces(ts, program, folder);
  const blaming: Blaming = {
    ts,
    checker: compiled.getTypeChecker(),
    types: typesIn(declarations),
    isGenerated: node => generatedFiles.has(node.getSourceFile()),
  };
  const known = new Map<Ts.SourceFile, readonly Ts.Diagnostic[]>();

  function diagnosticsOf(file: Ts.SourceFile): readonly Ts.Diagnostic[] {
    const found = known.get(file) ?? [
      ...compiled.getSyntacticDiagnostics(file),
      ...compiled.getSemanticDiagnostics(file),
    ];
    known.set(file, found);
    return found;
  }

  return {
    explain(error) {
      const file = compiled.getSourceFile(joinInside(folder.path, error.site.file));
      if (file === undefined) return { site: error.site, related: [] };
      const same = diagnosticsOf(file).find(({ code, start }) => code === error.code && start === error.offset);
      const site = same?.length === undefined ? error.site : siteOf(file, error.offset, same.length);
      return { site, related: relatedTo(error, file, same?.relatedInformation ?? []) };
    },
    silentlyUnresolved() {
      const isSkipped = tsconfig === undefined || options.get('skipLibCheck')?.value === true;
      return isSkipped ? declarations.flatMap(unresolvedIn) : [];
    },
  };

  function siteOf(file: Ts.SourceFile, start: number, length: number): Site {
    return makeLines(inside(file), file.text).siteOf({ start, end: start + length });
  }

  /** A field of a manifest says more than a whole definition, and what TypeScript points at more than what we find. */
  function relatedTo(
    { code, offset, message }: PlacedError,
    file: Ts.SourceFile,
    pointedAt: readonly Ts.DiagnosticRelatedInformation[],
  ): readonly Related[] {
    const told = pointedAt.flatMap(relatedOf);
    const own = told.filter(({ means }) => means === 'code');
    const members = told.filter(({ means }) => means === 'member');
    const blamed = members.length > 0 ? undefined : blame({ code, file, offset, message: message.join('\n') }, blaming);
    const site = blamed && places.of(inside(blamed.getSourceFile()), blamed);
    const isField = blamed !== undefined && ts.isTypeElement(blamed);
    const ours = site === undefined ? [] : [{ related: { ...site, message: 'the manifest says so here' } }];
    const types = told.filter(({ means }) => means === 'type');
    const found = members.length > 0 ? members : isField || types.length === 0 ? ours : types;
    return [...found, ...own].map(({ related }) => related);
  }

  /** What TypeScript itself points at; in the generated folder this means a manifest, in libraries nothing. */
  function relatedOf({ file, start = 0, length = 0, messageText }: Ts.DiagnosticRelatedInformation): readonly Told[] {
    if (file === undefined) return [];
    const message = shortenMessage(ts.flattenDiagnosticMessageText(messageText, '\n').split('\n'));
    if (kindOfFile(inside(file), program) === 'own')
      return [{ related: { ...siteOf(file, start, length), message }, means: 'code' }];
    const declaration = generatedFiles.has(file) ? declarationAt(file, start) : undefined;
    const site = declaration && places.of(inside(file), declaration);
    if (declaration === undefined || site === undefined) return [];
    return [{ related: { ...site, message }, means: ts.isTypeElement(declaration) ? 'member' : 'type' }];
  }

  function unresolvedIn(file: Ts.SourceFile): readonly PlacedError[] {
    return file.statements.flatMap(statement => {
      const specifier = ts.isImportDeclaration(statement) ? statement.moduleSpecifier : undefined;
      if (specifier === undefined || blaming.checker.getSymbolAtLocation(specifier) !== undefined) return [];
      const [offset, word] = [specifier.getStart(file), specifier.getText(file)];
      const site = siteOf(file, offset, word.length);
      const message = [`Cannot find module ${word} or its corresponding type declarations.`];
      const error = { path: site.file, line: site.line, column: site.column, severity: 'error', code: 2307 } as const;
      return [{ ...error, isSyntax: false, message, site, offset, word }];
    });
  }

  function typesIn(files: readonly Ts.SourceFile[]): ReadonlyMap<string, Ts.Declaration> {
    const types = new Map<string, Ts.Declaration>();
    for (const statement of files.flatMap(file => [...file.statements])) {
      if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
        types.set(statement.name.text, statement);
    }
    return types;
  }

  /** The member or type whose text holds a position. */
  function declarationAt(file: Ts.SourceFile, position: number): Ts.Declaration | undefined {
    let found: Ts.Declaration | undefined;
    const visit = (node: Ts.Node): void => {
      if (position < node.getStart(file) || position >= node.getEnd()) return;
      if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isTypeElement(node)) found = node;
      ts.forEachChild(node, visit);
    };
    ts.forEachChild(file, visit);
    return found;
  }
}
