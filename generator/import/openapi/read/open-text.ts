// In: the text of a document. Out: its value with positions, whatever format it is in, and what is wrong with it.
import { type Diagnostic, diagnose, startOf } from '../../../../schema/diagnostics.js';
import { asMap, type Document, type Format } from '../../../../schema/document.js';
import { toJson } from '../../../../schema/parse/json.js';
import { parseForeign } from '../../../../schema/parse/parse.js';
import { isMeantAsOpenApi, type Recognized, recognizeText, unparsed } from './recognize.js';

/** A document as somebody read it. */
export interface ApiSource {
  /** What diagnostics call it: a path or an address. */
  readonly file: string;
  readonly text: string;
}

export interface OpenedText {
  readonly document: Document | undefined;
  /** Whether its schemas may have names of their own, which references use. */
  readonly mayIdentify: () => boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses a document of an API. JSON is recognized by its text, because many files with the name of one format are in the other.
 *
 * @example openText({ file: 'api.yaml', text: 'openapi: 3.1.0' }).document?.value // { openapi: '3.1.0' }
 */
export function openText({ file, text: written }: ApiSource): OpenedText {
  const text = written.startsWith('\ufeff') ? written.slice(1) : written;
  const seems = recognizeText(text);
  if (seems !== undefined) return refuse(file, seems);
  if (!/^\s*[{[]/.test(text)) {
    const yaml = openAs('yaml', file, text);
    return yaml.document !== undefined || isMeantAsOpenApi(text) ? yaml : refuse(file, unparsed);
  }
  const json = openAs('json', file, text);
  if (json.document !== undefined) return json;
  // Comments and commas at the end, which most readers of JSON accept, and then YAML, whose maps may be written alike.
  const plain = toJson(text);
  const loose = plain === text ? json : openAs('json', file, plain);
  if (loose.document !== undefined || /\.json$/i.test(file) || text.length > mostFlowYaml) return loose;
  const yaml = openAs('yaml', file, text);
  return yaml.document === undefined ? loose : yaml;
}

function refuse(file: string, { name, hint }: Recognized): OpenedText {
  const wrong = diagnose('import/not-openapi', { file, seems: name }, startOf(file), { hint });
  return { document: undefined, mayIdentify: () => false, diagnostics: [wrong] };
}

/** Most documents have none of them, and need not be searched. */
const identifying = ['$id', '$anchor', '$dynamicAnchor'];

/** YAML takes a hundred times as long as JSON. */
const mostFlowYaml = 2 ** 21;

function openAs(format: Format, file: string, text: string): OpenedText {
  const { documents, diagnostics } = parseForeign({ path: file, format, text, hash: '' });
  // A YAML text may have several documents; the others are notes or examples.
  const document = documents.find(({ value }) => 'openapi' in asMap(value) || 'swagger' in asMap(value));
  const mayIdentify = (): boolean => identifying.some(word => text.includes(word));
  return { document: document ?? documents[0], mayIdentify, diagnostics };
}
