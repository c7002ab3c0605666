// Paths inside a pack, always with forward slashes: where generated files are and how one file names another.
import { isBelow } from '../../../runtime/load/folder.js';
import type { Program } from '../../../runtime/load/program.js';

/**
 * The path of a file in the generated folder, relative to the pack.
 *
 * @example generatedPath(program, 'index.js') // 'generated/index.js'
 */
export function generatedPath({ pack }: Program, path: string): string {
  return pack.generated === '' ? path : `${pack.generated}/${path}`;
}

/** Schemas for editors are of use to the author only: no compiler reads them, and no package needs them. */
export function isEditorSchema(path: string, program: Program): boolean {
  return isBelow(path, generatedPath(program, 'schema'));
}

/**
 * The way from one file to another, both relative to the pack.
 *
 * @example relativePath('generated/tools/x.d.ts', 'mcp/tools/x.yaml') // '../../mcp/tools/x.yaml'
 */
export function relativePath(from: string, to: string): string {
  const start = from.split('/').slice(0, -1);
  const end = to.split('/');
  let shared = 0;
  while (shared < start.length && shared < end.length - 1 && start[shared] === end[shared] && start[shared] !== '..') {
    shared += 1;
  }
  return [...start.slice(shared).map(() => '..'), ...end.slice(shared)].join('/');
}

/**
 * The same as the specifier of an import: with a dot first, and the extension that the module has when it runs.
 *
 * @example importPath('generated/app.d.ts', 'src/context.ts') // '../src/context.js'
 */
export function importPath(from: string, to: string): string {
  const named = relativePath(from, to).replace(
    /\.([cm]?)tsx?$|\.jsx$/,
    (_, kind: string | undefined) => `.${kind ?? ''}js`,
  );
  const way = /\.[cm]?js$/.test(named) ? named : `${named}.js`;
  return way.startsWith('../') ? way : `./${way}`;
}
