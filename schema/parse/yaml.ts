// YAML texts, document by document. The library lexes and composes; depth, aliases and keys are checked here.
// In: the text of a file. Out: its clean documents as syntax trees with their values; the rest is reported.
import type { Alias, Document, Node, Parser, Schema, YAMLError } from 'yaml';
import type { Lines, Span } from './lines.js';
import {
  type Authorship,
  binaryLimit,
  depthLimit,
  hasControls,
  maskControls,
  type Report,
  reportControls,
} from './report.js';
import { isLocal, type ParseContext, reportSyntax } from './yaml-errors.js';
import { toValue, yaml } from './yaml-value.js';

export interface YamlDocument {
  readonly root: Node;
  readonly value: unknown;
  readonly targets: ReadonlyMap<Alias, Node>;
}

type Composed = Document.Parsed;

/** The library's own search for duplicate keys is quadratic; `toValue` finds them on its way. Merge keys likewise. */
interface ComposeOptions {
  readonly schema: Schema;
  readonly uniqueKeys: false;
  readonly prettyErrors: false;
}

let sharedOptions: ComposeOptions | undefined;

/**
 * YAML 1.2 core, whatever a %YAML directive says. Shared, because building one costs a tenth of parsing a small file.
 * The library looks tags up in `knownTags` and remembers hits: without a prototype there is no `constructor` to hit.
 */
function composeOptions(): ComposeOptions {
  sharedOptions ??= {
    schema: Object.assign(new (yaml().Schema)({ schema: 'core', resolveKnownTags: false }), {
      knownTags: Object.create(null) as Schema['knownTags'],
    }),
    uniqueKeys: false,
    prettyErrors: false,
  };
  return sharedOptions;
}

/** What has a value all the same, and which. */
const tolerable: ReadonlyMap<string, string> = new Map([
  ['parse/duplicate-key', 'only the first one counts here: remove the others'],
  ['parse/not-json', 'null is used instead'],
]);

/**
 * Reads every document of a YAML text. Empty documents do not count. Of equal keys in a foreign text the first counts.
 *
 * @example readYaml('a: 1\n---\nb: 2\n', lines, report).map(document => document.value) // [{ a: 1 }, { b: 2 }]
 */
export function readYaml(
  text: string,
  lines: Lines,
  report: Report,
  authorship: Authorship = 'own',
): readonly YamlDocument[] {
  const controls = hasControls(text, 'yaml') ? reportControls(text, 'yaml', report) : [];
  if (controls.length > binaryLimit) return [];
  const stream = compose(controls.length > 0 ? maskControls(text) : text);
  let found = controls.length > 0;

  const clean: YamlDocument[] = [];
  let control = 0;
  for (const document of stream.documents) {
    const [start, , end] = document.range;
    while ((controls[control] ?? end) < start) control += 1;
    if ((controls[control] ?? end) < end) continue;
    const errors = mistakesOf(document);
    if (errors.length === 0 && isEmpty(document)) continue;
    found = true;
    const read = readDocument(document, errors, { text, lines, report }, authorship);
    if (read !== undefined) clean.push(read);
  }
  for (const span of stream.tooDeep) report('parse/too-deep', { limit: depthLimit }, span);
  if (stream.stray.length > 0)
    reportSyntax({ errors: stream.stray, directives: [], root: null }, { text, lines, report });
  if (!found && stream.tooDeep.length === 0 && stream.stray.length === 0)
    report('parse/empty', {}, { start: 0, end: 0 });
  return clean;
}

function readDocument(
  document: Composed,
  errors: readonly YAMLError[],
  context: ParseContext,
  authorship: Authorship,
): YamlDocument | undefined {
  const { text, lines, report } = context;
  const directives = document.warnings.filter(({ code }) => code === 'BAD_DIRECTIVE');
  if (errors.length > 0) reportSyntax({ errors, directives, root: document.contents }, context);
  const root: Node | null = document.contents;
  if (root === null) return undefined;

  // Behind a mistake that moves the structure, what looks like a duplicate key may be its consequence; so may what is
  // wrong on the line of any mistake.
  const trusted = errors.reduce((least, error) => (isLocal(error) ? least : Math.min(least, error.pos[0])), Infinity);
  const taken = new Set(errors.map(error => lines.lineOf(error.pos[0])));
  let clean = errors.length === 0;
  const { value, targets } = toValue(root, text, (code, params, span, extras) => {
    const isTolerated = authorship === 'foreign' && tolerable.has(code);
    if (!isTolerated) clean = false;
    if (span.start >= trusted || taken.has(lines.lineOf(span.start))) return;
    report(
      code,
      params,
      span,
      isTolerated ? { ...extras, hint: extras?.hint ?? tolerable.get(code), severity: 'warning' } : extras,
    );
  });
  return clean ? { root, value, targets } : undefined;
}

/** A tag without a meaning is only a warning to the library; data with such a tag is not what its author meant. */
function mistakesOf({ errors, warnings }: Composed): readonly YAMLError[] {
  if (warnings.length === 0) return errors;
  return [...errors, ...warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED' || code === 'BAD_COLLECTION_TYPE')];
}

function isEmpty({ contents }: Composed): boolean {
  if (contents === null) return true;
  const [start, end] = contents.range;
  return yaml().isScalar(contents) && start === end && contents.anchor === undefined && contents.tag === undefined;
}

interface Stream {
  readonly documents: Composed[];
  readonly tooDeep: Span[];
  /** Mistakes outside of any document. */
  readonly stray: YAMLError[];
}

function compose(text: string): Stream {
  const stream: Stream = { documents: [], tooDeep: [], stray: [] };
  let start: number | undefined = 0;
  while (start !== undefined) {
    const stopped = composeFrom(text, start, stream);
    if (stopped === undefined) break;
    stream.tooDeep.push({ start: stopped, end: stopped + 1 });
    start = nextDocument(text, stopped);
  }
  return stream;
}

/** Composes until the end, or until a document nests too deep: the composer recurses and would exhaust the stack. */
function composeFrom(text: string, start: number, stream: Stream): number | undefined {
  const lexer = new (yaml().Lexer)();
  const parser = new (yaml().Parser)();
  const composer = new (yaml().Composer)(composeOptions());
  parser.offset = start;
  let stopped: number | undefined;
  for (const lexeme of lexer.lex(start === 0 ? text : text.slice(start))) {
    for (const token of parser.next(lexeme)) stream.documents.push(...composer.next(token));
    if (parser.stack.length > depthLimit) stopped = excessOf(parser);
    if (stopped !== undefined) break;
  }
  if (stopped === undefined) for (const token of parser.end()) stream.documents.push(...composer.next(token));
  const before = stream.documents.length;
  stream.documents.push(...composer.end());
  if (stream.documents.length === before) {
    const { errors, warnings } = composer.streamInfo();
    for (const error of [...errors, ...warnings]) stream.stray.push(error);
  }
  return stopped;
}

/** Where the first list or map beyond the limit starts. */
function excessOf({ stack }: Parser): number | undefined {
  const open = stack.filter(({ type }) => type === 'block-map' || type === 'block-seq' || type === 'flow-collection');
  return open[depthLimit]?.offset;
}

/** A line that starts with `---` ends a document in every state of the lexer. */
function nextDocument(text: string, from: number): number | undefined {
  const marker = /^---(?=[ \t\r\n]|$)/gm;
  marker.lastIndex = from;
  return marker.exec(text)?.index;
}
