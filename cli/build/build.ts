// toolwright build [server...]

import { isBuiltin } from 'node:module';
import { resolve } from 'node:path';
import type { Built } from '../../generator/build/build.js';
import { isAddon } from '../../generator/build/bundle-plugins.js';
import { relativePath } from '../../runtime/load/folder.js';
import { copiesOf, readPackage, versionOf } from '../../runtime/packs/installed-package.js';
import { hasErrors } from '../../schema/diagnostics.js';
import { shellLine } from '../../schema/print/shell-words.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import type { InstallFlags } from '../fetch/install-packs.js';
import { openMemory } from '../memory/memory.js';
import { findPackAround, printDiagnostics, rebaseDiagnostics, workingFolder } from '../pack/pack-command.js';
import type { CommonFlags } from '../terminal/flags.js';
import { UsageError } from '../terminal/usage-error.js';

export interface BuildFlags extends CommonFlags, InstallFlags {
  readonly out: string;
  readonly target: 'node' | 'worker';
  readonly singleFile?: boolean;
  readonly external: readonly string[];
  readonly sourcemap?: boolean;
  readonly minify?: boolean;
  readonly definitions: 'inside' | 'external';
  readonly pack?: boolean;
  readonly frozen?: boolean;
}

export async function buildCommand(servers: readonly string[], flags: BuildFlags): Promise<number> {
  const cwd = workingFolder(flags);
  const pack = findPackAround(cwd);
  if (flags.pack) {
    if (servers.length > 0) throw new UsageError('--pack compiles handlers, not servers: leave the names out');
    return await compile(pack, cwd, flags);
  }
  if (flags.singleFile && flags.definitions === 'external') {
    throw new UsageError('--single-file and --definitions external exclude each other');
  }
  if (flags.target === 'worker' && flags.definitions === 'external') {
    throw new UsageError('a worker has no files: --definitions external is for --target node');
  }
  endOnSignals();
  const { build } = await import('../../generator/build/build.js');
  const cache = openMemory(pack);
  const { out, external, definitions, target, singleFile = false, sourcemap = false, minify = false } = flags;
  const built = await build(pack, {
    servers,
    out,
    external,
    definitions,
    target,
    singleFile,
    sourcemap,
    minify,
    cache,
    cwd,
    frozen: flags.frozen === true,
    fetchMissing: async (program, server) => {
      const { installMissing } = await import('../fetch/missing-packs.js');
      return await installMissing(program, server, { ...flags, overlay: [] });
    },
  });
  cache.save();
  const diagnostics = rebaseDiagnostics(built.diagnostics, pack, cwd);
  const artifacts = built.artifacts.map(one => ({ ...one, file: relativePath(cwd, one.file) }));
  if (flags.format === 'json') {
    process.stdout.write(`${visibleJson({ ok: built.ok, artifacts, diagnostics })}\n`);
  } else {
    const text = printDiagnostics(diagnostics, flags, cwd, [pack]);
    // Quiet leaves warnings out: of a build without errors nothing is left to say.
    if (diagnostics.length > 0 && !(flags.quiet && built.ok)) process.stderr.write(text);
    if (!flags.quiet) process.stdout.write(artifacts.map(one => printBuilt(one, pack, flags)).join(''));
  }
  return exitCodeOf(built);
}

/** A signal by itself ends a process at once; what is half written is removed only where it ends in its own way. */
function endOnSignals(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => process.exit(code));
}

function exitCodeOf({ ok, diagnostics }: Pick<Built, 'ok' | 'diagnostics'>): number {
  const isUsage = diagnostics.some(({ code }) => code === 'discover/no-manifest' || code === 'build/unknown-server');
  return isUsage ? 2 : ok ? 0 : 1;
}

function printBuilt(
  { file, bytes, externals }: Built['artifacts'][number],
  pack: string,
  flags: Pick<BuildFlags, 'external' | 'singleFile'>,
): string {
  const size = `${Math.max(1, Math.round(bytes / 1024))} KB in all`;
  const lines = [`${file}  ${size}`, ...printExternals(externals, pack, flags)];
  return lines.map(line => `${visible(line)}\n`).join('');
}

/** N17: what must be there when the server runs, and the command that puts it there. Files are copied beside the server. */
function printExternals(
  externals: readonly string[],
  pack: string,
  { external, singleFile }: Pick<BuildFlags, 'external' | 'singleFile'>,
): readonly string[] {
  const packages = externals.flatMap(name => {
    const [folder] = isBuiltin(name) ? [] : copiesOf(name, pack);
    if (folder === undefined) return [];
    const version = versionOf(readPackage(folder));
    const why = external.includes(name) ? '--external' : isAddon(folder) ? 'native addon' : 'WebAssembly';
    return [{ shown: `${name} (${why})`, wanted: version === undefined ? name : `${name}@${version}` }];
  });
  if (packages.length === 0) return [];
  const it = packages.length === 1 ? 'it' : 'them';
  const names = packages.map(({ shown }) => shown).join(', ');
  const line = shellLine(['npm', 'install', ...packages.map(({ wanted }) => wanted)]);
  // Imports of a single file come before all of its code.
  const isFatal = singleFile === true ? [`  the single file does not start without ${it}`] : [];
  return [`  not bundled: ${names}; install ${it} where the server runs: ${line}`, ...isFatal];
}

async function compile(pack: string, cwd: string, flags: BuildFlags): Promise<number> {
  const { compilePack } = await import('../../generator/build/compile-pack.js');
  const { files, diagnostics: found } = await compilePack(pack, { sourcemap: flags.sourcemap === true });
  const diagnostics = rebaseDiagnostics(found, pack, cwd);
  const ok = !hasErrors(diagnostics);
  const paths = files.map(file => relativePath(cwd, resolve(pack, file)));
  if (flags.format === 'json') process.stdout.write(`${visibleJson({ ok, files: paths, diagnostics })}\n`);
  else {
    if (diagnostics.length > 0) process.stderr.write(printDiagnostics(diagnostics, flags, cwd, [pack]));
    if (!flags.quiet && ok) process.stdout.write(paths.map(path => `${visible(path)}\n`).join(''));
  }
  return exitCodeOf({ ok, diagnostics });
}
