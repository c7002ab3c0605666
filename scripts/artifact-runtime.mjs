// The runtime of built servers, made once with the package instead of with every `toolwright build`: dist/artifact/ has the
// files that builds copy. No package is left outside.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ajvPackages } from './inline-ajv.mjs';
import { jsoncParser } from './inline-dependencies.mjs';
import { root } from './run.mjs';

/**
 * What is loaded on its own, each one file of CommonJS, because Node takes longer for ES modules: with the first call; where something of
 * the start matters; over HTTP, or with the first message that only the SDK knows; with definitions that are not inside.
 */
const parts = ['calls', 'main', 'sdk', 'external'];

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
  const metafiles = [];
  for (const part of parts) {
    const { metafile } = await build({
      ...ours,
      outdir: undefined,
      format: 'cjs',
      banner: { js: "const __url=require('node:url').pathToFileURL(__filename).href;" },
      define: { ...ours.define, 'import.meta.url': '__url' },
      // `import()` would load the other parts as ES modules.
      supported: { 'dynamic-import': false },
      stdin: { contents: renderPart(part), resolveDir: root, sourcefile: `${part}.js` },
      outfile: `${outdir}/runtime/${part}.cjs`,
      plugins: [noDefaultValidator, ...pluginsOf[part]],
    });
    metafiles.push(metafile);
  }
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
  await writeNotices(outdir, [...metafiles, ...workers]);
}

/** Licences of all that is bundled, for builds to carry along; yaml and ajv come as one file each, made before. */
async function writeNotices(outdir, metafiles) {
  const source = await build({
    ...{ absWorkingDir: root, entryPoints: ['generator/build/notices.ts'], bundle: true, write: false },
    ...{ platform: 'node', format: 'esm' },
  });
  const url = `data:text/javascript;base64,${Buffer.from(source.outputFiles[0].contents).toString('base64')}`;
  const { findNotices } = await import(url);
  const outputs = metafiles.flatMap(one => Object.values(one.outputs));
  const inside = outputs.flatMap(one => Object.keys(one.inputs));
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

/** Modules that main.cjs uses as they are in calls.cjs: with them, all that runs tools is in one file only. */
const inCalls = [
  'runtime/server/open-server',
  'runtime/server/stored/artifact-hosts',
  'runtime/call/handler-problem',
  'runtime/call/time-limit',
];

function renderPart(part) {
  const own = [`cli/artifact/${part}`];
  const others = { calls: inCalls, main: ['schema/parse/parse'] };
  return [...own, ...(others[part] ?? [])].map(path => `export * from './${path}.ts';`).join('\n');
}

const callsApart = {
  name: 'calls-apart',
  setup({ onResolve }) {
    const ours = new Set(inCalls.map(path => join(root, `${path}.js`)));
    onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path, resolveDir }) =>
      ours.has(join(resolveDir, path)) ? { path: './calls.cjs', external: true } : undefined,
    );
  },
};

/** What is imported late and has a file of its own. */
const sdkApart = {
  name: 'sdk-apart',
  setup({ onResolve }) {
    onResolve({ filter: /[\\/](?:sdk[\\/]stdio|serve-http|create-authorizer)\.js$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './sdk.cjs', external: true } : undefined,
    );
  },
};

/** runtime/sdk/blueprint.ts gives the SDK a validator; the one that it would make is a third of its code. */
const noDefaultValidator = {
  name: 'no-default-validator',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({ path, namespace: 'shims' }));
    onLoad({ filter: /./, namespace: 'shims' }, () => ({
      contents: "export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator {}",
    }));
  },
};

/**
 * Of all diagnostics, calls can only meet those of settings and handlers; the others are left out. What parses is in
 * main.cjs: where options are set, a server is started by it (cli/artifact/entry.ts).
 */
const onlyCalls = {
  name: 'only-calls',
  setup({ onResolve, onLoad }) {
    const filter = /[\\/]schema[\\/]codes[\\/](?:author|language|link|loading|publish)\.ts$/;
    onLoad({ filter }, ({ path }) => {
      const [, name] = /export const (\w+) =/.exec(readFileSync(path, 'utf8')) ?? [];
      return { contents: `export const ${name} = {};`, loader: 'ts' };
    });
    onResolve({ filter: /^\.\/main\.cjs$/ }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /[\\/]schema[\\/]parse[\\/]parse\.ts$/ }, () => ({
      contents: "export const parse = source => require('./main.cjs').parse(source);",
    }));
  },
};

const pluginsOf = { calls: [onlyCalls, sdkApart], main: [callsApart, sdkApart], sdk: [], external: [sdkApart] };
