// toolwright typecheck [path]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from '../../generator/compile/generate.js';
import { checkHandlers } from '../../generator/handlers/check-handlers.js';
import { type Compiler, findTypeScript } from '../../generator/typecheck/compile-project.js';
import { checkGenerated, typecheckPack } from '../../generator/typecheck/typecheck-pack.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import { load } from '../../runtime/load/load.js';
import { collectOutput } from '../../runtime/packs/child-output.js';
import { onShutdown } from '../../runtime/serve/signals.js';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../../schema/diagnostics.js';
import { visibleJson } from '../../schema/print/visible.js';
import { build } from '../memory/build-id.js';
import { openMemory } from '../memory/memory.js';
import { findPack } from '../pack/find-pack.js';
import {
  findPackAround,
  overlaysOf,
  type PackFlags,
  printDiagnostics,
  rebaseDiagnostics,
  workingFolder,
} from '../pack/pack-command.js';
import { endProgram, spawnProgram } from '../programs/spawn-program.js';

export async function typecheck(path: string | undefined, flags: PackFlags): Promise<number> {
  const cwd = workingFolder(flags);
  const pack = path === undefined ? findPackAround(cwd) : findPack(path, cwd);
  const cache = openMemory(pack);
  const overlays = overlaysOf(flags, cwd);
  const folder = nodeFolder(pack);
  // As the generate command would: it knows no overlays.
  const generated = await generate(pack, { cache, build, handlers: true });
  const isPlain = overlays.length === 0;
  const loaded = isPlain ? generated.loaded : load(pack, { overlays, cache });
  const said = isPlain ? generated.diagnostics : [...loaded.diagnostics, ...(await checkHandlers(loaded, folder))];
  cache.save();
  const stale = checkGenerated(generated);
  const types = stale === undefined ? await typecheckPack(loaded, folder, findCompiler(pack)) : [stale];
  // Types say nothing about items that are broken or have no handler, so that their mistakes are shown too; warnings
  // are check's business.
  const broken = said.filter(one => one.severity === 'error' && !isSaidBy(one, types));
  // Where nothing was generated yet, handlers are missing for the same reason.
  const found = sortDiagnostics(stale?.code === 'typecheck/not-generated' ? types : [...broken, ...types]);
  const diagnostics = rebaseDiagnostics(found, pack, cwd);
  if (flags.format === 'json') {
    const name = loaded.manifest?.name ?? null;
    process.stdout.write(`${visibleJson({ ok: !hasErrors(diagnostics), pack: name, diagnostics })}\n`);
  } else if (flags.quiet !== true || flags.format !== 'text' || hasErrors(diagnostics)) {
    process.stdout.write(printDiagnostics(diagnostics, flags, cwd, [pack, ...overlays]));
  }
  if (diagnostics.some(({ code }) => code === 'discover/no-manifest')) return 2;
  return hasErrors(diagnostics) ? 1 : 0;
}

/** A misspelt `tools.x` is found in two ways; TypeScript's comes with the line of the manifest. */
function isSaidBy({ file, line, column }: Diagnostic, types: readonly Diagnostic[]): boolean {
  return types.some(
    one => one.code === 'typecheck/error' && one.file === file && one.line === line && one.column === column,
  );
}

// In: a folder. Out: the TypeScript compiler that its project has installed, as a port that runs it (a process of Node's own, no shell).

/** Undefined where the project has none. */
export function findCompiler(folder: string): Compiler | undefined {
  const installed = findTypeScript(folder);
  if (installed === undefined) return undefined;
  const script = join(installed.folder, 'bin', 'tsc');
  return {
    version: installed.version,
    async run(config, args, cwd) {
      // Not in the project: a type check writes nothing there.
      const kept = typeof config === 'string' ? undefined : mkdtempSync(join(tmpdir(), 'toolwright-typecheck-'));
      const path = typeof config === 'string' ? config : join(kept ?? '', 'tsconfig.json');
      if (kept !== undefined) writeFileSync(path, JSON.stringify(config));
      const program = { file: process.execPath, args: [script] };
      // TypeScript 7 starts a process of its own, which would go on without us.
      const child = spawnProgram(program, ['-p', path, ...args], {
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
        isGroup: true,
      });
      let signal: NodeJS.Signals | undefined;
      const stop = onShutdown(one => {
        signal = one;
        endProgram(child);
      });
      try {
        return await collectOutput(child);
      } catch (error) {
        return { status: null, output: error instanceof Error ? error.message : String(error) };
      } finally {
        stop();
        if (kept !== undefined) rmSync(kept, { recursive: true, force: true });
        // Nobody waits for an answer any more.
        if (signal !== undefined) process.kill(process.pid, signal);
      }
    },
  };
}
