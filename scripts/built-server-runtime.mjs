// The runtime of built servers, made once with the package instead of with every `toolwright build`: dist/built-server/ has the
// files that builds copy. No package is left outside.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { ajvPackages } from './inline-ajv.mjs';
import { jsoncParser } from './inline-dependencies.mjs';
import { root } from './run.mjs';

/** `shared`: the options of all builds of the package. */
export async function buildServerRuntime(shared) {
  const outdir = 'dist/built-server';
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
  const parts = await buildParts(ours, `${outdir}/runtime`);
  const entry = { ...ours, outdir: undefined, entryPoints: ['cli/built-server/entry.ts'] };
  await build({ ...entry, outfile: `${outdir}/entry.cjs`, format: 'iife', globalName: 'toolwright' });
  const workers = await buildWorkerRuntime(ours);
  // The same as a module, for builds that are one file.
  await build({ ...entry, outfile: `${outdir}/entry.mjs` });
  await buildYaml(ours, outdir);
  await writeNotices(outdir, [...parts, ...workers]);
}

/**
 * What parses YAML, of the library that also writes and edits it. The modules of dist/runtime find it one folder up, and so do those of a
 * built server.
 */
async function buildYaml(ours, outdir) {
  const folder = 'schema/parse';
  const texts = readdirSync(join(root, folder)).map(file => readFileSync(join(root, folder, file), 'utf8'));
  const names = new Set(texts.flatMap(text => [...text.matchAll(/\byaml\(\)\.(\w+)/g)].map(([, name]) => name)));
  await build({
    ...ours,
    outdir: undefined,
    format: 'cjs',
    // Only its modules for browsers can be taken in parts.
    stdin: {
      contents: `export { ${[...names].join(', ')} } from './node_modules/yaml/browser/index.js';`,
      resolveDir: root,
    },
    outfile: `${outdir}/yaml.cjs`,
  });
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

/** What a worker has in place of modules of Node. */
const workerModules = {
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
      ...Object.fromEntries(Object.entries(workerModules).map(([name, file]) => [`node:${name}`, join(root, file)])),
    },
  };
  const metafiles = [];
  for (const [file, entry] of [
    ['worker', 'cli/built-server/worker.ts'],
    ['worker-package', 'runtime/worker/package.ts'],
  ]) {
    const options = {
      ...web,
      entryPoints: [entry],
      outfile: `dist/built-server/${file}.mjs`,
      plugins: [noDefaultValidator, noBackends],
    };
    const { metafile } = await buildWithUsedCodes(options);
    metafiles.push(metafile);
  }
  return metafiles;
}

/**
 * What is loaded on its own, each one file of CommonJS, because Node takes longer for ES modules: with the first call; where something of
 * the start matters; over HTTP, or with the first message that only the SDK knows; with definitions that are not inside. What the first
 * has, which is always loaded by then, the others take from it.
 */
async function buildParts(ours, outdir) {
  const optionsOf = (part, exported, plugins) => ({
    ...ours,
    outdir: undefined,
    format: 'cjs',
    banner: {
      js: `const __url=require('node:url').pathToFileURL(__filename).href${part === 'calls' ? '' : callsLine};`,
    },
    define: { ...ours.define, 'import.meta.url': '__url' },
    // `import()` would load the other parts as ES modules.
    supported: { 'dynamic-import': false },
    stdin: {
      contents: [`export * from './cli/built-server/${part}.ts';`, ...exported].join('\n'),
      resolveDir: root,
      sourcefile: `${part}.js`,
    },
    outfile: `${outdir}/${part}.cjs`,
    plugins: [noDefaultValidator, partsApart, ...plugins],
  });
  const draft = await build({ ...optionsOf('calls', [], [parseInMain]), write: false });
  const inCalls = ownSources(draft.metafile);
  const exportsOfCalls = await listExports(inCalls.filter(mayBeTaken));
  const metafiles = [];
  const taken = new Set();
  for (const [part, exported, plugins] of [
    ['main', ["export { parse } from './schema/parse/parse.ts';"], [takeFromCalls(exportsOfCalls), overlaysOnly]],
    ['sdk', [], [takeFromCalls(exportsOfCalls)]],
    ['backends', [], [takeFromCalls(exportsOfCalls)]],
    ['tasks', [], [takeFromCalls(exportsOfCalls)]],
    // Few builds have it, and the others would carry what it asks for.
    ['external', [], []],
  ]) {
    const options = optionsOf(part, exported, plugins);
    metafiles.push((await buildWithUsedCodes(options, inCalls)).metafile);
    const text = readFileSync(join(root, options.outfile), 'utf8');
    for (const [, name] of text.matchAll(/\b__calls\.([\w$]+)/g)) taken.add(name);
  }
  const given = [...exportsOfCalls].flatMap(([path, names]) =>
    [...names]
      .filter(([, alias]) => taken.has(alias))
      .map(([name, alias]) => `export { ${name} as ${alias} } from './${path}';`),
  );
  const support = "export * as support from './schema/support.ts';";
  const calls = await buildWithUsedCodes(optionsOf('calls', [support, ...given], [parseInMain]));
  return [calls.metafile, ...metafiles];
}

const callsLine = ",__calls=require('./calls.cjs')";

/** The modules of ours that an output has something of. */
function ownSources({ outputs }) {
  const inside = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return inside
    .filter(([path, { bytesInOutput }]) => /^[^:]+\.ts$/.test(path) && bytesInOutput > 0)
    .map(([path]) => path);
}

/** Each part has its own codes, and so its own copy of what may be asked for any of them; and calls.cjs does not parse. */
function mayBeTaken(path) {
  if (/^schema\/(?:codes\b|diagnostics\.ts|parse\/parse\.ts)/.test(path)) return false;
  return !/\bdiagnose\((?!\s*')/.test(readFileSync(join(root, path), 'utf8'));
}

/** By module, for each name that it exports the one that calls.cjs exports it by. */
async function listExports(paths) {
  const { metafile } = await build({
    ...{ absWorkingDir: root, entryPoints: paths, outbase: '.', outdir: 'dist', format: 'esm' },
    ...{ write: false, metafile: true },
  });
  const outputs = Object.values(metafile.outputs).filter(({ entryPoint }) => entryPoint !== undefined);
  return new Map(
    outputs.map(({ entryPoint, exports }, index) => [
      entryPoint,
      new Map(exports.map(name => [name, `${name}$${index}`])),
    ]),
  );
}

/** What is not used of it is not in the output; the names that are left there are those that calls.cjs must export. */
function takeFromCalls(exportsOfCalls) {
  const namespace = 'calls';
  return {
    name: 'take-from-calls',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path, resolveDir }) => {
        const source = relative(root, join(resolveDir, path)).replaceAll('\\', '/').replace(/js$/, 'ts');
        return exportsOfCalls.has(source) ? { path: source, namespace, sideEffects: false } : undefined;
      });
      onLoad({ filter: /./, namespace }, ({ path }) => ({
        contents: [...(exportsOfCalls.get(path) ?? [])]
          .map(([name, alias]) => `export const ${name} = /* @__PURE__ */ (() => __calls.${alias})();\n`)
          .join(''),
      }));
    },
  };
}

/** Workers have no backends: `build` refuses items that need them. And they keep no tasks, so that tools only run as plain calls. */
const noBackends = {
  name: 'no-backends',
  setup({ onResolve, onLoad }) {
    const namespace = 'no-backends';
    const noTasks = 'no-tasks';
    onResolve({ filter: /[\\/]backends[\\/]items[\\/]open-items\.js$/ }, ({ path }) => ({ path, namespace }));
    onResolve({ filter: /[\\/]task-port\.js$/ }, ({ path }) => ({ path, namespace: noTasks }));
    onLoad({ filter: /./, namespace: noTasks }, () => ({
      contents: "export const openTaskPort = () => { throw new Error('workers keep no tasks'); };",
    }));
    onLoad({ filter: /./, namespace }, () => ({
      contents: "export const openItems = () => { throw new Error('workers have no backends'); };",
    }));
  },
};

/** What is imported late and has a file of its own. */
const partsApart = {
  name: 'parts-apart',
  setup({ onResolve }) {
    for (const [filter, part] of [
      [/[\\/](?:sdk[\\/]stdio|serve-http|create-authorizer)\.js$/, 'sdk'],
      [/[\\/]backends[\\/]items[\\/]open-items\.js$/, 'backends'],
      [/(?:tasks-in-files|task-port)\.js$/, 'tasks'],
    ])
      onResolve({ filter }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: `./${part}.cjs`, external: true } : undefined,
      );
  },
};

/** runtime/sdk/blueprint.ts gives the SDK a validator; the one that it would make is a third of its code. */
const noDefaultValidator = {
  name: 'no-default-validator',
  setup({ onLoad }) {
    const provider = /import \{ \w+ as (\w+) \} from "\.\/\w+Provider-[\w-]+\.mjs";/;
    onLoad({ filter: /[\\/]@modelcontextprotocol[\\/]server[\\/]dist[\\/]shims\w+\.mjs$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!provider.test(text)) throw new Error('the SDK has changed: see noDefaultValidator');
      return { contents: text.replace(provider, 'class $1 {}') };
    });
  },
};

/** Kinds of items, for what an overlay says of a key that it cannot patch. */
const subjects = new Set(['server', 'tool', 'prompt', 'resource', 'schema']);

/** The one kind of file that main.cjs validates is a patch of an overlay. Of what else it asks the language, the names of keys are enough. */
const overlaysOnly = {
  name: 'overlays-only',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]schema[\\/]validate[\\/]language\.gen\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await build({ entryPoints: [path], format: 'esm', write: false });
      const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`;
      const { definitions } = JSON.parse((await import(url)).languageJson);
      const whole = new Set(['overlay', 'parameter', 'toolError', 'option', 'configEntry', 'promptArgument']);
      for (const name of whole)
        for (const [, used] of JSON.stringify(definitions[name]).matchAll(/#\/definitions\/(\w+)/g)) whole.add(used);
      const keysOf = ({ properties = {} }) => Object.fromEntries(Object.keys(properties).map(key => [key, {}]));
      const kept = Object.entries(definitions).flatMap(([name, one]) =>
        whole.has(name) ? [[name, one]] : subjects.has(name) ? [[name, { properties: keysOf(one) }]] : [],
      );
      const json = JSON.stringify({ definitions: Object.fromEntries(kept) });
      return { contents: `export const languageJson = ${JSON.stringify(json)};` };
    });
  },
};

/** Where options are set, a server is started by main.cjs (cli/built-server/entry.ts), which has what parses. */
const parseInMain = {
  name: 'parse-in-main',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/main\.cjs$/ }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /[\\/]schema[\\/]parse[\\/]parse\.ts$/ }, () => ({
      contents: "export const parse = source => require('./main.cjs').parse(source);",
    }));
  },
};

/** Of all codes, an output has those that its modules name. `beside`: sources outside that may give it a code to report. */
async function buildWithUsedCodes(options, beside = []) {
  const draft = await build({ ...options, write: false, plugins: [...options.plugins, onlyCodes(() => false)] });
  const sources = [...ownSources(draft.metafile), ...beside].filter(path => !path.startsWith('schema/codes/'));
  const texts = sources.map(path => readFileSync(join(root, path), 'utf8'));
  const isUsed = code => texts.some(text => text.includes(`'${code}'`));
  return await build({ ...options, plugins: [...options.plugins, onlyCodes(isUsed)] });
}

/** `toolwright explain` and the docs say why a mistake is made; servers never do. */
function onlyCodes(isUsed) {
  const entry = /^ {2}'([\w/-]+)': code\b[\s\S]*?^ {2}\}\),\n/gm;
  const cause = /^ {4}cause:[\s\S]*?(?=^ {4}fix:)/m;
  return {
    name: 'only-codes',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]schema[\\/]codes[\\/][\w-]+\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (/: code[<(]/.test(text.replaceAll(entry, '')))
          throw new Error(`${path} has codes in another form than expected`);
        const contents = text.replaceAll(entry, (whole, code) => (isUsed(code) ? whole.replace(cause, '') : ''));
        return { contents, loader: 'ts' };
      });
    },
  };
}
