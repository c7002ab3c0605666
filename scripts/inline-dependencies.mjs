// Which dependencies become part of dist/, and how: Node spends more time on finding and opening their many files than
// on running them.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

/** Loaded late and as a whole; one folder above every module of ours that asks for it. */
export const yamlFile = 'yaml.cjs';

/** Its last two words must stay: it refuses to run under another name. */
export const esbuildFile = 'esbuild/lib/main.js';

/** Joined with our own modules. */
export const inlined = ['commander', 'jsonc-parser', 'picocolors'];

/** Its main file asks for its parts in a way that no bundler follows. */
export const jsoncParser = 'lib/esm/main.js';

/** An esbuild plugin, for a build that leaves packages outside. */
export const inlineDependencies = {
  name: 'inline-dependencies',
  setup(build) {
    const entries = { commander: 'index.js', 'jsonc-parser': jsoncParser, picocolors: 'picocolors.js' };
    build.onResolve({ filter: new RegExp(`^(?:${inlined.join('|')})$`) }, ({ path }) => ({
      path: join(root, 'node_modules', path, entries[path]),
    }));
    build.onLoad({ filter: /[\\/]commander[\\/]lib[\\/]command\.js$/ }, ({ path }) => ({
      contents: withoutRequire(readFileSync(path, 'utf8')),
    }));
  },
};

/** An ES module has no `require`. Programs behind subcommands, which we have none of, would take ten more files of Node. */
function withoutRequire(text) {
  const child = "const childProcess = require('node:child_process');";
  if (!text.includes(child)) throw new Error('commander has changed: see scripts/inline-dependencies.mjs');
  return text
    .replace(child, 'const childProcess = undefined;')
    .replaceAll(/require\('(node:\w+)'\)/g, "globalThis.process.getBuiltinModule('$1')");
}

/** As it is: it looks for the program of the machine among the packages that ours lists. */
export function copyEsbuild() {
  const file = join(root, 'dist', esbuildFile);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(join(root, 'node_modules', esbuildFile), file);
  writeFileSync(join(dirname(file), '../package.json'), '{ "type": "commonjs" }\n');
}

/** Their licenses ask to go where their code goes. */
export function writeLicenses(names) {
  const texts = names.map(name => {
    const folder = join(root, 'node_modules', name);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const license = readdirSync(folder).find(file => /^license(?:\.md)?$/i.test(file));
    return `${name} ${version}\n\n${readFileSync(join(folder, license), 'utf8')}`;
  });
  writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), texts.join('\n---\n\n'));
}
