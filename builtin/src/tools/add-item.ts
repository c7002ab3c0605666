import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPack } from 'toolwright';
import { type AddItemArgs, tools } from '../../generated/index.js';
import { projectFolder } from '../find-pack.js';
import { openNewPack, openOwnPack } from '../open-pack.js';
import { printDiagnostics, printOperations } from '../records.js';
import { runToolwright } from '../run-toolwright.js';

/** Add a server, tool, prompt or resource to a pack, or start a pack. */
export default tools.addItem(async (args, ctx) => {
  const { kind, pack, definition, code } = args;
  const isPack = kind === 'pack';
  const folder = isPack ? openNewPack(pack, ctx) : openOwnPack(pack, ctx);
  if (isPack && (definition ?? code ?? args.server) !== undefined)
    throw ctx.errors.CANNOT_ADD('a new pack takes no definition, code or server: add its items one by one');
  // The folder of a new pack need not exist yet.
  const place = { folder: isPack ? projectFolder(ctx.config) : folder, signal: ctx.signal, input: definition };
  const result = await runToolwright(isPack ? startWords(args, folder) : addWords(args), place);
  if ('problem' in result) throw ctx.errors.CANNOT_ADD(result.problem);
  const { ok, applied, diagnostics } = result.data;
  const operations = printOperations(result.data['operations']);
  if (code !== undefined && applied === true) {
    const handler = await handlerOf(folder, args.name);
    const stub = operations.find(({ op, path }) => op === 'create' && withoutExtension(path) === handler);
    if (stub === undefined) throw ctx.errors.NO_HANDLER();
    // A file that the command has just made, inside the pack: it writes through no link that leads out.
    writeFileSync(join(folder, stub.path), code.endsWith('\n') ? code : `${code}\n`);
  }
  return { ok: ok === true, applied: applied === true, operations, diagnostics: printDiagnostics(diagnostics) };
});

function startWords({ name, description, language, dryRun }: AddItemArgs, folder: string): readonly string[] {
  return [
    'init',
    '--yes',
    `--name=${name}`,
    ...(description === undefined ? [] : [`--description=${description}`]),
    ...(language === undefined ? [] : [`--language=${language}`]),
    ...(dryRun ? ['--dry-run'] : []),
    folder,
  ];
}

function addWords({ kind, name, definition, description, server, dryRun }: AddItemArgs): readonly string[] {
  return [
    'add',
    ...(definition === undefined ? [] : ['--definition=-']),
    ...(description === undefined ? [] : [`--description=${description}`]),
    ...(server === undefined ? [] : [`--server=${server}`]),
    ...(dryRun ? ['--dry-run'] : []),
    kind,
    name,
  ];
}

/** Its module, without the extension, which is the stub's business; undefined where the item needs none. */
async function handlerOf(folder: string, item: string): Promise<string | undefined> {
  const { program } = await loadPack(folder);
  const items = [...(program?.tools ?? []), ...(program?.prompts ?? []), ...(program?.resources ?? [])];
  const path = items.find(one => one.item === item)?.handler?.path;
  return path === undefined ? undefined : withoutExtension(path);
}

function withoutExtension(path: string): string {
  return path.replace(/\.[cm]?[jt]s$/, '').replace(/^\.\//, '');
}
