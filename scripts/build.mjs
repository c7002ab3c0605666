// Compiles the sources to dist/ and makes the published schemas. `--clean` starts from nothing; `--setup` (before tests) leaves
// committed files as they are.
// tsc checks and writes declarations; esbuild joins the modules of each entry, since Node loads one file much faster
// than eighty. Dependencies stay outside, but for those that nearly every run loads.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { buildServerRuntime } from './built-server-runtime.mjs';
import { ajvPackages, inlineAjv } from './inline-ajv.mjs';
import {
  copyEsbuild,
  esbuildFile,
  inlineDependencies,
  inlined,
  writeLicenses,
  yamlFile,
} from './inline-dependencies.mjs';
import { must, root } from './run.mjs';

if (process.argv.includes('--clean')) {
  for (const made of ['dist', 'builtin/dist', 'builtin/generated', 'examples/weather/generated'])
    rmSync(join(root, made), { recursive: true, force: true });
}
must(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']);

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
};
/** The check of what it makes runs it, too. */
const maker = 'node_modules/.cache/toolwright/make.mjs';
mkdirSync(join(root, 'node_modules/.cache/toolwright'), { recursive: true });
await build({ ...shared, entryPoints: ['schema/source/make.ts'], outfile: maker, logLevel: 'warning' });
// Tests build too, but must not fix files that they should find out of date.
if (!process.argv.includes('--setup')) {
  must(process.execPath, [maker]);
  must(process.execPath, ['scripts/reference.mjs']);
}

rmSync(join(root, 'dist/chunks'), { recursive: true, force: true });
/** Which compiler this is: a hash of everything that decides what it prints. */
function buildId() {
  const hash = createHash('sha256');
  for (const folder of ['schema', 'runtime', 'generator', 'templates']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) hash.update(readFileSync(join(entry.parentPath, entry.name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

const ours = {
  ...shared,
  define: {
    __TOOLWRIGHT_BUILD__: JSON.stringify(buildId()),
    __TOOLWRIGHT_YAML__: JSON.stringify(`../${yamlFile}`),
    __TOOLWRIGHT_ESBUILD__: JSON.stringify(`../${esbuildFile}`),
  },
  outdir: 'dist',
  outbase: '.',
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
};
/** Each command is loaded when it is called, but for those that run most often, which are part of what is always loaded. */
const always = ['check', 'generate'];
const commands = new Map(
  [...readdirSync(join(root, 'cli/commands')).map(name => `cli/commands/${name}`), 'cli/check/check.ts']
    .flatMap(file => [...readFileSync(join(root, file), 'utf8').matchAll(/import\('\.\.?\/([a-z/-]+)\.js'\)/g)])
    .map(([, path]) => [basename(path), path.includes('/') ? path : `check/${path}`])
    .filter(([name]) => !always.includes(name)),
);
const { list, ...others } = Object.fromEntries([...commands].map(([name, path]) => [name, `cli/${path}.ts`]));
await build({
  ...ours,
  plugins: [inlineDependencies, inlineAjv],
  // What is made lies one folder below dist/, however deep its source is, so that own-package.ts finds the package.
  entryPoints: {
    'runtime/index': 'runtime/index.ts',
    'runtime/testing': 'runtime/server/testing/index.ts',
    'runtime/handler-values': 'runtime/handler-values.ts',
    'generator/index': 'generator/index.ts',
    'schema/support': 'schema/support.ts',
    // Node runs it in a thread of its own, by its file name.
    'runtime/typescript-loader': 'runtime/call/handlers/typescript-loader.ts',
    'runtime/pack-thread': 'runtime/call/handlers/pack-thread.ts',
    ...Object.fromEntries(Object.entries(others).map(([name, file]) => [`cli/${name}`, file])),
  },
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
});
// What the command always loads, with what runs most often, and `list`, which must not take longer than to look at all that is
// installed, are one file each instead of fifty shared ones.
await build({
  ...ours,
  plugins: [inlineDependencies, inlineAjv, leaveOutside(['run', ...commands.keys()])],
  entryPoints: { 'cli/main': 'cli/main.ts', 'cli/run': 'cli/run.ts', 'cli/list': list },
});

/** An esbuild plugin: these modules stay files of their own, imported when they are needed. */
function leaveOutside(names) {
  const filter = new RegExp(`^\\.\\.?/(?:[a-z-]+/)?(?:${names.join('|')})\\.js$`);
  return {
    name: 'leave-outside',
    setup: ({ onResolve }) =>
      onResolve({ filter }, ({ path, kind }) =>
        kind === 'dynamic-import' ? { path: `./${basename(path)}`, external: true } : undefined,
      ),
  };
}

chmodSync(join(root, 'dist/cli/main.js'), 0o755);
await build({
  ...ours,
  outdir: undefined,
  packages: 'bundle',
  entryPoints: ['yaml'],
  format: 'cjs',
  outfile: `dist/${yamlFile}`,
});
await buildServerRuntime(ours);
copyEsbuild();
writeLicenses([...inlined, ...ajvPackages, 'yaml', 'esbuild']);

// The built-in pack is a pack like any other: our own compiler makes its types and validators, and its handlers import the
// package by its name.
must(process.execPath, ['dist/cli/main.js', 'generate', 'builtin', '--quiet']);
if (!process.argv.includes('--setup'))
  must(process.execPath, [
    'dist/cli/main.js',
    'docs',
    'builtin',
    '--readme',
    '../docs/reference/builtin.md',
    '--quiet',
  ]);
// Its handlers are written as those of any author.
must(process.execPath, ['dist/cli/main.js', 'generate', 'examples/weather', '--quiet']);
await build({
  ...shared,
  entryPoints: ['builtin/src/tools/*.ts'],
  outbase: 'builtin/src',
  outdir: 'builtin/dist',
  // Its paths lead to our sources, for checking types only.
  tsconfigRaw: '{}',
  logLevel: 'warning',
});
