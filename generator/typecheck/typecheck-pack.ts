// In: a program and its folder. Out: the type errors of the author's own code, each with the manifest line that it contradicts.
import { relative, sep } from 'node:path';
import type { ts as Ts } from 'ts-morph';
import { openModules } from '../../runtime/handlers/find-handler.js';
import { wantedHandlers } from '../../runtime/handlers/wanted-handlers.js';
import { type Folder, isBelow } from '../../runtime/load/folder.js';
import type { LoadedPack } from '../../runtime/load/load.js';
import type { Program } from '../../runtime/load/program.js';
import {
  type Diagnostic,
  diagnose,
  type Related,
  type Severity,
  type Site,
  sortDiagnostics,
} from '../../schema/diagnostics.js';
import { makeLines } from '../../schema/locate/lines.js';
import { leadsToGenerated } from '../handlers/generated-uses.js';
import type { TypeScript } from '../handlers/typescript.js';
import { type Blaming, blame } from './blame.js';
import { createManifestPlaces } from './manifest-places.js';
import { openProject } from './read-project.js';
import { notFound, reportUnresolved, specifierAt } from './unresolved-imports.js';

/**
 * Checks the types of a pack's sources with the TypeScript that ts-morph brings, whatever version the project has.
 *
 * @example await typecheckPack(load('packs/jira'), nodeFolder('packs/jira'))
 */
export async function typecheckPack(
  loaded: Pick<LoadedPack, 'program' | 'catalog'>,
  folder: Folder,
): Promise<readonly Diagnostic[]> {
  const { program } = loaded;
  if (program === undefined) return [];
  const modules = openModules(folder, program.pack);
  const handlers = wantedHandlers(loaded).flatMap(({ path }) => {
    const found = modules.find(path);
    return found.found === 'module' ? [found.path] : [];
  });
  const project = await openProject(folder.path, handlers);
  return sortDiagnostics(report(project, program, folder));
}

interface Told {
  readonly related: Related;
  /** The author's own code, or what a manifest was made into: a field, or a whole definition. */
  readonly means: 'code' | 'member' | 'type';
}

type Project = Awaited<ReturnType<typeof openProject>>;

function report(
  { ts, program: compiled, configProblems }: Project,
  program: Program,
  folder: Folder,
): readonly Diagnostic[] {
  const { generated, dist } = program.pack;
  const inside = (file: Ts.SourceFile): string => relative(folder.path, file.fileName).split(sep).join('/');
  const isIn = (path: string, made: string): boolean => made !== '' && isBelow(path, made);
  const isOwn = (path: string): boolean =>
    !/^\.\.\/|^[A-Za-z]:|(?:^|\/)node_modules\//.test(path) && !isIn(path, generated) && !isIn(path, dist);
  const files = compiled.getSourceFiles();
  const found = files
    .filter(file => isOwn(inside(file)))
    .flatMap(file => [...compiled.getSyntacticDiagnostics(file), ...compiled.getSemanticDiagnostics(file)])
    .filter(one => one.file !== undefined && one.start !== undefined) as Ts.DiagnosticWithLocation[];
  const missing = found.find(isMissingGenerated);
  // Without the generated types everything else is only a consequence.
  if (missing !== undefined) {
    const hint = 'run toolwright generate';
    return [diagnose('typecheck/not-generated', { path: generated }, siteOf(missing), { hint })];
  }
  const declarations = files.filter(file => isIn(inside(file), generated));
  const generatedFiles = new Set<Ts.SourceFile>(declarations);
  const places = createManifestPlaces(ts, program, folder);
  const blaming: Blaming = {
    ts,
    checker: compiled.getTypeChecker(),
    types: typesIn(ts, declarations),
    isGenerated: node => generatedFiles.has(node.getSourceFile()),
  };
  const unresolved = reportUnresolved({ ts, compiled, files: declarations, hasErrors: found.length > 0, siteOf });
  return [...configProblems.map(reportConfig), ...unresolved, ...found.map(reportError)];

  function siteOf({ file, start = 0, length = 0 }: Pick<Ts.DiagnosticWithLocation, 'file' | 'start' | 'length'>): Site {
    return makeLines(inside(file), file.text).siteOf({ start, end: start + length });
  }

  function isMissingGenerated(one: Ts.DiagnosticWithLocation): boolean {
    const specifier = notFound.includes(one.code) ? specifierAt(one) : '';
    return specifier !== '' && leadsToGenerated(specifier, { path: inside(one.file), generated });
  }

  function reportConfig({ code, messageText, file, start = 0, length = 0 }: Ts.Diagnostic): Diagnostic {
    const params = { number: code, message: shortened(ts, messageText) };
    const site =
      file === undefined
        ? makeLines('tsconfig.json', '').siteOf({ start: 0, end: 0 })
        : siteOf({ file, start, length });
    return diagnose('typecheck/config', params, site);
  }

  function reportError(one: Ts.DiagnosticWithLocation): Diagnostic {
    const params = { number: one.code, message: shortened(ts, one.messageText) };
    const severity = severityOf(ts, one.category);
    const related = relatedTo(one);
    const isOfManifest = related.some(({ file }) => !isSource(file));
    const hint = isOfManifest ? undefined : 'correct the code';
    return diagnose('typecheck/error', params, siteOf(one), { severity, related, hint });
  }

  /** A field of a manifest says more than a whole definition, and what TypeScript points at more than what we find. */
  function relatedTo(one: Ts.DiagnosticWithLocation): readonly Related[] {
    const told = (one.relatedInformation ?? []).flatMap(relatedOf);
    const own = told.filter(({ means }) => means === 'code');
    const members = told.filter(({ means }) => means === 'member');
    const blamed = members.length > 0 ? undefined : blame(one, blaming);
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
    const message = shortened(ts, messageText);
    if (isOwn(inside(file))) return [{ related: { ...siteOf({ file, start, length }), message }, means: 'code' }];
    const declaration = generatedFiles.has(file) ? declarationAt(ts, file, start) : undefined;
    const site = declaration && places.of(inside(file), declaration);
    if (declaration === undefined || site === undefined) return [];
    return [{ related: { ...site, message }, means: ts.isTypeElement(declaration) ? 'member' : 'type' }];
  }
}

function isSource(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

function typesIn(ts: TypeScript, files: readonly Ts.SourceFile[]): ReadonlyMap<string, Ts.Declaration> {
  const types = new Map<string, Ts.Declaration>();
  for (const statement of files.flatMap(file => [...file.statements])) {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
      types.set(statement.name.text, statement);
  }
  return types;
}

/** The member or type whose text holds a position. */
function declarationAt(ts: TypeScript, file: Ts.SourceFile, position: number): Ts.Declaration | undefined {
  const holds = (node: Ts.Node): boolean => node.getStart(file) <= position && position < node.getEnd();
  let found: Ts.Declaration | undefined;
  const visit = (node: Ts.Node): void => {
    if (!holds(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isTypeElement(node)) found = node;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return found;
}

function severityOf(ts: TypeScript, category: Ts.DiagnosticCategory): Severity {
  if (category === ts.DiagnosticCategory.Error) return 'error';
  return category === ts.DiagnosticCategory.Warning ? 'warning' : 'info';
}

/** TypeScript explains in indented lines, from the whole down to the part; a message is one line, and these two say most. */
function shortened(ts: TypeScript, message: string | Ts.DiagnosticMessageChain): string {
  const [first = '', ...others] = ts.flattenDiagnosticMessageText(message, '\n').split('\n');
  const depthOf = (line: string): number => line.length - line.trimStart().length;
  const deepest = Math.max(...others.map(depthOf));
  const last = others.findLast(line => depthOf(line) === deepest);
  if (last === undefined) return first;
  return `${first}${others.length === 1 ? '' : ' ...'} ${last.trim()}`;
}
