// How a project is recognised: its tsconfig.json, its package.json and the handlers that are there.
import { describe, expect, it } from 'vitest';
import { createFinder, detectProject, type Project, splitModule } from '../../../generator/compile/project/project.js';
import { toJson } from '../../../schema/parse/json.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import type { Files } from '../../harness/pack.js';

function detect(files: Files, handlers = 'src'): Project {
  const { value, diagnostics } = detectProject(memoryFolder(files), handlers);
  expect(diagnostics).toEqual([]);
  return value;
}

function places(files: Files, handlers = 'src'): readonly string[] {
  return detectProject(memoryFolder(files), handlers).diagnostics.map(
    ({ code, severity, file, line, column, message }) => `${severity} ${code} ${file}:${line}:${column} ${message}`,
  );
}

const typescript: Project = {
  language: 'ts',
  moduleFormat: 'esm',
  handlerExtension: '.ts',
  importExtension: '.js',
  verbatimModuleSyntax: false,
  refusesUnusedParameters: false,
};
const javascript: Project = { ...typescript, language: 'js', handlerExtension: '.js' };

const esm = '{ "type": "module" }';
const cjs = '{ "type": "commonjs" }';
const tsconfig = (options: object): string => JSON.stringify({ compilerOptions: options });

interface Case {
  readonly what: string;
  readonly files: Files;
  readonly project: Project;
}

const cases: readonly Case[] = [
  { what: 'nothing at all', files: {}, project: { ...javascript, handlerExtension: '.mjs' } },
  { what: 'a package of ES modules', files: { 'package.json': esm }, project: javascript },
  { what: 'a CommonJS package', files: { 'package.json': cjs }, project: { ...javascript, moduleFormat: 'cjs' } },
  {
    what: 'a package without a type',
    files: { 'package.json': '{}' },
    project: { ...javascript, moduleFormat: 'cjs' },
  },
  {
    what: 'a broken package.json',
    files: { 'package.json': '{' },
    project: { ...javascript, handlerExtension: '.mjs' },
  },
  { what: 'a jsconfig.json', files: { 'package.json': esm, 'jsconfig.json': '{}' }, project: javascript },
  { what: 'an empty tsconfig.json', files: { 'tsconfig.json': '{}' }, project: typescript },
  {
    what: 'nodenext in a package of ES modules',
    files: { 'package.json': esm, 'tsconfig.json': tsconfig({ module: 'NodeNext' }) },
    project: typescript,
  },
  {
    what: 'node16 in a CommonJS package',
    files: { 'package.json': cjs, 'tsconfig.json': tsconfig({ module: 'node16' }) },
    project: { ...typescript, moduleFormat: 'cjs' },
  },
  {
    what: 'a bundler in a package without a type',
    files: { 'package.json': '{}', 'tsconfig.json': tsconfig({ module: 'ESNext', moduleResolution: 'bundler' }) },
    project: typescript,
  },
  {
    what: 'CommonJS output of a package of ES modules',
    files: { 'package.json': esm, 'tsconfig.json': tsconfig({ module: 'CommonJS', verbatimModuleSyntax: true }) },
    project: { ...typescript, moduleFormat: 'cjs', verbatimModuleSyntax: true },
  },
  {
    what: 'sources that run as they are',
    files: { 'package.json': esm, 'tsconfig.json': tsconfig({ allowImportingTsExtensions: true, noEmit: true }) },
    project: { ...typescript, importExtension: '.ts' },
  },
  {
    what: 'imports of .ts that a build rewrites',
    files: { 'package.json': esm, 'tsconfig.json': tsconfig({ rewriteRelativeImportExtensions: true }) },
    project: typescript,
  },
  {
    what: 'a compiler that refuses unused parameters',
    files: { 'package.json': esm, 'tsconfig.json': tsconfig({ noUnusedParameters: true }) },
    project: { ...typescript, refusesUnusedParameters: true },
  },
  {
    what: 'JavaScript that a compiler checks',
    files: { 'package.json': esm, 'tsconfig.json': tsconfig({ checkJs: true }), 'src/tools/a.js': '' },
    project: javascript,
  },
  {
    what: 'both languages with checkJs',
    files: { 'package.json': esm, 'tsconfig.json': tsconfig({ checkJs: true }), 'src/a.js': '', 'src/tools/b.ts': '' },
    project: typescript,
  },
  {
    what: 'TypeScript handlers without a tsconfig.json of their own, as in a workspace',
    files: { 'package.json': esm, 'src/tools/a.ts': '' },
    project: typescript,
  },
  {
    what: 'declarations beside JavaScript handlers',
    files: { 'package.json': esm, 'src/tools/a.js': '', 'src/tools/a.d.ts': '' },
    project: javascript,
  },
  {
    what: 'a tsconfig.json and a package.json in the handlers folder',
    files: {
      'package.json': cjs,
      'tsconfig.json': tsconfig({ module: 'commonjs' }),
      'src/package.json': esm,
      'src/tsconfig.json': tsconfig({ module: 'nodenext' }),
    },
    project: typescript,
  },
  {
    what: 'comments, trailing commas and a byte order mark',
    files: {
      'package.json': esm,
      'tsconfig.json': `\ufeff// my "config",
{
  /* } , ] */ "compilerOptions": {
    "module": "commonjs", // , "module": "esnext"
    "paths": { "//": ["/*", ], },
    "verbatimModuleSyntax": true, /* last */
  },
}
`,
    },
    project: { ...typescript, moduleFormat: 'cjs', verbatimModuleSyntax: true },
  },
  {
    what: 'a chain of extends, relative to each file and without .json',
    files: {
      'tsconfig.json': '{ "extends": "./config/base" }',
      'config/base.json': '{ "extends": "../other.json", "compilerOptions": { "noEmit": true } }',
      'other.json': tsconfig({ module: 'commonjs', noEmit: false, allowImportingTsExtensions: true }),
    },
    project: { ...typescript, moduleFormat: 'cjs', importExtension: '.ts' },
  },
  {
    what: 'several extends, of which later ones win',
    files: {
      'tsconfig.json': '{ "extends": ["./a.json", "./b.json"], "compilerOptions": { "noUnusedParameters": false } }',
      'a.json': tsconfig({ module: 'esnext', noUnusedParameters: true, verbatimModuleSyntax: true }),
      'b.json': tsconfig({ module: 'commonjs' }),
    },
    project: { ...typescript, moduleFormat: 'cjs', verbatimModuleSyntax: true },
  },
  {
    what: 'extends of packages, with and without a path',
    files: {
      'tsconfig.json': '{ "extends": ["@tsconfig/node20", "shared/strict", "shared/tsconfig.module.json"] }',
      'node_modules/@tsconfig/node20/tsconfig.json': tsconfig({ module: 'commonjs' }),
      'node_modules/shared/strict.json': tsconfig({ noUnusedParameters: true }),
      'node_modules/shared/tsconfig.module.json': tsconfig({ verbatimModuleSyntax: true }),
    },
    project: { ...typescript, moduleFormat: 'cjs', refusesUnusedParameters: true, verbatimModuleSyntax: true },
  },
  {
    what: 'extends that lead out of the pack or to a package that is not installed',
    files: {
      'package.json': esm,
      'tsconfig.json':
        '{ "extends": ["../../tsconfig.base.json", "not-installed", "/etc/tsconfig.json", "C:\\\\x.json", "./link.json"] }',
      'link.json': { link: 'outside' },
    },
    project: typescript,
  },
  {
    what: 'values of the wrong type',
    files: { 'tsconfig.json': '{ "extends": 3, "compilerOptions": { "module": 3, "noUnusedParameters": "yes" } }' },
    project: typescript,
  },
  { what: 'a tsconfig.json that is a list', files: { 'tsconfig.json': '[]' }, project: typescript },
];

describe('`detectProject`', () => {
  it.each(cases.map(one => [one.what, one] as const))('P16 `detectProject` recognizes %s', (_, { files, project }) => {
    expect(detect(files)).toEqual(project);
  });

  it('P16 `detectProject` finds handlers at the top of the pack', () => {
    expect(detect({ 'package.json': esm, 'tsconfig.json': '{}' }, '')).toEqual(typescript);
    expect(detect({ 'package.json': esm, 'tools/a.ts': '' }, '')).toEqual(typescript);
  });

  it('P16 `detectProject` never looks at files outside the pack', () => {
    const folder = memoryFolder({ 'tsconfig.json': '{ "extends": "../x.json" }' });
    const asked: string[] = [];
    const watched = {
      ...folder,
      status(path: string) {
        asked.push(path);
        return folder.status(path);
      },
    };
    detectProject(watched, 'src');
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.filter(path => path.includes('..') || path.startsWith('/'))).toEqual([]);
  });
});

describe('broken tsconfig.json', () => {
  it('P16 a broken tsconfig.json is reported at its position and changes nothing else', () => {
    const files = {
      'package.json': esm,
      'tsconfig.json': '{\n  // comment\n  "compilerOptions": { "module" "x" }\n}\n',
    };
    expect(places(files)).toEqual([
      'warning generate/tsconfig tsconfig.json:3:24 "tsconfig.json" cannot be used: a colon is missing after this key',
    ]);
    expect(detectProject(memoryFolder(files), 'src').value).toEqual(typescript);
  });

  it.each([
    [
      'a base that is missing',
      { 'tsconfig.json': '{\n  "extends": "./no.json"\n}' },
      'tsconfig.json:2:14',
      'not there',
    ],
    [
      'a base that is broken',
      { 'tsconfig.json': '{ "extends": "./a.json" }', 'a.json': '{"a"}' },
      'a.json:1:2',
      '"a.json" cannot be used',
    ],
    ['a circle', { 'tsconfig.json': '{ "extends": "./tsconfig.json" }' }, 'tsconfig.json:1:14', 'extends itself'],
    [
      'a circle of two',
      { 'tsconfig.json': '{ "extends": ["./a.json", "./a.json"] }', 'a.json': '{ "extends": "./tsconfig" }' },
      'a.json:1:14',
      'extends itself',
    ],
    ['a text without an end', { 'tsconfig.json': '{ "extends": "./a' }, 'tsconfig.json:1:14', 'cannot be used'],
    ['a comment without an end', { 'tsconfig.json': '{ /* ' }, 'tsconfig.json:1:', 'cannot be used'],
    ['bytes that are no text', { 'tsconfig.json': new Uint8Array([123, 255]) }, 'tsconfig.json:1:2', 'UTF-8'],
    ['a file that cannot be read', { 'tsconfig.json': { error: 'EACCES' } }, 'tsconfig.json:1:1', 'EACCES'],
  ] as const)('P16 `detectProject` reports %s', (_, files, place, reason) => {
    const [first, ...others] = places(files as Files);
    expect(first).toContain(`generate/tsconfig ${place}`);
    expect(first).toContain(reason);
    expect(others).toEqual([]);
  });
});

describe('`toJson`', () => {
  it.each([
    ['{"a": 1, // one\n}', '{"a": 1        \n}'],
    ['[1, /* , */ ]', '[1          ]'],
    ['{"a": "// , }", }', '{"a": "// , }"  }'],
    ['{"a\\"": "\\\\",}', '{"a\\"": "\\\\" }'],
    ['/* a\r\nb */{}', '    \r\n    {}'],
    ['[1,,]', '[1, ]'],
    ['{"a": 1 / 2}', '{"a": 1 / 2}'],
  ])('P16 `toJson` keeps every position of %j', (text, json) => {
    expect(toJson(text)).toBe(json);
    expect(toJson(text)).toHaveLength(text.length);
  });
});

describe('module names', () => {
  it.each([
    ['src/a.ts', { stem: 'src/a', extension: '.ts' }],
    ['src/a.b.mjs', { stem: 'src/a.b', extension: '.mjs' }],
    ['src/get-issue', { stem: 'src/get-issue', extension: '' }],
    ['src.d/a', { stem: 'src.d/a', extension: '' }],
    ['src/a.json', undefined],
    ['src/a.d.ts', undefined],
    ['src/a.d.mts', undefined],
    ['src/a.py', undefined],
  ])('P12 `splitModule` recognizes a module by its name: %s', (path, expected) => {
    expect(splitModule(path)).toEqual(expected);
  });

  it('P12 a module is found under any extension, its own first, with one look at each folder', () => {
    const folder = memoryFolder({
      'src/a.mts': '',
      'src/b.ts': '',
      'src/b.js': '',
      'src/c.json': '',
      'src/d.ts/x': '',
      'src/e.js': { link: 'outside' },
      'top.cjs': '',
    });
    const asked: string[] = [];
    const find = createFinder({
      ...folder,
      list(path: string) {
        asked.push(path);
        return folder.list(path);
      },
    });
    expect(find({ stem: 'src/a', extension: '.ts' })).toBe('.mts');
    expect(find({ stem: 'src/b', extension: '.js' })).toBe('.js');
    expect(find({ stem: 'src/b', extension: '' })).toBe('.ts');
    expect(find({ stem: 'src/c', extension: '.ts' })).toBeUndefined();
    expect(find({ stem: 'src/d', extension: '.ts' })).toBeUndefined();
    expect(find({ stem: 'src/e', extension: '.ts' })).toBe('.js');
    expect(find({ stem: 'top', extension: '.js' })).toBe('.cjs');
    expect(find({ stem: 'nowhere/x', extension: '.js' })).toBeUndefined();
    expect(asked).toEqual(['src', '', 'nowhere']);
  });
});
