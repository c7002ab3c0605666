// In: a worker and the lists that its manifests give. Out: diagnostics where the module answers anything else. It is loaded by a Node
// that makes no code from texts, in an empty folder, and asked as a host asks it.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { answerStatic } from '../../runtime/lane/handshake.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
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

export async function verifyWorker({ server, entry, handshake }: Verification): Promise<readonly Diagnostic[]> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-build-'));
  const site = startOf('toolwright.yaml');
  const wanted = lists.filter(method => answerStatic(handshake, method, {}, 'modern') !== undefined);
  try {
    const live = JSON.parse(await run(pathToFileURL(entry).href, wanted, folder)) as readonly unknown[];
    return wanted.flatMap((method, index) => {
      const expected: unknown = JSON.parse(answerStatic(handshake, method, {}, 'modern') ?? 'null');
      const reason = differenceOf(expected, live[index]);
      return reason === undefined ? [] : [diagnose('build/mismatch', { server, list: method, reason }, site)];
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [diagnose('build/no-start', { server, reason }, site)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
