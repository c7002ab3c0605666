// In: a source and its settings. Out: what it gives, ready to be merged, or what is wrong with it.
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Imported } from '../../generator/import/imported.js';
import { importApi } from '../../generator/import/openapi/import-api.js';
import { type ReadOther, readApi } from '../../generator/import/openapi/read/read-api.js';
import { type Capture, captureServer, loneCall, type ServerAddress } from '../../generator/import/server/capture.js';
import { importServer } from '../../generator/import/server/import-server.js';
import { findSecrets } from '../../generator/import/server/secrets.js';
import { serverSite } from '../../generator/import/server/server-site.js';
import type { BackendScope } from '../../runtime/backends/ports.js';
import { nodeFolder, readTextIn, relativePath } from '../../runtime/load/folder.js';
import { readUpTo } from '../../runtime/load/read-file.js';
import { type Diagnostic, diagnose, hasErrors, startOf } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { visible } from '../../schema/print/visible.js';
import { explainFetch, type Fetched, fetchDocument } from './fetch-document.js';
import { fromEnvironment, type ImportSettings } from './settings.js';
import type { Source } from './source.js';

export interface OpenScope {
  /** Of the pack, which need not exist yet. */
  readonly pack: string;
  readonly name: string | undefined;
  readonly signal: AbortSignal;
  /** Says what is being done. */
  tell(step: string): void;
}

export interface Opened {
  /** Undefined where nothing could be read; then an error is among the diagnostics. */
  readonly imported: Imported | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly of: 'document' | 'server';
  /** As the source says it now: how many operations or entries it has. */
  readonly total: number;
  /** `OpenAPI 3.0`, or what the server calls itself. */
  readonly what: string;
  /** Of a document that is a file. */
  readonly folder?: string | undefined;
  /** What diagnostics have in place of a file, for a server. */
  readonly server?: string | undefined;
}

const mostBytes = 64 * 2 ** 20;
/** References lead to files that have references. */
const mostRounds = 20;

export async function openSource(source: Source, settings: ImportSettings, scope: OpenScope): Promise<Opened> {
  switch (source.of) {
    case 'command':
      return openServer({ command: source.command, cwd: settings.cwd }, settings, scope);
    case 'file':
      return openFile(source.path, settings, scope);
    case 'address':
      return openAddress(source.url, settings, scope);
    default:
      return source satisfies never;
  }
}

async function openFile(path: string, settings: ImportSettings, scope: OpenScope): Promise<Opened> {
  const file = relativePath(scope.pack, path);
  const bytes = readUpTo(path, mostBytes);
  if (typeof bytes === 'number') {
    const params = { file: basename(path), size: bytes, limit: mostBytes };
    return failed([diagnose('import/too-large', params, startOf(file))]);
  }
  if (bytes.length > 2 ** 20) scope.tell(`reading ${Math.round(bytes.length / 2 ** 20)} MiB`);
  // Nothing outside of the folder is read, wherever links lead.
  const home = nodeFolder(dirname(path));
  const beside = (address: string): string | undefined =>
    home.status(address) === 'file' ? readTextIn(home, address) : undefined;
  const document = { file, text: bytes.toString('utf8'), url: undefined, beside };
  return { ...(await openDocument(document, settings, scope)), folder: dirname(path) };
}

/** What an address answers says what it is. Servers refuse a plain GET, or answer with a stream. */
async function openAddress(url: string, settings: ImportSettings, scope: OpenScope): Promise<Opened> {
  const bearer = settings.bearer === undefined ? undefined : fromEnvironment(settings.bearer, '--bearer');
  // The address is written into files that are committed.
  const place = serverSite({ url });
  const secrets = findSecrets({ url }, place);
  if (secrets.length > 0) return { ...failed(secrets), server: place.file };
  if (settings.isServer === true) return openServer({ url, bearer }, settings, scope);
  scope.tell(`asking ${new URL(url).host}`);
  const fetched = await fetchPage(url, bearer, scope);
  const isPage = typeof fetched !== 'string' && fetched.status >= 200 && fetched.status < 300 && fetched.text !== '';
  if (isPage && !isMessage(fetched)) {
    const beside = (): undefined => undefined;
    return openDocument({ file: url, text: fetched.text, url: fetched.url, beside }, settings, scope);
  }
  if (typeof fetched === 'string') return failed([diagnose('import/no-answer', { reason: fetched }, startOf(url))]);
  const server = await openServer({ url, bearer }, settings, scope);
  if (server.imported !== undefined || fetched.status < 400) return server;
  // Neither: what the address says to a browser is what a person can do something about.
  const reason = `it answers ${fetched.status} to a GET request, and is not an MCP server`;
  return failed([diagnose('import/no-answer', { reason }, startOf(url))]);
}

/** Some servers answer a GET with a protocol error. */
function isMessage({ text, type }: Fetched): boolean {
  if (!type.includes('json') || text.length > 10_000) return false;
  try {
    const value: unknown = JSON.parse(text);
    return isMap(value) && value['jsonrpc'] === '2.0';
  } catch {
    return false;
  }
}

/** A string: why there is no answer. */
async function fetchPage(
  url: string,
  bearer: string | undefined,
  { signal, pack }: OpenScope,
): Promise<Fetched | string> {
  const values = bearer === undefined ? {} : { BEARER: bearer };
  const redact = (text: string): string => (bearer === undefined ? text : text.replaceAll(bearer, '***'));
  const scope: BackendScope = { folder: pack, env: process.env, settings: { values, redact }, report: () => undefined };
  try {
    const call = loneCall(signal);
    return await fetchDocument(url, {
      scope,
      call,
      bearer: bearer === undefined ? undefined : 'BEARER',
      maxBytes: mostBytes,
    });
  } catch (error) {
    if (signal.aborted) return 'it was stopped';
    const reason = explainFetch(error);
    if (reason === undefined) throw error;
    return redact(reason);
  }
}

interface OpenDocument {
  readonly file: string;
  readonly text: string;
  /** Where it came from; undefined for a file. */
  readonly url: string | undefined;
  /** The text of a file beside it. */
  beside(address: string): string | undefined;
}

/** With --external-refs again and again, until everything that it refers to has been fetched: schemas are followed when they are asked for. */
async function openDocument(document: OpenDocument, settings: ImportSettings, scope: OpenScope): Promise<Opened> {
  const fetched = new Map<string, string | undefined>();
  for (let round = 0; ; round += 1) {
    const wanted = new Set<string>();
    const opened = readDocument(document, settings, scope, address => {
      const whole = wholeAddress(address, document.url);
      if (whole === undefined) return document.beside(address);
      if (!fetched.has(whole)) wanted.add(whole);
      return fetched.get(whole);
    });
    if (settings.externalRefs !== true || wanted.size === 0 || round === mostRounds) return opened;
    for (const address of wanted) {
      scope.tell(`reading ${visible(address)}`);
      const page = await fetchPage(address, undefined, scope);
      fetched.set(address, typeof page === 'string' || page.status >= 300 ? undefined : page.text);
    }
  }
}

function readDocument(
  { file, text, url }: OpenDocument,
  settings: ImportSettings,
  { name }: OpenScope,
  readOther: ReadOther,
): Opened {
  const { api, diagnostics } = readApi({ file, text }, { readOther, limit: mostBytes });
  if (api === undefined) return failed(diagnostics);
  const { outputs = true, deprecated = false, only, tag, method, path, exclude } = settings;
  const filters = { only, tag, method, path, exclude, deprecated };
  const imported = importApi(api, { filters, outputs, name, documentUrl: url });
  const { length } = api.operations;
  return { imported, diagnostics: [], of: 'document', total: length, what: `OpenAPI ${api.version}` };
}

/** Undefined for a file beside a document that is a file. */
function wholeAddress(address: string, url: string | undefined): string | undefined {
  if (/^https?:\/\//i.test(address)) return address;
  return url === undefined ? undefined : new URL(address, url).href;
}

async function openServer(place: ServerAddress, settings: ImportSettings, scope: OpenScope): Promise<Opened> {
  const { proxy, short, merge = [], env = [], bearer } = settings;
  const { pack, signal, name } = scope;
  const variables = Object.fromEntries(env.map(key => [key, fromEnvironment(key, '--env')]));
  const start = 'url' in place || place.cwd === undefined ? {} : { cwd: resolve(pack, place.cwd) };
  const address = 'url' in place ? place : { ...place, ...start, env: variables };
  const captures: Capture[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const words of ['', ...merge]) {
    const { capture, diagnostics: found } = await captureServer(address, {
      // A folder that does not exist yet is beside the one that people are in.
      folder: existsSync(pack) ? pack : dirname(pack),
      environment: process.env,
      words: words === '' ? [] : splitWords(words),
      signal,
      onProgress: step => scope.tell(words === '' ? step : `${visible(words)}: ${step}`),
    });
    diagnostics.push(...found);
    if (capture === undefined) return { ...failed(diagnostics), of: 'server', server: serverSite(place).file };
    captures.push(capture);
  }
  const server = serverSite(place).file;
  const where = 'url' in place ? { url: place.url } : { command: place.command, cwd: place.cwd };
  const imported = importServer(captures, { place: where, proxy, short, name, env, bearer });
  const [first] = captures;
  const offer = first?.offer;
  const lists = offer === undefined ? [] : [offer.tools, offer.prompts, offer.resources, offer.resourceTemplates];
  const total = lists.reduce((sum, list) => sum + list.length, 0);
  return {
    imported: hasErrors(imported.diagnostics) && imported.items.length === 0 ? undefined : imported,
    diagnostics:
      hasErrors(imported.diagnostics) && imported.items.length === 0
        ? [...diagnostics, ...imported.diagnostics]
        : diagnostics,
    of: 'server',
    server,
    total,
    what: `MCP server ${visible(String(offer?.serverInfo['name'] ?? ''))}`.trim(),
  };
}

/** Words of a shell, without its expansions. */
function splitWords(text: string): readonly string[] {
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map(word => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

function failed(diagnostics: readonly Diagnostic[]): Opened {
  return { imported: undefined, diagnostics, of: 'document', total: 0, what: '' };
}
