// Reads the sources and holds them to the room rules of ARCHITECTURE.md.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rooms = ['schema', 'runtime', 'generator', 'cli'];

/** Every folder of sources, in an order in which each imports only from folders before it, values and types alike. */
const folders = [
  'schema/codes',
  'schema/support',
  'schema/support/mcp',
  'schema',
  'schema/print',
  'schema/parse',
  'schema/template',
  'schema/backend',
  'schema/texts',
  'schema/json-schema',
  'schema/reference',
  'schema/source',
  'schema/validate',
  'schema/lock',
  'runtime/load',
  'runtime/call',
  'runtime/packs',
  'runtime/call/context',
  'runtime/backends',
  'runtime/backends/exec',
  'runtime/backends/http',
  'runtime/backends/sql',
  'runtime/backends/mcp',
  'runtime/backends/items',
  'runtime/call/threads',
  'runtime/call/handlers',
  'runtime/tasks',
  'runtime/tasks/files',
  'runtime/surface',
  'runtime/server',
  'runtime/protocol',
  'runtime/sdk',
  'runtime/serve/auth',
  'runtime/serve',
  'runtime/server/stored',
  'runtime/server/registry',
  'runtime/server/create-server',
  'runtime/server/dev',
  'runtime/server/examples',
  'runtime',
  'runtime/server/testing',
  'runtime/worker',
  'generator/render',
  'generator/compile/types',
  'generator/compile/project',
  'generator/compile/declarations',
  'generator/handlers',
  'generator/compile/stubs',
  'generator/compile/validators',
  'generator/compile',
  'generator/edit',
  'generator/clients',
  'generator/docs',
  'generator/author',
  'generator/build',
  'generator/publish',
  'generator/import/record',
  'generator/rename',
  'generator/remove',
  'generator/eject',
  'generator/import',
  'generator/import/openapi',
  'generator/import/openapi/read',
  'generator/import/server',
  'generator/typecheck',
  'generator/doctor',
  'generator',
  'cli/terminal',
  'cli/pack',
  'cli/memory',
  'cli/generate',
  'cli/add',
  'cli/remove',
  'cli/eject',
  'cli/programs',
  'cli/fetch',
  'cli/start',
  'cli/built-server',
  'cli/build',
  'cli/call',
  'cli/tasks',
  'cli/check',
  'cli/list',
  'cli/explain',
  'cli/inspect',
  'cli/rename',
  'cli/init',
  'cli/import',
  'cli/typecheck',
  'cli/dev',
  'cli/test',
  'cli/docs',
  'cli/install',
  'cli/lock',
  'cli/doctor',
  'cli/completion',
  'cli/schema',
  'cli/commands',
  'cli',
];

/** The stages of loading in the order in which they run; a stage may use those before it, never a later one. */
const stages = ['read', 'manifest', 'discover', 'split', 'resolve', 'overlay', 'link', 'load'];

interface Import {
  readonly from: string;
  readonly to: string;
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sources(path);
    return path.endsWith('.ts') && !path.endsWith('.d.ts') ? [path] : [];
  });
}

/** The code of a file without its comments: examples in them may print. */
function code(file: string): string {
  return readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

function imports(file: string): Import[] {
  const text = code(file);
  const found = text.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\(\s*)'([^'\n]+)'/g);
  return [...found].map(([, to = '']) => ({
    from: file,
    to: to.startsWith('.')
      ? normalize(join(dirname(file), to))
          .replaceAll('\\', '/')
          .replace(/\.js$/, '.ts')
      : to,
  }));
}

const all = rooms.flatMap(sources);
const every = all.flatMap(imports);
/** Those between sources; generated code that is printed from a text has imports, too. */
const inside = every.filter(({ to }) => all.includes(to));

describe('imports between folders', () => {
  it('imports go schema <- runtime <- generator <- cli, never back', () => {
    const rank = (path: string): number => rooms.indexOf(path.split('/')[0] ?? '');
    const backwards = every.filter(({ from, to }) => rank(to) > rank(from));
    expect(backwards).toEqual([]);
    expect(every.length).toBeGreaterThan(100);
  });

  it('every folder of sources has its place in the order of folders', () => {
    expect([...new Set(all.map(file => dirname(file)))].sort()).toEqual([...folders].sort());
  });

  it('no folder imports one that comes after it, so that there are no cycles between folders', () => {
    const upward = inside
      .map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }))
      .filter(({ from, to }) => folders.indexOf(to) > folders.indexOf(from))
      .map(({ from, to }) => `${from} -> ${to}`);
    expect([...new Set(upward)]).toEqual([]);
  });

  it('no loading stage imports a later one', () => {
    const rank = (path: string): number => {
      const [, name = ''] = /^runtime\/load\/([a-z]+)/.exec(path) ?? [];
      return stages.indexOf(name);
    };
    const wrong = every.filter(({ from, to }) => rank(from) >= 0 && rank(to) > rank(from));
    expect(wrong).toEqual([]);
  });

  it('nothing in schema/ touches the world, except the script that writes the published schemas', () => {
    const world = every.filter(({ from, to }) => from.startsWith('schema/') && /^(node:|fs|path|os|process)/.test(to));
    // It uses createRequire as a late import statement, and nothing else.
    const late = ['schema/parse/yaml-value.ts'];
    expect(world.filter(({ from }) => late.includes(from)).map(({ to }) => to)).toEqual(['node:module']);
    expect([...new Set(world.map(({ from }) => from))].sort()).toEqual([...late, 'schema/source/make.ts'].sort());
    const globals = all.filter(
      file =>
        file.startsWith('schema/') &&
        file !== 'schema/source/make.ts' &&
        /\b(process\.[a-z]|Date\.now|new Date\(|Math\.random|fetch\(|console\.)/.test(code(file)),
    );
    expect(globals).toEqual([]);
  });

  it('nothing outside cli/ and runtime/serve/ prints, and only cli/ exits or reads the environment', () => {
    const uses = (file: string, what: RegExp): boolean => file !== 'schema/source/make.ts' && what.test(code(file));
    const below = all.filter(file => !file.startsWith('cli/'));
    expect(below.filter(file => uses(file, /\bprocess\??\.(exit|argv)/))).toEqual([]);
    // Programs of users pass no environment: for them, and in this one place, it is that of the process.
    expect(below.filter(file => uses(file, /\bprocess\??\.env/))).toEqual(['runtime/server/environment.ts']);
    const silent = below.filter(file => !file.startsWith('runtime/serve/'));
    expect(silent.filter(file => uses(file, /\b(console\.|process\.(stdout|stderr))/))).toEqual([]);
  });

  it('only runtime/sdk/ imports the MCP SDK', () => {
    const users = every.filter(({ to }) => to.startsWith('@modelcontextprotocol/'));
    expect(users.filter(({ from }) => !from.startsWith('runtime/sdk/'))).toEqual([]);
  });

  it('no file in runtime/ writes files, except the guard of a lock and the disk of tasks', () => {
    const writers = all.filter(
      file =>
        file.startsWith('runtime/') &&
        /\b(writeFile|appendFile|mkdir|rename|rm|unlink|createWriteStream)(Sync)?\(/.test(code(file)),
    );
    expect(writers).toEqual([
      // A record beside the database, which tells a lock in use from one that a killed process left.
      'runtime/backends/sql/wasm-lock.ts',
      // T2: a task survives the process that has given out its handle; all its files are written through this one port.
      'runtime/tasks/files/disk.ts',
    ]);
  });

  it('no source imports what its package does not list', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >;
    const foreign = every.filter(({ to }) => !to.startsWith('node:') && !rooms.some(room => to.startsWith(`${room}/`)));
    const isListed = ({ from, to }: Import): boolean => {
      const name = to
        .split('/')
        .slice(0, to.startsWith('@') ? 2 : 1)
        .join('/');
      // The runtime of workers is published as one bundle, with all that it imports; of esbuild the package has a copy.
      const isInside = from.startsWith('runtime/worker/') || name === 'esbuild';
      return Object.hasOwn(isInside ? devDependencies : dependencies, name);
    };
    expect(foreign.filter(one => !isListed(one))).toEqual([]);
  });

  it('only load-esbuild.ts loads esbuild: the published package has a copy, not the package of that name', () => {
    const loads = /(?<!typeof )\bimport\(\s*'esbuild'|^import (?!type )[^;]*'esbuild'/m;
    expect(all.filter(file => loads.test(code(file)))).toEqual([]);
  });

  it('`load` runs the stages in that order', () => {
    const story = code('runtime/load/load.ts').split('export function load(')[1] ?? '';
    const calls = ['readManifest(', 'resolveRoot(', 'applyOverlays(', 'validateItems(', ' link('];
    const places = calls.map(call => story.indexOf(call));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  it('the pages name files and folders that exist', () => {
    const missing = ['ARCHITECTURE.md', 'CONTRIBUTING.md'].flatMap(page => {
      const text = readFileSync(join(root, page), 'utf8');
      const named = [...text.matchAll(/`((?:schema|runtime|generator|cli|templates|test|scripts|docs)\/[\w./-]*)`/g)];
      return named
        .map(([, path = '']) => path)
        .filter(path => !['', '.ts', '.mjs'].some(ending => existsSync(join(root, path + ending))))
        .map(path => `${page}: ${path}`);
    });
    expect(missing).toEqual([]);
  });
});
