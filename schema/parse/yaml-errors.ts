// The library's syntax errors, in words an author understands, at the place to fix, without follow-up noise.
// In: the errors of one document. Out: reports, one per mistake.
import type { Node, YAMLError } from 'yaml';
import { type Lines, lineInk, lineStart, type Span } from './lines.js';
import type { Explanation, Report } from './report.js';
import {
  type Context,
  explainableNodes,
  explainBlockInFlow,
  explainColumn,
  explainDirective,
  explainEscape,
  explainInnerBracket,
  explainLooseLine,
  explainNested,
  explainOpenBracket,
  explainOpenQuote,
  explainReserved,
  explainStrayBracket,
  explainTrailing,
  spanOf,
} from './yaml-explain.js';

interface SyntaxErrors {
  readonly errors: readonly YAMLError[];
  readonly directives: readonly YAMLError[];
  readonly root: Node | null;
}

export interface ParseContext {
  readonly text: string;
  readonly lines: Lines;
  readonly report: Report;
}

/** Mistakes that stay inside one scalar: what follows them is read as it was meant. */
const localCodes: ReadonlySet<string> = new Set([
  'BAD_SCALAR_START',
  'BAD_DQ_ESCAPE',
  'TAG_RESOLVE_FAILED',
  'BAD_COLLECTION_TYPE',
  'BAD_ALIAS',
  'ALIAS_PROPS',
  'MULTIPLE_ANCHORS',
]);

/** A file with a hundred mistakes has only one: it is not YAML. */
const reportLimit = 100;

export function isLocal(error: YAMLError): boolean {
  return localCodes.has(error.code);
}

/**
 * Reports the syntax errors of one document.
 *
 * @example reportSyntax({ errors: document.errors, directives: [], root: document.contents }, { text, lines, report })
 */
export function reportSyntax(found: SyntaxErrors, { text, lines, report }: ParseContext): void {
  const conflict = conflictMarker(found.errors, { text, lines });
  if (conflict !== undefined) {
    report('parse/yaml', { reason: 'the file has an unresolved merge conflict' }, conflict, {
      hint: 'keep one of the two sides and remove the lines of <, = and >',
    });
    return;
  }
  const errors = [...found.errors].sort((a, b) => a.pos[0] - b.pos[0]);
  const nodes = explainableNodes(found.root);
  const errorLines = new Set<number>();
  const shownLines = new Set<number>();
  let swallowed: Span = { start: 0, end: 0 };
  for (const [index, error] of errors.entries()) {
    const offset = error.pos[0];
    if (errorLines.has(lines.lineOf(offset)) || (swallowed.start <= offset && offset < swallowed.end)) continue;
    if (index > 0 && isConsequence(error, text)) continue;
    const explanation = explain(error, { text, nodes, others: errors, directives: found.directives });
    if (explanation.swallows !== undefined) swallowed = explanation.swallows;
    errorLines.add(lines.lineOf(offset));
    const shown = lines.lineOf(explanation.span.start);
    if (shownLines.has(shown)) continue;
    shownLines.add(shown);
    if (shownLines.size > reportLimit) return;
    reportOne(error, explanation, { text, lines, report });
  }
}

function reportOne(
  error: YAMLError,
  { span, reason, hint, related }: Explanation,
  { text, report }: ParseContext,
): void {
  switch (error.code) {
    case 'TAB_AS_INDENT':
      report('parse/tab', {}, span);
      return;
    case 'TAG_RESOLVE_FAILED':
    case 'BAD_COLLECTION_TYPE':
    case 'MULTIPLE_TAGS':
      report('parse/tag', { tag: text.slice(span.start, span.end) }, span);
      return;
    default:
      // The library may learn new codes; its own message is still better than none.
      report('parse/yaml', { reason }, span, { hint, related });
  }
}

/** What the parser could not place after it had lost the structure, and what it met first on a later line. */
function isConsequence({ message, pos }: YAMLError, text: string): boolean {
  if (/ in YAML stream/.test(message)) return true;
  return / at node end$/.test(message) && text.slice(lineStart(text, pos[0]), pos[0]).trim() === '';
}

/** Where version control left its marks, everything else is a consequence. */
function conflictMarker(errors: readonly YAMLError[], { text, lines }: Omit<ParseContext, 'report'>): Span | undefined {
  const marks = [...text.matchAll(/^(?:<<<<<<<|=======|>>>>>>>)(?: .*)?$/gm)];
  if (marks.length === 0) return undefined;
  const errorLines = new Set(errors.map(error => lines.lineOf(error.pos[0])));
  const mark = marks.find(({ index }) => errorLines.has(lines.lineOf(index)));
  return mark === undefined ? undefined : lineInk(text, mark.index);
}

// The table of syntax errors: how the library words each, and what an author should read instead.
// In: one error and its document. Out: its explanation.

type Rule = { readonly message: RegExp } & (
  | { readonly explain: (error: YAMLError, context: Context) => Explanation }
  /** `at`: what is marked, the place of the error by default. */
  | { readonly reason: string; readonly hint?: string; readonly at?: 'line' }
);

const rules: readonly Rule[] = [
  { message: /^Nested mappings are not allowed/, explain: explainNested },
  { message: /^Implicit keys need to be on a single line/, explain: explainLooseLine },
  { message: /^Implicit map keys need to be followed/, explain: explainLooseLine },
  { message: /^Missing closing .quote/, explain: explainOpenQuote },
  { message: /must .*end with a [\]}]$/, explain: explainOpenBracket },
  { message: / at node end$/, explain: explainTrailing },
  { message: /^All mapping items must start at the same column/, explain: explainColumn },
  {
    message:
      /^(?:All sequence items must start at the same column|A block sequence may not be used|Sequence item without)/,
    reason: 'this line does not fit the list or map around it',
    hint: 'list items start with "- " in the same column, and so do the keys of a map',
    at: 'line',
  },
  {
    message: /^Block scalar values in collections must be indented/,
    reason: 'the text after | or > must be indented more than its key',
    at: 'line',
  },
  {
    message: /^Block scalars with more-indented leading empty lines|^Invalid leading empty lines/,
    reason: 'the empty lines before this text are indented more than the text',
    at: 'line',
  },
  { message: /^Plain value cannot start with/, explain: explainReserved },
  { message: /^Invalid escape sequence/, explain: explainEscape },
  {
    message: /^(?:Block scalar header includes|Not a YAML token)/,
    reason: 'nothing may follow | or > on its line; the text starts on the next one',
    hint: 'text that starts with | or > needs quotes',
  },
  {
    message: /^Unexpected block-seq-ind on same line with key/,
    reason: 'a list cannot start on the same line as its key',
    hint: 'start the list on the next line, or put text that starts with "- " in quotes',
  },
  {
    message: /^(?:Alias|Anchor) cannot be an empty string/,
    reason: 'text cannot start with * or &',
    hint: 'put the text in quotes',
  },
  {
    message: /^An alias node must not specify/,
    reason: 'an alias cannot have its own anchor or tag',
  },
  { message: /^A node can have at most one anchor/, reason: 'a value can have only one anchor' },
  {
    message: /^Anchors and tags must be after/,
    reason: 'an anchor or a tag goes before the value, after "-", "?" or ":"',
  },
  { message: /^Tags and anchors must be separated/, reason: 'a space is missing after the anchor or tag' },
  {
    message: /^Missing newline after block sequence props/,
    reason: 'a list starts on the line after its anchor or tag',
  },
  {
    message: /^Missing , (?:or : )?between flow/,
    explain: (error, context) =>
      explainInnerBracket(error, context) ?? { span: spanOf(error, context.text), ...missingComma },
  },
  { message: /^Missing space after :/, reason: 'a space is missing after the colon' },
  { message: /^Block collections are not allowed within flow/, explain: explainBlockInFlow },
  {
    message: /^Unexpected (?:, in|empty item in) flow/,
    reason: 'there is nothing between two commas',
    hint: 'remove one of the commas',
  },
  {
    message: /^Comments must be separated/,
    reason: 'a space is missing before the comment',
    hint: 'text with # needs quotes',
  },
  { message: /^The : indicator must be at most 1024/, reason: 'a key can have at most 1024 characters' },
  { message: /^Implicit keys of flow sequence pairs/, reason: 'a key must be on one line' },
  {
    message: /^(?:Missing directives-end|Unknown directive|Unsupported YAML version|%TAG|%YAML)/,
    explain: explainDirective,
  },
  { message: /^Block collection cannot start on same line/, reason: 'the data starts on the line after ---' },
  { message: /in YAML stream: "[\]}]"$/, explain: explainStrayBracket },
];

const missingComma = {
  reason: 'a comma is missing between two items',
  hint: 'inside [ ] and { }, text with quotes, commas or brackets needs quotes',
};

/** What one error means. An error that the table does not know keeps the library's words. */
function explain(error: YAMLError, context: Context): Explanation {
  const { text } = context;
  const rule = rules.find(({ message }) => message.test(error.message));
  if (rule === undefined) return { span: spanOf(error, text), reason: `this is not valid YAML: ${error.message}` };
  if ('explain' in rule) return rule.explain(error, context);
  const { reason, hint, at } = rule;
  return { span: at === 'line' ? lineInk(text, error.pos[0]) : spanOf(error, text), reason, hint };
}
