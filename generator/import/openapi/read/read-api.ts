// The reader of OpenAPI documents, of every version. In: the text of a document, and a port for what it refers to. Out: an Api, whose schemas are
// read when they are asked for.
import { type Diagnostic, diagnose, startOf } from '../../../../schema/diagnostics.js';
import { isMap } from '../../../../schema/document.js';
import type { Api } from '../api.js';
import { fileName } from './addresses.js';
import { Library, type ReadOther } from './library.js';
import { type ApiSource, openText } from './open-text.js';
import { readOperations } from './operations.js';
import { makeReader, mapAt, type PlacedMap, type Reader, textOf } from './reader.js';
import { openSecurity, readSchemes } from './security.js';
import { readVersion } from './version.js';

export type { ReadOther } from './library.js';
export type { ApiSource } from './open-text.js';

export interface ReadApiOptions {
  /** Without it, nothing but the document is read. */
  readonly readOther?: ReadOther | undefined;
  /** Characters, of which most are a byte. */
  readonly limit?: number | undefined;
}

export interface ReadApi {
  /** Undefined where the text is not a document that can be read. */
  readonly api: Api | undefined;
  /** Those of the api, if there is one. */
  readonly diagnostics: readonly Diagnostic[];
}

const usualLimit = 64 * 2 ** 20;

/**
 * Reads a document. Nothing in it makes this throw, and what is wrong with one operation is no matter for the others.
 *
 * @example readApi({ file: 'api.yaml', text }).api?.operations[0]?.path // '/users/{id}'
 */
export function readApi(source: ApiSource, { readOther, limit = usualLimit }: ReadApiOptions = {}): ReadApi {
  const { file, text } = source;
  if (text.length > limit)
    return refuse([diagnose('import/too-large', { file, size: text.length, limit }, startOf(file))]);
  const { document, mayIdentify, diagnostics } = openText(source);
  if (document === undefined) return refuse(diagnostics);
  const library = new Library(document, { readOther: readOther ?? (() => undefined), mayIdentify });
  library.collect(diagnostics);
  const version = readVersion(document, library);
  if (version === undefined || !isMap(document.value)) return refuse(library.diagnostics);
  const reader = makeReader(library, version);
  const api = makeApi(reader, { value: document.value, pointer: '#' }, file);
  return { api, diagnostics: api.diagnostics };
}

function refuse(diagnostics: readonly Diagnostic[]): ReadApi {
  return { api: undefined, diagnostics };
}

function makeApi(reader: Reader, root: PlacedMap, file: string): Api {
  const { library, version } = reader;
  const info = mapAt(reader, root, 'info')?.value ?? {};
  const schemes = readSchemes(reader, root);
  const operations = readOperations(reader, root, openSecurity(reader, schemes));
  return {
    version,
    title: textOf(info.title)?.trim() ?? fileName(file).replace(/\.\w+$/, ''),
    description: textOf(info.description) ?? textOf(info.summary),
    operations,
    schemes,
    resolve: (reference, from) => library.resolve(reference, from),
    site: (pointer, side) => library.site(pointer, side),
    get diagnostics() {
      return library.diagnostics;
    },
    diagnosticsOutside: pointers => library.diagnosticsOutside(pointers),
  };
}
