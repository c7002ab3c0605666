// The story of an import of an API. In: an Api, and which of its operations are wanted. Out: tools, the shared schemas that they refer to, the
// backends that they ask, and the settings of these.
import { type Diagnostic, diagnose } from '../../../schema/diagnostics.js';
import { isMap } from '../../../schema/document.js';
import type { Imported, ImportedItem, ItemOrigin, LeftOut } from '../imported.js';
import { noteOfCut } from './answers.js';
import type { Api, ApiOperation, SchemaBook, SharedItem } from './api.js';
import { chooseOperations, type Filters } from './filters.js';
import { nameOfApi, nameOperations } from './names.js';
import { importOperation } from './operation.js';
import { LeftOutReason, type Schema } from './request.js';
import { cleanText } from './schema-text.js';
import { makeSchemaBook } from './schemas.js';
import { openSecurity } from './security.js';
import { openBackends } from './servers.js';

export type { Filters } from './filters.js';

export interface ImportApiOptions {
  readonly filters?: Filters | undefined;
  /** What the service returns is described, as far as the document says it. Default true. */
  readonly outputs?: boolean | undefined;
  /** Of the API; without it the title of the document. */
  readonly name?: string | undefined;
  /** Where the document was: relative addresses are below it. */
  readonly documentUrl?: string | undefined;
  readonly book?: SchemaBook | undefined;
}

/**
 * Makes tools of the operations of an API.
 *
 * @example importApi(api, { filters: { tag: ['repos'] } }).items[0]?.name // 'repos-get'
 */
export function importApi(api: Api, options: ImportApiOptions = {}): Imported {
  const { filters = {}, outputs = true, documentUrl, book = makeSchemaBook(api) } = options;
  const diagnostics: Diagnostic[] = [];
  const leftOut: LeftOut[] = [];
  const name = nameOfApi(api, options.name, documentUrl);
  const security = openSecurity(api, name);
  const backends = openBackends(api, { name, documentUrl, security });
  const { chosen, others, diagnostics: ofFilters } = chooseOperations(api, nameOperations(api.operations), filters);
  diagnostics.push(...ofFilters);
  const problems = new Set<string>();
  const tools: ImportedItem[] = [];
  const scope = { api, book, diagnostics, outputs, backendOf: backends.nameFor };
  for (const { operation, name: item } of chosen) {
    const from = originOf(operation);
    const made = importOperation(item, security.withoutProof(operation), scope);
    if (made instanceof LeftOutReason) {
      leftOut.push({ from, reason: made.reason });
      diagnostics.push(diagnose('import/left-out', { place: from.place, reason: made.reason }, api.site(made.pointer)));
      continue;
    }
    reportSecurity(operation);
    const { definition, notes } = made;
    const site = (): ReturnType<Api['site']> => api.site(operation.pointer, 'key');
    tools.push({ kind: 'tool', name: item, from, definition, ...(notes.length === 0 ? {} : { notes }), site });
  }
  const shared = book.shared(tools.flatMap(({ definition }) => schemasOf(definition)));
  diagnostics.push(...book.diagnostics());
  const description = cleanText(api.description);
  return {
    name,
    title: cleanText(api.title),
    ...(description === '' ? {} : { description }),
    items: [...tools, ...shared.map(one => sharedItem(api, one))],
    backends: backends.definitions,
    config: backends.config,
    leftOut,
    notChosen: others.map(({ operation }) => originOf(operation)),
    diagnostics: [...api.diagnosticsOutside(new Set(others.map(({ operation }) => operation.pointer))), ...diagnostics],
  };

  /** Once for each: the requests go out without it. */
  function reportSecurity(operation: ApiOperation): void {
    const { problem } = security.of(operation);
    if (problem === undefined || problems.has(problem)) return;
    problems.add(problem);
    diagnostics.push(diagnose('import/unproved', { reason: problem }, api.site(operation.pointer, 'key')));
  }
}

function originOf({ operationId, method, path }: ApiOperation): ItemOrigin {
  return { ...(operationId === undefined ? {} : { id: operationId }), place: `${method} ${path}` };
}

function schemasOf({ inputSchema, outputSchema }: Readonly<Record<string, unknown>>): readonly Schema[] {
  return [inputSchema, outputSchema].filter(isMap);
}

function sharedItem(api: Api, { name, pointer, form, definition, cut }: SharedItem): ImportedItem {
  const notes = noteOfCut(cut);
  return {
    kind: 'schema',
    name,
    from: { id: name, place: `${pointer} (${form})` },
    definition,
    ...(notes.length === 0 ? {} : { notes }),
    site: () => api.site(pointer, 'key'),
  };
}
