// In: the tools of a server. Out: the text of each one's validators: the generated file where it is of this very definition, else printed
// now. A schema that ajv makes no code of is a mistake of the pack.

import { type Folder, joinPath } from '../../runtime/load/folder.js';
import { definitionHash, type Tool } from '../../runtime/load/program.js';
import { maxBytes } from '../../runtime/load/read-file.js';
import type { Diagnostic, Outcome } from '../../schema/diagnostics.js';
import { makeValidatorPrinter } from '../compile/validators/print.js';

export async function printValidatorTexts(
  tools: readonly Tool[],
  folder: Folder,
  generated: string,
): Promise<Outcome<ReadonlyMap<string, string>>> {
  const texts = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const print = makeValidatorPrinter();
  for (const tool of tools) {
    const printed = readGenerated(tool, folder, generated) ?? (await print(tool));
    if (typeof printed === 'string') texts.set(tool.item, printed);
    else diagnostics.push(printed);
  }
  return { value: texts, diagnostics };
}

function readGenerated(tool: Tool, folder: Folder, generated: string): string | undefined {
  const path = joinPath(generated, 'tools', `${tool.item}.mjs`);
  if (folder.status(path) !== 'file') return undefined;
  const bytes = folder.read(path, maxBytes);
  const text = typeof bytes === 'number' ? '' : new TextDecoder().decode(bytes);
  const [, hash] = /^export const hash = '([\w-]+)';$/m.exec(text) ?? [];
  return hash === definitionHash(tool) ? text : undefined;
}
