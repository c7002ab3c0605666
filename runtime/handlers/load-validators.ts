// In: a tool. Out: its generated validators, if they are of this very definition; a stale module is never even run.
import type { Validate, Validators } from '../call/ports.js';
import { type Folder, join } from '../load/folder.js';
import { definitionHash, type Program, type Tool } from '../load/program.js';
import { maxBytes } from '../load/read-file.js';
import { ownModules } from './running-package.js';

const support = /^(import \{[^}\n]*\} from )'toolwright\/support';$/m;

/** Undefined where there are none that fit. */
export async function loadValidators(
  tool: Tool,
  pack: Program['pack'],
  folder: Folder,
): Promise<Validators | undefined> {
  const path = join(pack.generated, 'tools', `${tool.item}.mjs`);
  const text = folder.status(path) === 'file' ? read(path, folder) : undefined;
  const [, hash] = /^export const hash = '([\w-]+)';$/m.exec(text ?? '') ?? [];
  if (text === undefined || hash === undefined || hash !== definitionHash(tool)) return undefined;
  try {
    return pick(await importText(text), tool);
  } catch {
    // Somebody edited it. Validators made now serve as well.
    return undefined;
  }
}

function read(path: string, folder: Folder): string | undefined {
  try {
    const bytes = folder.read(path, maxBytes);
    return typeof bytes === 'number' ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The text that was looked at is what runs, with the running copy of `toolwright/support` (the pack may have none): no
 * hooks are needed, and a changed file is another module.
 */
async function importText(text: string): Promise<Readonly<Record<string, unknown>>> {
  const url = support.test(text) ? ownModules()['toolwright/support'] : undefined;
  const code = text.replace(support, (_, start: string) => `${start}${JSON.stringify(url)};`);
  return await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}

function pick(
  { validateInput, validateOutput }: Readonly<Record<string, unknown>>,
  tool: Tool,
): Validators | undefined {
  if (!isValidate(validateInput)) return undefined;
  if (tool.outputSchema === undefined) return { input: validateInput };
  return isValidate(validateOutput) ? { input: validateInput, output: validateOutput } : undefined;
}

function isValidate(value: unknown): value is Validate {
  return typeof value === 'function';
}
