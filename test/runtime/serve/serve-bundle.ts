// Lets tests start a TypeScript module as a process of its own: bundled to JavaScript, packages outside.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The path of the bundle of the module of that name beside this one. */
export async function bundleChild(name: string): Promise<string> {
  // Below the package, so that its dependencies are found.
  const folder = join(root, 'node_modules/.cache/toolwright');
  const outfile = join(folder, `${name}-${process.pid}.mjs`);
  mkdirSync(folder, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: [`test/runtime/serve/${name}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return outfile;
}
