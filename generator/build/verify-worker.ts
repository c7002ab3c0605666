// In: a worker and the lists that its manifests give. Out: diagnostics where the module answers anything else. It is loaded by a Node
// that makes no code from texts, in an empty folder, and asked as a host asks it.
import { execFile } from 'node:child_process';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { answerStatic } from '../../runtime/protocol/handshake.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import { inTemporaryFolder } from './temporary-folder.js';
import { differenceOf, lists, type Verification } from './verify-artifact.js';

const patienceMs = 30_000;
const mostBytes = 256 * 1024 * 1024;

/** Without `initialize`, which may need what only the host has. */
function renderScript(url: string, methods: readonly string[]): string {
  return [
    "import { writeFileSync } from 'node:fs';",
    `const { default: worker } = await import(${JSON.stringify(url)});`,
    "const describe = worker[Symbol.for('toolwright/describe')];",
    `writeFileSync(1, JSON.stringify(${JSON.stringify(methods)}.map(describe)));`,
  ].join('\n');
}

export async function verifyWorker(verification: Verification): Promise<readonly Diagnostic[]> {
  const { server, entry, handshake, externals } = verification;
  const site = startOf('toolwright.yaml');
  const wanted = lists.filter(method => answerStatic(handshake, method, {}, 'modern') !== undefined);
  try {
    return await inTemporaryFolder(compare);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [diagnose('build/no-start', { server, reason }, site)];
  }

  async function compare(folder: string): Promise<readonly Diagnostic[]> {
    const file = externals.every(isBuiltin) ? entry : await standIn(entry, join(folder, 'worker.mjs'));
    const live = JSON.parse(await run(pathToFileURL(file).href, wanted, folder)) as readonly unknown[];
    return wanted.flatMap((method, index) => {
      const expected: unknown = JSON.parse(answerStatic(handshake, method, {}, 'modern') ?? 'null');
      const reason = differenceOf(expected, live[index]);
      return reason === undefined ? [] : [diagnose('build/mismatch', { server, list: method, reason }, site)];
    });
  }
}

/** Stands for anything: it can be called, made, extended and looked into. */
const anything = `module.exports = new Proxy(class {}, {
  get: (target, key) => key === 'then' || key === '__esModule' || typeof key === 'symbol' ? undefined : key === 'prototype' ? target.prototype : module.exports,
  apply: () => module.exports,
  construct: () => module.exports,
});`;

/** The same worker for a host that has not what only workers have: `cloudflare:workers`, or WebAssembly as a module. */
async function standIn(entry: string, outfile: string): Promise<string> {
  const { build } = await import('esbuild');
  const plugin: Plugin = {
    name: 'toolwright-stand-in',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path, kind }) => {
        if (kind === 'entry-point') return undefined;
        return isBuiltin(path) ? { path, external: true } : { path, namespace: 'anything' };
      });
      onLoad({ filter: /./, namespace: 'anything' }, () => ({ contents: anything }));
    },
  };
  const plugins = [plugin];
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', logLevel: 'silent', plugins });
  return outfile;
}

function run(url: string, methods: readonly string[], cwd: string): Promise<string> {
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module'];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [...flags, '--eval', renderScript(url, methods)],
      { cwd, env: { PATH: '' }, timeout: patienceMs, maxBuffer: mostBytes },
      (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(stderr.slice(-2000) || error.message)),
    );
  });
}
