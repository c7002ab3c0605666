// The tables and printers of the sources, which are TypeScript, as one module.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../run.mjs';

const modules = [
  'cli/commands',
  'cli/terminal/exit-codes',
  'schema/codes',
  'schema/variables',
  'schema/reference/print-markdown',
  'schema/reference/read-kind',
  'schema/reference/slug',
];

export async function loadSources() {
  const folder = join(root, 'node_modules/.cache/toolwright');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, 'reference.mjs');
  await build({
    absWorkingDir: root,
    stdin: { contents: modules.map(path => `export * from './${path}.ts';`).join('\n'), resolveDir: root },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'warning',
    // Of the commands only the table is wanted, not what they do.
    plugins: [
      {
        name: 'tables-only',
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ path, kind }) =>
            kind === 'dynamic-import' ? { path, external: true } : undefined,
          ),
      },
    ],
  });
  return await import(pathToFileURL(outfile).href);
}
