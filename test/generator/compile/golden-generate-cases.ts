// The golden cases of the compiler, found by listing. In: a case's folder. Out: what generate makes of its pack, as a tree of texts.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from '../../../generator/compile/generate.js';
import { plan } from '../../../generator/compile/plan.js';
import { createFinder, detectProject } from '../../../generator/compile/project/project.js';
import type { FileOp } from '../../../generator/compile/reconcile.js';
import type { Folder } from '../../../runtime/load/folder.js';
import { load } from '../../../runtime/load/load.js';
import { type Diagnostic, hasErrors } from '../../../schema/diagnostics.js';
import { readTree } from '../../harness/files.js';

export const goldenFolder = fileURLToPath(new URL('../../golden-generate', import.meta.url));

/** Texts by path, with forward slashes. */
export type Tree = Readonly<Record<string, string>>;

/** Another build id would only change the ledger. */
export const generateOptions = { build: 'golden' };

export function listCases(): readonly string[] {
  return readdirSync(goldenFolder).sort();
}

export function copyInto(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}

export interface RanCase {
  /** All that is in the pack's folder afterwards. */
  readonly after: Tree;
  readonly operations: readonly FileOp[];
  readonly diagnostics: readonly Diagnostic[];
  readonly textOf: (file: string) => string | undefined;
  /** What a second run would do. */
  readonly again: readonly FileOp[];
}

/** Runs generate on a copy of a case's pack, over what was there before. */
export async function runCase(name: string): Promise<RanCase> {
  const folder = makeFolder();
  try {
    const from = join(goldenFolder, name);
    copyInto(join(from, 'in'), folder);
    copyInto(join(from, 'before'), folder);
    const file = join(from, 'options.json');
    const flags = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly force?: boolean }) : {};
    const { operations, diagnostics } = await generate(folder, { ...generateOptions, ...flags, write: true });
    const after = readTree(folder);
    const { operations: again } = await generate(folder, { ...generateOptions, write: true });
    return { after, operations, diagnostics, again, textOf: path => after[path] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A new folder outside this package. */
export function makeFolder(): string {
  return realpathSync.native(mkdtempSync(join(tmpdir(), 'toolwright golden é-')));
}

/** Every text that a pack is compiled to, without writing any; none where it has errors. */
export async function compileFolder(from: Folder): Promise<Tree> {
  const { program, hashOf, diagnostics } = load(from);
  if (program === undefined || hasErrors(diagnostics)) return {};
  const { files } = plan(program, {
    project: detectProject(from, program.pack.handlers).value,
    find: createFinder(from),
    hashOf,
    build: 'test',
  });
  const texts = files.map(async ({ path, render }) => [path, String(await render())] as const);
  return Object.fromEntries(await Promise.all(texts));
}
