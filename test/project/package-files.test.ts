// What npm would publish, of what is built.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
let paths: readonly string[] = [];

beforeAll(() => {
  const told = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(told) as [{ readonly files: readonly { readonly path: string }[] }];
  paths = files.map(({ path }) => path);
}, 60_000);

it('the package contains nothing that only its development needs', () => {
  const strange = [
    /^(?!dist|builtin|schema|templates|docs|examples|[A-Za-z]+(?:\.md)?$|package\.json$)/,
    /^builtin\/(?!dist|generated|mcp|toolwright\.yaml)/,
    /\/generated\/schema\//,
    /^dist\/(?:schema\/source|cli\/.*\.d\.ts|\.tsbuildinfo)/,
    /^schema\/(?!\w+\.schema\.json$)/,
    /\.test\.|node_modules/,
  ];
  expect(paths.filter(path => strange.some(form => form.test(path)))).toEqual([]);
});

it('the package contains everything that package.json leads to, and an example with its types', () => {
  const { exports, bin } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  const targets = [...Object.values(exports), bin].flatMap(target =>
    typeof target === 'string' ? [target] : Object.values(target as Record<string, string>),
  );
  const named = targets.filter(target => !target.includes('*')).map(target => target.replace(/^\.\//, ''));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(path => !paths.includes(path))).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(['examples/weather/generated/tools.d.ts', 'schema/tool.schema.json']));
});

it('fix-N4 nothing that is installed with the package has an install script, for which pnpm would end with an error', () => {
  const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: true; readonly hasInstallScript?: true }>>;
  };
  const installed = Object.entries(packages).filter(([, { dev }]) => dev !== true);
  expect(installed.length).toBeGreaterThan(40);
  expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([]);
});

it('fix-N4 the package asks for the programs of the esbuild that it carries, in exactly that version', () => {
  const read = (path: string): Record<string, unknown> => JSON.parse(readFileSync(`${root}/${path}`, 'utf8'));
  const { version, optionalDependencies } = read('node_modules/esbuild/package.json');
  const own = read('package.json');
  expect(own['optionalDependencies']).toEqual(optionalDependencies);
  expect((own['devDependencies'] as Record<string, string>)['esbuild']).toBe(version);
  expect(paths).toEqual(expect.arrayContaining(['dist/esbuild/lib/main.js', 'dist/esbuild/package.json']));
  expect(readFileSync(`${root}/dist/esbuild/lib/main.js`, 'utf8')).toBe(
    readFileSync(`${root}/node_modules/esbuild/lib/main.js`, 'utf8'),
  );
  expect(readFileSync(`${root}/dist/THIRD-PARTY-LICENSES.txt`, 'utf8')).toContain(`esbuild ${String(version)}`);
});
