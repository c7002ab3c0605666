// In: a program. Out: the types of the pack as a whole: its config, and the object that its context module creates.
import { manifestFile } from '../../../runtime/load/manifest.js';
import type { Program } from '../../../runtime/load/program.js';
import { printString } from '../types/print-literal.js';
import { type Declarations, joinBlocks } from './block.js';
import { asModule, makeDraft, printHeader } from './draft.js';
import { generatedPath, importPath } from './paths.js';
import { addShape, objectSchema } from './shape.js';

/**
 * `generated/config.d.ts`: the values of `config:`. One without a default may be undefined, as an absent variable does
 * not stop a server.
 *
 * @example const { text, map } = printConfigDeclarations(program);
 */
export function printConfigDeclarations(program: Program): Declarations {
  const { pack } = program;
  const draft = makeDraft();
  const entries = Object.entries(pack.config).map(([name, { secret: _, ...entry }]) => [name, entry] as const);
  const schema = objectSchema(entries, { description: 'The configuration of this pack, from the environment.' });
  const site = pack.at.site(['config'], 'key');
  const shape = { name: 'Config', mode: 'args', schema, site } as const;
  const siteOf = ([, ...path]: readonly (string | number)[]) => pack.at.site(['config', ...path], 'key');
  addShape(draft, { ...shape, siteOf });
  return joinBlocks(generatedPath(program, 'config.d.ts'), [printHeader(manifestFile), draft.finish()]);
}

/**
 * `generated/app.d.ts`: what `ctx.app` is. It has no map: the type leads to the author's own function.
 *
 * @example const { text } = printAppDeclarations(program);
 */
export function printAppDeclarations(program: Program): { readonly text: string } {
  const { pack } = program;
  const doc = '/** What handlers have as `ctx.app`. */\n';
  const header = printHeader(manifestFile);
  if (pack.context === undefined) return { text: `${header}${doc}export type App = undefined;\n` };
  const { path, export: name } = pack.context;
  const module = printString(importPath(generatedPath(program, 'app.d.ts'), path));
  // Any other name would clash with an export that is called App.
  const clause = name === 'default' ? 'create' : `{ ${name === 'create' ? name : `${name} as create`} }`;
  return {
    text: `${header}import type ${clause} from ${module}${/\.m[jt]s$/.test(path) ? asModule : ''};\n\n${doc}export type App = Awaited<ReturnType<typeof create>>;\n`,
  };
}
