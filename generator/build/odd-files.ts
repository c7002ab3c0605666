// esbuild reads every tsconfig.json above a module by itself, and would wait for a pipe without end. In: the modules of a build.
// Out: an error in place of the wait.
import { dirname, isAbsolute, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { oddAbove } from '../../runtime/load/read-file.js';

export function oddFilesPlugin(): Plugin {
  const known = new Map<string, string | undefined>();
  const oddIn = (folder: string): string | undefined => {
    if (!known.has(folder)) known.set(folder, oddAbove(folder, 'tsconfig.json'));
    return known.get(folder);
  };
  return {
    name: 'toolwright-odd-files',
    setup(build) {
      build.onResolve({ filter: /^(?:\.{1,2}\/|\/|[A-Za-z]:)/ }, ({ path, resolveDir }) => {
        const odd = oddIn(dirname(isAbsolute(path) ? path : resolve(resolveDir, path)));
        return odd === undefined ? undefined : { errors: [{ text: `${odd} is not a regular file: remove it` }] };
      });
    },
  };
}
