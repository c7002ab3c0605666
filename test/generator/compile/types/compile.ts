// What the tests of types share: many small files compiled in one program, by TypeScript 5.9 and by TypeScript 7.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';

export type Files = ReadonlyMap<string, string>;

export interface CompileError {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es2023.d.ts'],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
} as const;

/** Compiles in memory; nothing is written. */
export function compileByApi(files: Files): CompileError[] {
  const options = { ...compilerOptions, types: [], lib: [...compilerOptions.lib] };
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const text = files.get(name);
    return text === undefined
      ? readSource(name, languageVersion, ...rest)
      : ts.createSourceFile(name, text, languageVersion);
  };
  host.fileExists = name => files.has(name) || ts.sys.fileExists(name);
  host.readFile = name => files.get(name) ?? ts.sys.readFile(name);
  const program = ts.createProgram([...files.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => ({
    file: file?.fileName ?? '',
    line: file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1,
    message: ts.flattenDiagnosticMessageText(messageText, ' '),
  }));
}

/** TypeScript 7 has no API in JavaScript: the files are written to a folder of their own and compiled by its command. */
export async function compileBySeven(files: Files): Promise<CompileError[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolwright-types-'));
  try {
    const config = {
      compilerOptions: {
        ...compilerOptions,
        lib: ['es2023'],
        target: 'es2022',
        module: 'nodenext',
        moduleResolution: 'nodenext',
      },
      files: [...files.keys()],
    };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    await Promise.all([...files].map(([name, text]) => writeFile(path.join(folder, name), text)));
    const command = path.join(
      path.dirname(createRequire(import.meta.url).resolve('typescript7/package.json')),
      'bin/tsc',
    );
    const output = await run([command, '--pretty', 'false', '-p', folder], folder);
    return output.split('\n').flatMap(line => {
      const found = /^(.+?)\((\d+),\d+\): error (.*)$/.exec(line);
      if (found !== null)
        return [{ file: path.basename(found[1] ?? ''), line: Number(found[2]), message: found[3] ?? '' }];
      return line.startsWith('error') ? [{ file: '', line: 0, message: line }] : [];
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      // It exits with 1 or 2 where there are errors, which is what some tests are about.
      if (error !== null && typeof error.code !== 'number') reject(error);
      else if (stderr !== '') reject(new Error(stderr));
      else resolve(stdout);
    });
  });
}

/** A JSON value as an expression. */
export function printValue(value: unknown): string {
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, unit => `\\u${unit.charCodeAt(0).toString(16)}`);
}

/** The number of lines as compilers count them. */
export function countLines(text: string): number {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).length;
}
