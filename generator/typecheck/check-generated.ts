// In: what generate would do. Out: whether the types on disk are those of the manifest, before anything is checked by them.
import type { Program } from '../../runtime/load/program.js';
import { type Diagnostic, diagnose, type Site, startOf } from '../../schema/diagnostics.js';
import { definitionSite } from '../compile/declarations/item.js';
import { isEditorSchema } from '../compile/declarations/names.js';
import type { Generated } from '../compile/generate.js';
import { type FileOp, isChange } from '../compile/generated-file.js';

/**
 * One diagnostic where generate would change the code in the generated folder. Files that it refuses have diagnostics of their own.
 *
 * @example checkGenerated(await generate('packs/jira'))
 */
export function checkGenerated({
  operations,
  loaded,
}: Pick<Generated, 'operations' | 'loaded'>): Diagnostic | undefined {
  const { program } = loaded;
  if (program === undefined) return undefined;
  const path = program.pack.generated;
  const files = operations.filter(one => one.role === 'generated' && !isEditorSchema(one.path, program));
  const changes = files.filter(one => isChange(one) && one.op !== 'refuse');
  if (changes.length === 0) return undefined;
  const manifest = startOf(program.pack.at.site([]).file);
  if (files.every(({ op }) => op === 'create')) {
    return diagnose('typecheck/not-generated', { path }, manifest, { hint: 'run toolwright generate' });
  }
  return diagnose('typecheck/out-of-date', { path }, changedItem(changes, program) ?? manifest);
}

/** The first item whose own files change; those of an item that is gone name nothing. */
function changedItem(changes: readonly FileOp[], { pack, tools, prompts, resources }: Program): Site | undefined {
  const item = [...tools, ...prompts, ...resources].find(one =>
    changes.some(({ path }) => path.startsWith(`${pack.generated}/${one.kind}s/${one.item}.`)),
  );
  return item === undefined ? undefined : definitionSite(item);
}
