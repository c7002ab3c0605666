// The runtime of built servers, made once with the package instead of with every `toolwright build`: dist/artifact/ has the
// files that builds copy, and files.json says which of them each kind of build needs. No package is left outside.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { ajvPackages } from './inline-ajv.mjs';
import { jsoncParser } from './inline-dependencies.mjs';
import { root } from './run.mjs';

/** generator/bundle/single-file.ts takes it away again. */
const requireBanner = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);";

const entries = { main: 'cli/artifact/main.ts', sdk: 'cli/artifact/sdk.ts', external: 'cli/artifact/external.ts' };

/** `shared`: the options of all builds of the package. */
export async function buildArtifactRuntime(shared) {
  const outdir = 'dist/artifact';
  rmSync(join(root, outdir), { recursive: true, force: true });
  const ours = {
    ...shared,
    packages: 'bundle',
    alias: { 'jsonc-parser': `jsonc-parser/${jsoncParser}` },
    minify: true,
    legalComments: 'none',
    outbase: undefined,
    metafile: true,
  };
  const { metafile } = await build({
    ...ours,
    entryPoints: entries,
    outdir: `${outdir}/runtime`,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    chunkNames: '[name]-[hash]',
    // Packages in CommonJS ask for Node's modules this way.
    banner: { js: requireBanner },
  });
  // One file of CommonJS each, because twenty ES modules take longer: what is loaded for the first call, and what serves over stdio
  // where something of the start matters.
  const commonJs = {
    ...ours,
    outdir: undefined,
    format: 'cjs',
    banner: { js: "const __url=require('node:url').pathToFileURL(__filename).href;" },
    define: { ...ours.define, 'import.meta.url': '__url' },
  };
  const calls = await build({
    ...commonJs,
    entryPoints: ['cli/artifact/calls.ts'],
    outfile: `${outdir}/runtime/calls.cjs`,
    plugins: [fewCodes],
  });
  const stdio = await build({
    ...commonJs,
    entryPoints: ['cli/artifact/main.ts'],
    outfile: `${outdir}/runtime/stdio.cjs`,
    // Only what is dropped again would need it.
    external: ['esbuild'],
    plugins: [stdioOnly],
  });
  await build({
    ...ours,
    outdir: undefined,
    entryPoints: ['cli/artifact/entry.ts'],
    outfile: `${outdir}/entry.cjs`,
    format: 'iife',
    globalName: 'toolwright',
  });
  const workers = await buildWorkerRuntime(ours);
  // The same as a module, for builds that are one file.
  await build({
    ...ours,
    outdir: undefined,
    entryPoints: ['cli/artifact/entry.ts'],
    outfile: `${outdir}/entry.mjs`,
  });
  // The modules of dist/runtime find it one folder up, and so do those of an artifact.
  await build({
    ...ours,
    outdir,
    bundle: false,
    outbase: 'dist',
    entryPoints: ['dist/yaml.cjs'],
    outExtension: { '.js': '.cjs' },
    format: undefined,
    packages: undefined,
    define: {},
    alias: {},
  });
  const needs = Object.fromEntries(
    Object.keys(entries).map(name => [name, closureOf(`${outdir}/runtime/${name}.mjs`, metafile.outputs)]),
  );
  // esbuild also writes what only dead code would import.
  const needed = new Set(Object.values(needs).flat());
  for (const path of Object.keys(metafile.outputs)) if (!needed.has(basename(path))) rmSync(join(root, path));
  writeFileSync(join(root, outdir, 'files.json'), `${JSON.stringify(needs, null, 2)}\n`);
  const kept = Object.entries(metafile.outputs).filter(([path]) => needed.has(basename(path)));
  const others = [calls.metafile, stdio.metafile, ...workers].flatMap(({ outputs }) => Object.entries(outputs));
  await writeNotices(outdir, [...kept, ...others]);
}

/** Licences of all that is bundled, for builds to carry along; yaml and ajv come as one file each, made before. */
async function writeNotices(outdir, outputs) {
  const source = await build({
    ...{ absWorkingDir: root, entryPoints: ['generator/bundle/notices.ts'], bundle: true, write: false },
    ...{ platform: 'node', format: 'esm' },
  });
  const url = `data:text/javascript;base64,${Buffer.from(source.outputFiles[0].contents).toString('base64')}`;
  const { findNotices } = await import(url);
  const inside = outputs.flatMap(([, { inputs }]) => Object.keys(inputs));
  const inputs = inside.filter(path => path.startsWith('node_modules/'));
  const made = [...ajvPackages, 'yaml'].map(name => `node_modules/${name}/package.json`);
  const files = [...inputs, ...made].map(path => join(root, path));
  const notices = [...findNotices(files, root), ...findNotices([join(root, 'package.json')], join(root, '..'))];
  writeFileSync(join(root, outdir, 'notices.json'), `${JSON.stringify(notices, null, 2)}\n`);
}

/** What stands in for Node's modules in a worker. */
const standIns = {
  crypto: 'runtime/worker/node-crypto.ts',
  util: 'runtime/worker/node-util.ts',
  ...Object.fromEntries(
    ['fs', 'path', 'url', 'module', 'events', 'buffer'].map(name => [name, 'runtime/worker/node-absent.ts']),
  ),
};

/** One file for the runtime of workers, and one for what handlers import of this package. */
async function buildWorkerRuntime(ours) {
  const web = {
    ...ours,
    outdir: undefined,
    platform: 'browser',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    inject: [join(root, 'runtime/worker/bytes.ts'), join(root, 'runtime/worker/timers.ts')],
    alias: {
      ...ours.alias,
      ...Object.fromEntries(Object.entries(standIns).map(([name, file]) => [`node:${name}`, join(root, file)])),
    },
  };
  const metafiles = [];
  for (const [file, entry] of [
    ['worker', 'cli/artifact/worker.ts'],
    ['worker-package', 'runtime/worker/package.ts'],
  ]) {
    const { metafile } = await build({ ...web, entryPoints: [entry], outfile: `dist/artifact/${file}.mjs` });
    metafiles.push(metafile);
  }
  return metafiles;
}

/** The SDK is the one of ES modules; entry.ts loads this only where HTTP cannot be asked for, and nothing of a build is compiled. */
const stdioOnly = {
  name: 'stdio-only',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /[\\/]sdk[\\/]stdio\.js$/ }, () => ({ path: './sdk.mjs', external: true }));
    const absent = /[\\/](?:serve-http|create-authorizer|check-handlers)\.js$/;
    onResolve({ filter: absent }, ({ path }) => ({ path, namespace: 'absent' }));
    onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not part of this file`)}); export {};`,
    }));
  },
};

/** Of all diagnostics, calls can only meet those of settings and handlers; the others are a sixth of the file. */
const fewCodes = {
  name: 'few-codes',
  setup({ onLoad }) {
    const filter = /[\\/]schema[\\/]codes[\\/](?:build|compose|files|json-schema|language|pack|rename)\.ts$/;
    onLoad({ filter }, ({ path }) => {
      const [, name] = /export const (\w+) =/.exec(readFileSync(path, 'utf8')) ?? [];
      return { contents: `export const ${name} = {};`, loader: 'ts' };
    });
  },
};

function closureOf(entry, outputs) {
  const found = new Set();
  const pending = [entry];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    for (const { path: next, external } of outputs[path].imports) if (!external) pending.push(next);
  }
  return [...found].map(path => basename(path)).sort();
}
