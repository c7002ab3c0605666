// I1: documents of others, as they are. Nearly all of their operations become tools of packs that are right and whose generated types compile;
// of each that does not, the import says where and why. A few documents here, all with `npm run slow:documents`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { writeFiles } from '../../harness/files.js';
import { importDocument, type Outcome } from './documents-kit.js';
import { every, installDocuments, largest, listDocuments } from './material.js';

const isAll = process.env['TOOLWRIGHT_DOCUMENTS'] === 'all';
const root = fileURLToPath(new URL('../../..', import.meta.url));
const command = join(root, 'dist/cli/main.js');
const material = installDocuments();
const { directory, examples, github } = material ?? { directory: '', examples: '', github: '' };
const listed = material === undefined ? [] : listDocuments(directory);
const sample = every(isAll ? 9 : 90, listed);
const minutes = 60_000;

const world = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-documents-')));
const empty = join(world, 'empty');
mkdirSync(empty);
afterAll(() => rmSync(world, { recursive: true, force: true }));

/** For both compilers, in one program. */
const typed = join(world, 'typed');

describe.skipIf(material === undefined)('I1 documents of others', () => {
  it(
    `I1: the operations of every ${isAll ? 'ninth' : 'ninetieth'} document of a public directory become tools`,
    async () => {
      const found = await importAll(directory, sample, (outcome, index) => {
        // Twenty of them, or two.
        if (index % 15 === 7) writeFiles(join(typed, `document-${index}`), outcome.files);
      });
      expect(found).toEqual({ ...flawless, ...(isAll ? counted.ninth : counted.ninetieth) });
    },
    60 * minutes,
  );

  it(
    'I1: all examples of what documents can say become tools, but for objects in paths',
    async () => {
      const found = await importAll(examples, listDocuments(examples));
      expect(found).toEqual({ ...flawless, ...counted.examples });
    },
    10 * minutes,
  );

  if (isAll)
    it(
      'I1: the ten largest documents become tools',
      async () => {
        const found = await importAll(directory, largest(10, directory, listed));
        expect(found).toEqual({ ...flawless, ...counted.largest });
      },
      60 * minutes,
    );

  it.each(['typescript', 'typescript7'])(
    'I1: the types of imported tools compile with %s',
    compiler => {
      expect(compile(compiler)).toEqual([]);
    },
    20 * minutes,
  );

  it.each(isAll ? [join(directory, 'stripe.com.json'), github] : every(13, sample).map(path => join(directory, path)))(
    'I1: the command imports %s into a new folder, and the pack is checked and generated',
    document => {
      const pack = join(world, 'pack');
      const run = (...words: readonly string[]): string => {
        const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], { encoding: 'utf8' });
        if (status !== 0) throw new Error(`toolwright ${words.join(' ')}: ${status}\n${stdout}${stderr}`);
        return stdout;
      };
      expect(run('import', document, '--into', pack, '--deprecated')).toMatch(/\d files written/);
      expect(run('check', pack)).toMatch(/tools/);
      run('generate', pack);
      expect(run('import', '--check', '--cwd', pack)).toMatch(/as it was imported/);
      rmSync(pack, { recursive: true });
    },
    10 * minutes,
  );
});

interface Found {
  readonly documents: number;
  readonly operations: number;
  readonly leftOut: number;
  /** Less than 95 of a hundred operations. */
  readonly poor: readonly string[];
  readonly unexplained: readonly string[];
  readonly errors: readonly string[];
}

const flawless: Pick<Found, 'poor' | 'unexplained' | 'errors'> = { poor: [], unexplained: [], errors: [] };

/** The packages are pinned, so these are exact. */
const counted = {
  // Of httpbin.org five: TRACE sends credentials back to whoever reads the answer.
  ninth: { documents: 293, operations: 9806, leftOut: 5, poor: ['httpbin.org.json: 73 of 78'] },
  ninetieth: { documents: 29, operations: 421, leftOut: 0 },
  // Objects in paths, in every style that there is: what no document of the directory has.
  examples: {
    ...{ documents: 129, operations: 1337, leftOut: 28 },
    poor: ['3.0/json', '3.0/yaml', '3.1/json', '3.1/yaml'].map(
      path => `${path}/parameters-style.${path.slice(4)}: 18 of 25`,
    ),
  },
  // A form of which nobody knows the fields.
  largest: { documents: 10, operations: 39_534, leftOut: 1 },
} satisfies Readonly<Record<string, Partial<Found>>>;

async function importAll(
  folder: string,
  files: readonly string[],
  look: (outcome: Outcome, index: number) => void = () => undefined,
): Promise<Found> {
  const found = { documents: 0, operations: 0, leftOut: 0, poor: [], unexplained: [], errors: [] } as {
    -readonly [key in keyof Found]: Found[key] extends number ? number : string[];
  };
  for (const [index, file] of files.entries()) {
    const outcome = await importDocument(join(folder, file), file, empty);
    const { operations, imported, unexplained, errors } = outcome;
    const leftOut = operations.length - imported.length;
    found.documents += 1;
    found.operations += operations.length;
    found.leftOut += leftOut;
    if (leftOut > operations.length * 0.05) found.poor.push(`${file}: ${imported.length} of ${operations.length}`);
    found.unexplained.push(...unexplained.map(place => `${file}: ${place}`));
    found.errors.push(...errors.map(error => `${file}: ${error}`));
    look(outcome, index);
  }
  return found;
}

/** What a compiler says of the generated declarations themselves. */
function compile(compiler: string): readonly string[] {
  const modules = join(typed, 'node_modules');
  rmSync(modules, { recursive: true, force: true });
  mkdirSync(join(modules, '@types'), { recursive: true });
  symlinkSync(root, join(modules, 'toolwright'), 'junction');
  symlinkSync(join(root, 'node_modules/@types/node'), join(modules, '@types/node'), 'junction');
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false, types: ['node'] },
    ...{ target: 'es2023', module: 'nodenext' },
  };
  writeFiles(typed, {
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['document-*/generated/**/*.d.ts'] }),
  });
  const bin = join(dirname(createRequire(import.meta.url).resolve(`${compiler}/package.json`)), 'bin/tsc');
  const words = ['--max-old-space-size=6000', bin, '--pretty', 'false', '--listFiles', '-p', typed];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, {
    cwd: typed,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  const complaints = stdout.split('\n').filter(line => /error TS/.test(line));
  // Mistakes of other packages are not ours.
  const ours = complaints.filter(line => line.startsWith('document-') || !/^\S+\(\d/.test(line));
  if (status !== 0 && complaints.length === 0) return [`${compiler} ends with ${status}: ${stderr}`];
  const packs = readdirSync(typed).filter(name => name.startsWith('document-'));
  const unread = packs.filter(name => !stdout.includes(`/${name}/generated/tools.d.ts`));
  return [...ours, ...(packs.length < 2 ? ['there are no packs'] : []), ...unread.map(name => `${name} was not read`)];
}
