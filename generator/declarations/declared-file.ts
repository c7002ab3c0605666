// In: how the declarations of a file are printed, and what decides them. Out: the file and its map, as artifacts.
import type { Artifact } from '../artifact.js';
import type { Declarations } from './block.js';

export interface DeclaredFile {
  readonly path: string;
  readonly inputs: string;
  readonly positions: string;
  readonly sources: readonly string[];
  print(): Declarations;
}

/**
 * A declaration file and its map, printed together, and only once one of them is asked for.
 *
 * @example declared({ path: 'generated/config.d.ts', inputs, positions, sources, print: () => printConfigDeclarations(program) })
 */
export function declared({ path, inputs, positions, sources, print }: DeclaredFile): readonly Artifact[] {
  let printed: Declarations | undefined;
  const once = (): Declarations => {
    printed ??= print();
    return printed;
  };
  return [
    { path, role: 'generated', inputs, sources, render: () => once().text },
    { path: `${path}.map`, role: 'generated', inputs: positions, sources, render: () => once().map },
  ];
}
