// One folder per case: in/ is a pack, before/ what generate finds beside it, out/ what it leaves there, diagnostics.txt what it
// says, operations.txt what it did to files that were there. `npm run golden` rewrites out/ and both texts; review them like code.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashText } from '../../generator/compile/ledger.js';
import { hasErrors } from '../../schema/diagnostics.js';
import { formatDiagnostics } from '../../schema/print/diagnostics.js';
import {
  copyInto,
  goldenFolder,
  listCases,
  makeFolder,
  type RanCase,
  runCase,
  type Tree,
} from '../generator/compile/golden-generate-cases.js';
import { readTree, writeFiles } from '../harness/files.js';

const isUpdating = process.env['UPDATE_GOLDEN'] === '1';
const repository = fileURLToPath(new URL('../..', import.meta.url));
const ledgerName = '.toolwright.json';
/** The one case whose out/ has the editor schemas too: they are long, and alike in all packs. */
const schemaCase = 'pack-schemas';

const cases = listCases();
const ran = new Map<string, Promise<RanCase>>();

function run(name: string): Promise<RanCase> {
  const known = ran.get(name) ?? runCase(name);
  ran.set(name, known);
  return known;
}

/** What belongs into out/: all but the pack's own files, the ledger (hashes, compared below) and the editor schemas. */
function outOf(name: string, after: Tree): Tree {
  const given = readTree(join(goldenFolder, name, 'in'));
  const isShown = (path: string): boolean =>
    !Object.hasOwn(given, path) &&
    !path.endsWith(`/${ledgerName}`) &&
    (name === schemaCase || !/\/schema\/[a-z]+\.schema\.json$/.test(path));
  return Object.fromEntries(Object.entries(after).filter(([path]) => isShown(path)));
}

function compareText(file: string, actual: string): void {
  if (isUpdating) {
    if (actual === '') rmSync(file, { force: true });
    else writeFileSync(file, actual);
  }
  expect(actual).toBe(existsSync(file) ? readFileSync(file, 'utf8') : '');
}

function compareTree(folder: string, actual: Tree): void {
  if (isUpdating) {
    rmSync(folder, { recursive: true, force: true });
    writeFiles(folder, actual);
  }
  expect(actual).toEqual(readTree(folder));
}

describe('golden cases of `generate`', () => {
  it('there are enough golden cases', () => {
    expect(cases.length).toBeGreaterThanOrEqual(30);
  });

  for (const name of cases) {
    const folder = join(goldenFolder, name);

    it(`P12 \`generate\` writes the files of ${name}`, async () => {
      const { after } = await run(name);
      const given = readTree(join(folder, 'in'));
      expect(Object.fromEntries(Object.keys(given).map(path => [path, after[path]]))).toEqual(given);
      compareTree(join(folder, 'out'), outOf(name, after));
    });

    it(`W67 \`generate\` reports the diagnostics of ${name}`, async () => {
      const { diagnostics, textOf } = await run(name);
      const text = diagnostics.length === 0 ? '' : formatDiagnostics(diagnostics, { format: 'text', textOf });
      compareText(join(folder, 'diagnostics.txt'), text);
      expect(hasErrors(diagnostics)).toBe(mistaken.has(name));
    });

    it(`P11 \`generate\` performs the operations of ${name}, keeps its ledger and has nothing to do the second time`, async () => {
      const { operations, after, again } = await run(name);
      const before = readTree(join(folder, 'before'));
      const told = operations.filter(({ path }) => Object.hasOwn(before, path) && !path.endsWith(`/${ledgerName}`));
      compareText(join(folder, 'operations.txt'), told.map(({ op, path }) => `${op} ${path}\n`).join(''));

      const [ledgerPath] = Object.keys(after).filter(path => path.endsWith(`/${ledgerName}`));
      const ledger: unknown = ledgerPath === undefined ? {} : JSON.parse(after[ledgerPath] ?? '');
      const wanted = operations.filter(({ role, op }) => (role === 'generated' || role === 'stub') && op !== 'delete');
      const known = wanted.filter(({ op }) => op !== 'refuse');
      for (const { path, role } of known) {
        const entry = role === 'stub' ? { stub: expect.anything() } : { hash: hashText(after[path] ?? '') };
        expect(ledger).toHaveProperty([path], expect.objectContaining(entry));
      }
      expect(again.filter(({ op }) => op !== 'keep' && op !== 'refuse')).toEqual([]);
    });
  }
});

/** The packs with mistakes; all others must stay without. */
const mistaken = new Set(['colliding-items', 'edited-file', 'errors-in-pack', 'existing-handlers', 'foreign-file']);

/** What all outputs are compiled with: the strictest settings that a project may have. */
const compilerOptions = {
  target: 'es2022',
  lib: ['es2022'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noFallthroughCasesInSwitch: true,
  allowImportingTsExtensions: true,
  esModuleInterop: true,
  allowJs: true,
  checkJs: true,
  noEmit: true,
  types: [],
  paths: { 'toolwright/support': [join(repository, 'schema/support.ts')] },
};

/** What handlers find in every place they run. */
const surroundings = `interface AbortSignal { readonly aborted: boolean }
declare const module: { exports: unknown };
`;

/** Handlers that are wrong on purpose, and generated files that somebody edited. */
const isBroken = (name: string): boolean =>
  ['renamed-item', 'edited-file', 'edited-leftover', 'foreign-file', 'existing-handlers'].includes(name);

describe('golden cases of `generate`, all outputs together', () => {
  let folder = '';
  const sound = cases.filter(name => !isBroken(name));

  beforeAll(() => {
    folder = makeFolder();
    for (const name of sound) {
      copyInto(join(goldenFolder, name, 'in'), join(folder, name));
      copyInto(join(goldenFolder, name, 'out'), join(folder, name));
    }
    writeFileSync(join(folder, 'surroundings.d.ts'), surroundings);
    // Validators are code of ajv, which has no types; declarations stand for all other modules that are generated.
    const config = { compilerOptions, include: ['.'], exclude: ['*/generated/**/*.*js', '*/build/api/**/*.*js'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('P16 all golden outputs type-check in one program under TypeScript 5.9', () => {
    const read = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
    const { fileNames, options, errors } = ts.parseJsonConfigFileContent(read.config, ts.sys, folder);
    expect(errors).toEqual([]);
    expect(fileNames.filter(file => file.endsWith('.d.ts')).length).toBeGreaterThan(sound.length);
    expect(fileNames.filter(file => /(?<!\.d)\.m?ts$/.test(file)).length).toBeGreaterThan(30);
    const program = ts.createProgram({ rootNames: fileNames, options });
    expect(complaints(program, folder)).toEqual([]);
  });

  it('P16 all golden outputs type-check in one program under TypeScript 7', () => {
    const compiler = join(repository, 'node_modules/typescript7/bin/tsc');
    const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '--pretty', 'false', '-p', folder], {
      encoding: 'utf8',
      cwd: folder,
    });
    expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
  });

  it('P17 every generated module loads and imports nothing but toolwright/support', () => {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(repository, join(folder, 'node_modules/toolwright'), 'junction');
    const modules = Object.entries(readTreeOf(folder, sound)).filter(([path]) =>
      /\/(generated|api)\/.*\.m?js$/.test(path),
    );
    expect(modules.length).toBeGreaterThan(sound.length);
    for (const [path, text] of modules) {
      const imports = [...text.matchAll(/^import .* from (.*);$/gm)].map(([, from]) => from);
      expect([path, imports.filter(from => !/^['"]toolwright\/support['"]$/.test(from ?? ''))]).toEqual([path, []]);
      expect([path, /\brequire\(|\beval\(|new Function/.test(text)]).toEqual([path, false]);
    }
    // The index has the format of the project around it, validators say theirs in their names.
    const urls = modules.map(([path]) => pathToFileURL(join(folder, path)).href);
    const script = `for (const url of ${JSON.stringify(urls)}) {
      try { await import(url); } catch (error) { console.log(url.slice(-60), String(error)); }
    }`;
    const flags = ['--no-warnings', '--disallow-code-generation-from-strings', '--input-type=module', '-e', script];
    const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8', cwd: folder });
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  });
});

function readTreeOf(folder: string, names: readonly string[]): Tree {
  return Object.fromEntries(
    names.flatMap(name =>
      Object.entries(readTree(join(folder, name))).map(([path, text]) => [`${name}/${path}`, text]),
    ),
  );
}

/** What is wrong with a program, one line each. */
function complaints(program: ts.Program, folder: string): readonly string[] {
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
    const path = file?.fileName.slice(folder.length + 1);
    return `${path}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
