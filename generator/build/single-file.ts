// In: what goes into a built server. Out: all of it in one ES module (`--single-file`, `--target worker`): the runtime, handlers, validators, definitions and
// files. What is loaded later in other builds is only run later here.
import type { Plugin } from 'esbuild';
import { isIsolated } from '../../runtime/load/program.js';
import { printHandshake } from '../../runtime/server/stored/stored-handshake.js';
import { printString } from '../render/code.js';
import { bundleModules, type EntryModule, withoutRequire, withShebang } from './bundle-modules.js';
import { supportNames } from './bundle-plugins.js';
import { outputNames } from './output-names.js';
import { printCode } from './render-parts.js';
import {
  entriesOf,
  type MadeFiles,
  type MakeOptions,
  needsBackends,
  needsTasks,
  readRuntime,
  runtimePath,
  type ServerContent,
} from './server-content.js';

const namespace = 'toolwright-built';

/** All of a built server in one module that Node runs. */
export async function makeSingleFile(content: ServerContent, options: MakeOptions): Promise<MadeFiles> {
  const main = { out: content.name, name: 'main', text: renderMain(content, options) };
  const support = `export const ${supportNames} = require(${prebuilt('runtime/calls.cjs')}).support;\n`;
  return await bundleInOne(content, options, { main, support, latePrefix: `${namespace}:` });
}

interface InOne {
  readonly main: EntryModule;
  /** See bundle-plugins.ts. */
  readonly support: string;
  /** Of the code of the pack only. */
  readonly latePrefix?: string;
  readonly platform?: 'worker';
  readonly plugins?: readonly Plugin[];
  /** What the plugins left outside. */
  readonly left?: ReadonlySet<string>;
}

/**
 * In two steps: without chunks of its own a bundle holds even what only dead code would import, so that the code of the pack is
 * bundled first as for a folder.
 */
async function bundleInOne(
  content: ServerContent,
  options: MakeOptions,
  { main, support, latePrefix, platform, plugins = [], left = new Set() }: InOne,
): Promise<MadeFiles> {
  const { name, folder } = content;
  const { entry, folder: beside } = outputNames(name, options);
  const files = { folder, outdir: options.out, assets: `./${beside}/` };
  const around = { ...options, ...files, ...(platform === undefined ? {} : { platform }) };
  const code = await bundleModules(entriesOf(content), {
    ...around,
    splitting: true,
    sourcemap: options.sourcemap ? 'inline' : false,
    plugins,
    ...(latePrefix === undefined ? {} : { latePrefix }),
  });
  const externals = [...new Set([...code.externals, ...left])].sort();
  const whole = await bundleModules([main], {
    ...around,
    external: [...options.external, ...externals],
    splitting: false,
    plugins: [runtimePlugin(code.files, folder, absentParts(content, code.files)), ...plugins],
    support,
  });
  const assets = [...code.assets].map(([file, bytes]) => [`${beside}/${file}`, bytes] as const);
  return {
    entry,
    folder: assets.length === 0 ? undefined : beside,
    files: new Map([...assets, ...(platform === 'worker' ? whole.files : withShebang(whole.files, entry))]),
    externals,
    notices: code.notices,
    diagnostics: code.diagnostics.length > 0 ? code.diagnostics : whole.diagnostics,
  };
}

function renderMain({ plan, handshake, packs, data }: ServerContent, { sourcemap }: MakeOptions): string {
  return [
    `import { serve } from ${prebuilt('entry.mjs')};`,
    ...renderInside({ plan, packs }, sourcemap),
    "parts.folder = process.getBuiltinModule('node:url').fileURLToPath(new URL('.', import.meta.url));",
    ...(hasIsolated(plan) ? renderThread() : []),
    `serve(${JSON.stringify(data)}, {`,
    `  handshake: () => ${printString(printHandshake(handshake))},`,
    '  parts: () => parts,',
    `  calls: () => require(${prebuilt('runtime/calls.cjs')}),`,
    `  main: () => require(${prebuilt('runtime/main.cjs')}),`,
    `  sdk: () => require(${prebuilt('runtime/sdk.cjs')}),`,
    '});',
    '',
  ].join('\n');
}

function hasIsolated({ packs }: ServerContent['plan']): boolean {
  return packs.some(({ program }) => program.tools.some(tool => isIsolated(tool, program)));
}

/** X10: the file is also what its threads run; they answer nobody else. */
function renderThread(): readonly string[] {
  return [
    'parts.thread = () => new URL(import.meta.url);',
    `const { isMainThread } = process.getBuiltinModule('node:worker_threads');`,
    `if (isMainThread || !require(${prebuilt('runtime/calls.cjs')}).serveBuiltThread(parts))`,
  ];
}

function prebuilt(path: string): string {
  return printString(`${namespace}:${path}`);
}

/** The parts of a built server (ServerParts) as a constant, everything inside. */
function renderInside({ plan, packs }: Pick<ServerContent, 'plan' | 'packs'>, sourcemap: boolean): readonly string[] {
  const [own = '{}', ...others] = packs.map(({ entries, files }) => {
    const bytes = [...files].map(([path, one]) => {
      return `[${printString(path)}]: ${printString(Buffer.from(one).toString('base64'))}`;
    });
    return printCode(entries, `{ ${bytes.join(', ')} }`, out => `${namespace}:code/${out}.mjs`);
  });
  return [
    'const parts = {',
    `  program: () => JSON.parse(${printString(JSON.stringify(plan.stored))}),`,
    `  ...${own},`,
    `  others: [${others.join(', ')}],`,
    `  hasSourceMaps: ${sourcemap},`,
    '};',
  ];
}

/** Of the runtime, what the server has no use for. */
function absentParts(content: ServerContent, code: ReadonlyMap<string, Uint8Array>): readonly string[] {
  return [
    ...(needsBackends(content, code) ? [] : ['runtime/backends.cjs']),
    ...(needsTasks(content) ? [] : ['runtime/tasks.cjs']),
  ];
}

/** The prebuilt runtime and the code of the pack, as modules of a bundle. */
function runtimePlugin(code: ReadonlyMap<string, Uint8Array>, folder: string, absent: readonly string[]): Plugin {
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${namespace}:`) }, ({ path }) => ({
        path: path.slice(namespace.length + 1),
        namespace,
      }));
      build.onResolve({ filter: /^\.{1,2}\//, namespace }, ({ path, importer }) => {
        const inside = runtimePath(importer, path);
        // Assets lie beside the one file.
        return code.has(inside.slice('code/'.length)) || !inside.startsWith('code/')
          ? { path: inside, namespace }
          : { path, external: true };
      });
      build.onLoad({ filter: /./, namespace }, ({ path }) => {
        if (absent.includes(path)) return { contents: '', loader: 'js' };
        const own = path.startsWith('code/') ? code.get(path.slice('code/'.length)) : undefined;
        const contents = own === undefined ? readLate(path) : inlineOwnLate(withoutRequire(own));
        return { contents, loader: 'js', resolveDir: folder };
      });
    },
  };
}

/** A worker reads no YAML, and nothing else that lies beside the runtime. */
function readLate(path: string): string {
  const text = readRuntime(path);
  return path.startsWith('worker') ? text : inlineLate(text);
}

/** What the runtime finds by `createRequire` in a folder becomes a plain `require`, which a bundler follows. */
function inlineLate(text: string): string {
  return text.replaceAll(/[\w$]+\("\.\.\/yaml\.cjs"\)/g, `require("${namespace}:yaml.cjs")`);
}

/** The same in modules of this package that handlers import (`latePrefix`). */
function inlineOwnLate(text: string): string {
  return text.replaceAll(/[\w$]+\("toolwright-built:yaml\.cjs"\)/g, `require("${namespace}:yaml.cjs")`);
}

/** The same with a `fetch` (`--target worker`), which needs neither Node nor eval. */
export async function makeWorkerFile(content: ServerContent, options: MakeOptions): Promise<MadeFiles> {
  const { entry } = outputNames(content.name, options);
  const text = [
    `import { openWorker } from ${prebuilt('worker.mjs')};`,
    ...renderInside(content, options.sourcemap),
    'export default openWorker(parts);',
    '',
  ].join('\n');
  const main = { out: entry.slice(0, -'.mjs'.length), name: 'main', text };
  const left = new Set<string>();
  const plugins = [packagePlugin(options.external, left)];
  const support = `export ${supportNames} from ${prebuilt('worker.mjs')};\n`;
  return await bundleInOne(content, options, { main, support, platform: 'worker', plugins, left });
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
