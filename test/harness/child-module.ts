// Lets tests run sources of this package in processes of their own: compiles a module and all it imports to JavaScript.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Compiles `generator/compile/apply.ts`, say, below `folder`; returns the path of the compiled module. */
export function compileModule(source: string, folder: string): string {
  const seen = new Set<string>();
  const compile = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true },
    });
    const target = join(folder, relative(root, file).replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, outputText);
    // Not by a pattern: printers have imports in their texts.
    for (const { fileName } of ts.preProcessFile(outputText).importedFiles) {
      if (fileName.startsWith('.')) compile(resolve(dirname(file), fileName.replace(/\.js$/, '.ts')));
    }
  };
  compile(join(root, source));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
  return join(folder, source.replace(/\.ts$/, '.js'));
}
