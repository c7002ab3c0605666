// Reads the sources and holds them to the room rules of ARCHITECTURE.md.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const rooms = ['schema', 'runtime', 'generator', 'cli'];
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

describe('rooms', () => {
  it('imports go schema <- runtime <- generator <- cli, never back', () => {
    const rank = (path: string): number => rooms.indexOf(path.split('/')[0] ?? '');
    const backwards = every.filter(({ from, to }) => rank(to) > rank(from));
    expect(backwards).toEqual([]);
    expect(every.length).toBeGreaterThan(100);
  });

  it('no loading stage imports a later one', () => {
    const rank = (path: string): number => {
      const [, name = ''] = /^runtime\/load\/([a-z]+)/.exec(path) ?? [];
      return stages.indexOf(name);
    };
    const wrong = every.filter(({ from, to }) => rank(from) >= 0 && rank(to) > rank(from));
    expect(wrong).toEqual([]);
  });

  it('nothing in schema/ touches the world, but the script that writes the published schemas', () => {
    const world = every.filter(({ from, to }) => from.startsWith('schema/') && /^(node:|fs|path|os|process)/.test(to));
    // These use createRequire as a late import statement, and nothing else.
    const late = ['schema/parse/yaml-library.ts', 'schema/validate/validators.ts'];
    expect(world.filter(({ from }) => late.includes(from)).map(({ to }) => to)).toEqual(['node:module', 'node:module']);
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
    const inside = all.filter(file => !file.startsWith('cli/'));
    expect(inside.filter(file => uses(file, /\bprocess\??\.(exit|argv)/))).toEqual([]);
    // Programs of users pass no environment: for them, and in this one place, it is that of the process.
    expect(inside.filter(file => uses(file, /\bprocess\??\.env/))).toEqual(['runtime/create-server/environment.ts']);
    const silent = inside.filter(file => !file.startsWith('runtime/serve/'));
    expect(silent.filter(file => uses(file, /\b(console\.|process\.(stdout|stderr))/))).toEqual([]);
  });

  it('only runtime/sdk/ knows the MCP SDK', () => {
    const users = every.filter(({ to }) => to.startsWith('@modelcontextprotocol/'));
    expect(users.filter(({ from }) => !from.startsWith('runtime/sdk/'))).toEqual([]);
  });

  it('runtime/ writes no files', () => {
    const writers = all.filter(
      file =>
        file.startsWith('runtime/') &&
        /\b(writeFile|appendFile|mkdir|rename|rm|unlink|createWriteStream)(Sync)?\(/.test(code(file)),
    );
    expect(writers).toEqual([]);
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
      // The runtime of workers is published as one bundle, with all that it imports.
      return Object.hasOwn(from.startsWith('runtime/worker/') ? devDependencies : dependencies, name);
    };
    expect(foreign.filter(one => !isListed(one))).toEqual([]);
  });
});
