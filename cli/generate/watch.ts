// toolwright generate --watch: regenerates what changed, one line per run, until it is stopped.
import { join, relative } from 'node:path';
import type { Generated } from '../../generator/compile/generate.js';
import { splitModule } from '../../generator/compile/project/project.js';
import { relativePath } from '../../runtime/load/folder.js';
import { readUtf8 } from '../../runtime/load/read-file.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { colors, printDiagnostics, rebaseDiagnostics } from '../pack/pack-command.js';
import { type GenerateFlags, generateAnew, operationsOf, printOperationCounts } from './generate.js';
import { watchFiles } from './watch-files.js';

export async function watch(pack: string, cwd: string, flags: GenerateFlags): Promise<number> {
  let outputs: readonly string[] = ['generated', 'dist'];
  let isReady = false;
  let running: Promise<void> = Promise.resolve();
  let known = '';
  let stop = (_error?: unknown): void => {};
  const stopped = new Promise<void>((resolve, reject) => {
    stop = error => (error === undefined ? resolve() : reject(error));
  });
  const changed = new Set<string>();
  /** The texts of stubs that were just written, undefined for deleted ones: they are not a change of the author's. */
  const own = new Map<string, string | undefined>();

  const insideOf = (path: string): string => relativePath(pack, path);
  // Every input of a pack lies in its folder (texts, schemas, tsconfig), and nothing that is written may wake us.
  const watcher = await watchFiles({
    folders: [pack],
    isIgnored(path) {
      const inside = insideOf(path);
      if (inside.split('/').some(step => step === 'node_modules' || step === '.git')) return true;
      return outputs.some(folder => inside === folder || inside.startsWith(`${folder}/`));
    },
    isRelevant: () => true,
    isNews: () => isReady,
    onChange(paths) {
      for (const path of paths) changed.add(insideOf(path));
      running = running.then(regenerate);
      running.catch(stop);
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
  try {
    await watcher.ready;
    isReady = true;
    running = running.then(() => run([]));
    await running;
    process.stderr.write(`watching ${relative(cwd, pack) || '.'} (stop with Ctrl-C)\n`);
    await stopped;
    await running;
  } finally {
    await watcher.close();
  }
  return 0;

  async function regenerate(): Promise<void> {
    const causes = [...changed].filter(path => !isOwn(path)).sort();
    changed.clear();
    if (causes.length > 0) await run(causes);
  }

  /** Only as it was written: the author may have changed it at once. */
  function isOwn(path: string): boolean {
    const isWritten = own.has(path);
    const text = own.get(path);
    own.delete(path);
    return isWritten && text === readText(join(pack, path));
  }

  async function run(causes: readonly string[]): Promise<void> {
    const start = performance.now();
    const result = await generateAnew(pack, { write: true, force: flags.force === true });
    outputs = outputsOf(result) ?? outputs;
    const operations = operationsOf(result.operations);
    const written = operations.filter(({ op }) => op !== 'keep');
    for (const one of written)
      if (one.role === 'stub' && one.op !== 'refuse') own.set(one.path, 'text' in one ? one.text : undefined);
    const found = printFound(result);
    const isNews = written.length > 0 || found !== known || !causes.every(isModule);
    known = found;
    if (!isNews && result.ok) return;
    if (flags.quiet && result.ok) return;
    // Who edits knows which handlers are still to be written: the first run lists them, and each new stub is named.
    const isShown = ({ code }: Diagnostic): boolean => causes.length === 0 || code !== 'generate/unwritten';
    const problems = rebaseDiagnostics(result.diagnostics.filter(isShown), pack, cwd);
    if (problems.length > 0) process.stdout.write(printDiagnostics(problems, flags, cwd, [pack]));
    const paint = colors(flags);
    // What happens to handlers is of more interest than what follows from the manifest.
    const first = [...written].sort((a, b) => Number(b.role === 'stub') - Number(a.role === 'stub'));
    const shown = first.slice(0, 3).map(({ op, path }) => `${op} ${path}`);
    const more = written.length > 3 ? `, and ${written.length - 3} more` : '';
    const what = written.length === 0 ? printOperationCounts(operations, flags) : `${shown.join(', ')}${more}`;
    const errors = result.diagnostics.filter(({ severity }) => severity === 'error').length;
    const failed = `${paint.red('failed:')} ${errors} error${errors === 1 ? '' : 's'}`;
    const outcome = result.ok ? `${paint.green('ok')} ${what}` : `${failed}${written.length === 0 ? '' : `, ${what}`}`;
    const why =
      causes.length === 0
        ? ''
        : ` ${paint.dim(`<- ${causes.slice(0, 2).join(', ')}${causes.length > 2 ? ', ...' : ''}`)}`;
    const took = paint.dim(`(${Math.round(performance.now() - start)} ms)`);
    process.stdout.write(`${outcome}${why} ${took}\n`);
  }
}

function readText(path: string): string | undefined {
  try {
    return readUtf8(path);
  } catch {
    return undefined;
  }
}

/** What is wrong, to compare; notes come and go with what is rendered. */
function printFound({ ok, diagnostics }: Generated): string {
  const lasting = diagnostics.filter(({ severity }) => severity !== 'info');
  return JSON.stringify([
    ok,
    lasting.map(({ code, file, line, column, message }) => [code, file, line, column, message]),
  ]);
}

/** Edits of handlers change nothing that is generated. */
function isModule(path: string): boolean {
  return (splitModule(path)?.extension ?? '') !== '';
}

/** The folders that nothing is read from; undefined where the pack cannot be read. */
function outputsOf({ loaded }: Generated): readonly string[] | undefined {
  if (loaded.program === undefined) return undefined;
  const { generated, dist, root, handlers } = loaded.program.pack;
  const isInput = (folder: string): boolean =>
    [root, handlers].some(input => input === folder || input.startsWith(`${folder}/`));
  return [generated, dist].filter(folder => folder !== '' && !isInput(folder));
}
