// In: the text of a TypeScript module. Out: JavaScript with an inline source map, or a SyntaxError that says where.
// esbuild is loaded for the first module, and nothing is written.
import type { TransformOptions, TransformResult } from 'esbuild';
import { loadEsbuild } from './load-esbuild.js';
import type { ModuleFormat, SourceProject } from './source-project.js';

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly format: ModuleFormat;
}

/** Where a module cannot be parsed, 1-based. */
export interface SyntaxPlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

export async function compileSource(source: Source, project: SourceProject): Promise<string> {
  const { transform } = loadEsbuild();
  try {
    return codeOf(await transform(source.text, optionsOf(source, project)));
  } catch (error) {
    throw syntaxErrorOf(error, source.path);
  }
}

export function compileSourceSync(source: Source, project: SourceProject): string {
  const { transformSync } = loadEsbuild();
  try {
    return codeOf(transformSync(source.text, optionsOf(source, project)));
  } catch (error) {
    throw syntaxErrorOf(error, source.path);
  }
}

/** Where a module cannot be parsed; Node itself often does not say. */
export async function findSyntaxPlace(path: string, text: string): Promise<SyntaxPlace | undefined> {
  const { transform } = loadEsbuild();
  try {
    await transform(text, { loader: loaderOf(path), logLevel: 'silent' });
    return undefined;
  } catch (error) {
    return syntaxPlaceOf(syntaxErrorOf(error, path));
  }
}

function loaderOf(path: string): 'js' | 'jsx' | 'ts' | 'tsx' {
  const [, kind = 'js'] = /\.[cm]?([jt]sx?)$/.exec(path) ?? [];
  return kind as 'js' | 'jsx' | 'ts' | 'tsx';
}

function optionsOf({ path, format }: Source, project: SourceProject): TransformOptions {
  return {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    format,
    platform: 'node',
    target: `node${process.versions.node}`,
    sourcefile: path,
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: project.compilerOptions(path) },
  };
}

function codeOf({ code }: TransformResult): string {
  return code;
}

/** Errors lose their own fields on the way from the thread of hooks, so that the place travels in the message. */
const mark = 'toolwright:syntax:';

function syntaxErrorOf(error: unknown, path: string): unknown {
  const [first] = (error as { errors?: readonly EsbuildMessage[] } | null)?.errors ?? [];
  if (first === undefined) return error;
  const { line = 1, column = 0, lineText = '' } = first.location ?? {};
  // esbuild counts bytes.
  const before = Buffer.from(lineText).subarray(0, column).toString();
  const place: SyntaxPlace = { path, line, column: before.length + 1, reason: first.text };
  return new SyntaxError(mark + JSON.stringify(place));
}

interface EsbuildMessage {
  readonly text: string;
  readonly location?: { readonly line: number; readonly column: number; readonly lineText: string } | null;
}

/** What `syntaxErrorOf` put into an error; undefined for any other. */
export function syntaxPlaceOf(error: unknown): SyntaxPlace | undefined {
  if (!(error instanceof Error)) return undefined;
  const start = error.message.indexOf(mark);
  if (start < 0) return undefined;
  try {
    return JSON.parse(error.message.slice(start + mark.length)) as SyntaxPlace;
  } catch {
    return undefined;
  }
}

/** The names that a compiled CommonJS module has; esbuild lists them for Node. */
export function exportedNames(code: string): readonly string[] {
  const [, list = ''] = /0 && \(module\.exports = \{([^}]*)\}\)/.exec(code) ?? [];
  return list.split(',').flatMap(name => /^\s*([A-Za-z_$][\w$]*)\s*$/.exec(name)?.[1] ?? []);
}
