// In: a folder. Out: the TypeScript compiler that its project has installed, as a port that runs it (a process of Node's own, no shell).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Compiler, type CompilerRun, findTypeScript } from '../../generator/typecheck/compile-project.js';
import { spawnProgram } from '../programs/spawn-program.js';

/** Undefined where the project has none. */
export function findCompiler(folder: string): Compiler | undefined {
  const installed = findTypeScript(folder);
  if (installed === undefined) return undefined;
  const script = join(installed.folder, 'bin', 'tsc');
  return {
    version: installed.version,
    async run(config, args, cwd) {
      if (typeof config === 'string') return runCompiler(script, ['-p', config, ...args], cwd);
      // Not in the project: a type check writes nothing there.
      const kept = mkdtempSync(join(tmpdir(), 'toolwright-typecheck-'));
      try {
        const path = join(kept, 'tsconfig.json');
        writeFileSync(path, JSON.stringify(config));
        return await runCompiler(script, ['-p', path, ...args], cwd);
      } finally {
        rmSync(kept, { recursive: true, force: true });
      }
    },
  };
}

function runCompiler(script: string, args: readonly string[], cwd: string): Promise<CompilerRun> {
  return new Promise(resolve => {
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const child = spawnProgram({ file: process.execPath, args: [script] }, args, { cwd, stdio: [...stdio] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child.once('error', error => resolve({ status: null, output: error.message }));
    child.once('close', status => resolve({ status, output }));
  });
}
