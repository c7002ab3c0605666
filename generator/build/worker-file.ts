// In: what goes into an artifact. Out: all of it in one ES module with a `fetch` (`--target worker`), which needs neither Node nor eval.
import type { Plugin } from 'esbuild';
import { printString } from '../render/code.js';
import { type ArtifactContent, type ArtifactOptions, entriesOf, type MadeFiles } from './artifact-content.js';
import { readRuntime } from './artifact-files.js';
import { bundleModules, type EntryModule } from './bundle-modules.js';
import { outputNames } from './output-names.js';
import { namespace, renderInside, runtimePlugin } from './single-file.js';

export async function makeWorkerFile(content: ArtifactContent, options: ArtifactOptions): Promise<MadeFiles> {
  const { name, folder } = content;
  const { entry, folder: beside } = outputNames(name, options);
  const around = { ...options, folder, outdir: options.out, assets: `./${beside}/`, platform: 'worker' } as const;
  const sourcemap = options.sourcemap ? 'inline' : false;
  const left = new Set<string>();
  const code = await bundleModules(entriesOf(content), {
    ...around,
    splitting: true,
    sourcemap,
    plugins: [packagePlugin(options.external, left)],
  });
  const main: EntryModule = {
    out: entry.slice(0, -'.mjs'.length),
    name: 'main',
    text: [
      `import { openWorker } from ${printString(`${namespace}:worker.mjs`)};`,
      ...renderInside(content, options.sourcemap),
      'export default openWorker(parts);',
      '',
    ].join('\n'),
  };
  const externals = [...new Set([...code.externals, ...left])].sort();
  const whole = await bundleModules([main], {
    ...around,
    external: [...options.external, ...externals],
    splitting: false,
    plugins: [runtimePlugin(code.files, folder), packagePlugin(options.external, left)],
  });
  const assets = [...code.assets].map(([file, bytes]) => [`${beside}/${file}`, bytes] as const);
  return {
    entry,
    folder: assets.length === 0 ? undefined : beside,
    files: new Map([...assets, ...whole.files]),
    externals,
    notices: code.notices,
    diagnostics: code.diagnostics.length > 0 ? code.diagnostics : whole.diagnostics,
  };
}

const packageNamespace = `${namespace}-package`;

/** What handlers import as `toolwright`; and modules of Node, which are only there where the host has them. */
function packagePlugin(external: readonly string[], left: Set<string>): Plugin {
  return {
    name: packageNamespace,
    setup(build) {
      build.onResolve({ filter: /^toolwright$/ }, () => ({
        path: 'worker-package.mjs',
        namespace: packageNamespace,
        sideEffects: false,
      }));
      build.onLoad({ filter: /./, namespace: packageNamespace }, ({ path }) => ({
        contents: readRuntime(path),
        loader: 'js',
      }));
      build.onResolve({ filter: /^node:/ }, ({ path }) => {
        if (!external.includes(path)) return undefined;
        left.add(path);
        return { path, external: true };
      });
    },
  };
}
