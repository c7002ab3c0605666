// What the tests of real documents share. In: an OpenAPI document of somebody else. Out: how many operations it has, counted without our
// reader, and what became of them: imported, checked and generated in one process, with nothing written.
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { plannedFolder } from '../../../generator/author/change-book.js';
import type { InitSettings } from '../../../generator/author/init-settings.js';
import { generate } from '../../../generator/compile/generate.js';
import type { Imported } from '../../../generator/import/imported.js';
import { importApi } from '../../../generator/import/openapi/import-api.js';
import { readApi } from '../../../generator/import/openapi/read/read-api.js';
import { type ImportPlan, planImport } from '../../../generator/import/plan-import.js';
import { isInsideFolder, nodeFolder } from '../../../runtime/load/folder.js';
import { checkPack } from '../../../runtime/packs/check.js';
import type { Diagnostic } from '../../../schema/diagnostics.js';

/** What became of one document. */
export interface Outcome {
  readonly file: string;
  /** Operations that the document has, as `GET /users`. */
  readonly operations: readonly string[];
  readonly imported: readonly string[];
  /** Operations that were not imported and have no diagnostic that names them, with a place. */
  readonly unexplained: readonly string[];
  readonly leftOut: readonly Diagnostic[];
  /** Of our own making: errors that `check` and `generate` find in what was imported, and what was thrown. */
  readonly errors: readonly string[];
  /** Of the pack, with its generated code. */
  readonly files: Readonly<Record<string, string>>;
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']);

/** Paths times methods, of the plain JSON or YAML. */
function countOperations(text: string): readonly string[] {
  const document = toMap(text.trimStart().startsWith('{') ? JSON.parse(text) : parse(text, { maxAliasCount: -1 }));
  return Object.entries(toMap(document['paths'])).flatMap(([path, written]) => {
    const item = toMap(followIn(document, written));
    const others = Object.keys(toMap(item['additionalOperations']));
    const known = Object.keys(item).filter(key => methods.has(key.toLowerCase()));
    return [...known, ...others].map(method => `${method.toUpperCase()} ${path}`);
  });
}

function followIn(document: unknown, value: unknown): unknown {
  const { $ref: reference } = toMap(value);
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return value;
  return reference
    .slice(2)
    .split('/')
    .map(key => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((here, key) => toMap(here)[key], document);
}

function toMap(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

const newPack: InitSettings = {
  name: 'imported',
  description: 'An API of somebody else',
  language: 'ts',
  transport: 'stdio',
  isEmpty: true,
  toolwright: '^0.1.0',
  manager: { name: 'npm', major: undefined, isModernYarn: false, isPinned: false },
  editors: [],
  isRepository: true,
};

/** As `toolwright import <file> --deprecated`, `check` and `generate` do it. */
export async function importDocument(path: string, file: string, empty: string): Promise<Outcome> {
  const text = readFileSync(path, 'utf8');
  const operations = countOperations(text);
  const nothing = { file, operations, imported: [], unexplained: operations, leftOut: [], files: {} };
  try {
    const folder = dirname(path);
    const readOther = (address: string): string | undefined => {
      const other = resolve(folder, address);
      const isThere = isInsideFolder(other, folder) && statSync(other, { throwIfNoEntry: false })?.isFile() === true;
      return isThere ? readFileSync(other, 'utf8') : undefined;
    };
    const { api, diagnostics } = readApi({ file, text }, { readOther });
    if (api === undefined) return { ...nothing, leftOut: diagnostics, errors: ['not read'] };
    const imported = importApi(api, { filters: { deprecated: true } });
    const pack = nodeFolder(empty);
    const plan = planImport({ folder: pack, loaded: undefined, newPack, imported, source: { address: file } });
    // There is nothing to import: that is what the import has to say, and all it may do.
    if (operations.length === 0 && plan.changes.length === 0) {
      const others = plan.diagnostics.filter(({ code }) => code !== 'import/nothing-chosen');
      const isSilent = others.length === plan.diagnostics.length;
      return { ...nothing, errors: isSilent ? ['an import of nothing says nothing'] : errorsOf(others) };
    }
    const planned = plannedFolder(pack, plan.changes);
    const report = await checkPack(planned);
    const generated = await generate(planned);
    return {
      file,
      operations,
      ...explain(operations, imported, plan),
      errors: [
        ...errorsOf(plan.changes.length === 0 ? plan.diagnostics : []),
        ...errorsOf(report.diagnostics),
        ...errorsOf(generated.diagnostics),
      ],
      files: Object.fromEntries([
        ...plan.changes.flatMap(({ path: name, after }) => (after === undefined ? [] : [[name, after]])),
        ...generated.operations.flatMap(one => (one.op === 'create' ? [[one.path, one.text]] : [])),
      ]),
    };
  } catch (error) {
    return { ...nothing, errors: [`thrown: ${error instanceof Error ? error.stack : String(error)}`] };
  }
}

function explain(
  operations: readonly string[],
  { items, diagnostics }: Imported,
  plan: ImportPlan,
): Pick<Outcome, 'imported' | 'unexplained' | 'leftOut'> {
  const tools = new Set(
    plan.items.flatMap(({ kind, state, name }) => (kind === 'tool' && state === 'created' ? [name] : [])),
  );
  const imported = items.filter(({ kind, name }) => kind === 'tool' && tools.has(name)).map(({ from }) => from.place);
  const leftOut = diagnostics.filter(({ code }) => code === 'import/left-out');
  const places = leftOut.filter(({ line, column }) => line > 0 && column > 0).map(({ message }) => message);
  const isThere = new Set(imported);
  const missing = operations.filter(place => !isThere.has(place));
  // Of a path that cannot be followed, there is one diagnostic for all of its operations.
  const isExplained = (place: string): boolean => {
    // Long names are cut.
    const names = [place, place.replace(/^\S+ /, '')].map(name => JSON.stringify(name.slice(0, 70)).slice(0, -1));
    return places.some(message => names.some(name => message.startsWith(name)));
  };
  const unexplained = missing.filter(place => !isExplained(place));
  return { imported, unexplained, leftOut };
}

function errorsOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, file, line, column, message }) => `${code} ${file}:${line}:${column} ${message}`);
}
