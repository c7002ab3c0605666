// The library's syntax errors, in words an author understands, at the place to fix, without follow-up noise.
// In: the errors of one document. Out: reports, one per mistake.
import type { Node, YAMLError } from 'yaml';
import { type Lines, lineInk, lineStart, type Span } from './lines.js';
import type { Explanation, Report } from './report.js';
import { explainableNodes } from './yaml-explain.js';
import { explain } from './yaml-reasons.js';

interface SyntaxErrors {
  readonly errors: readonly YAMLError[];
  readonly directives: readonly YAMLError[];
  readonly root: Node | null;
}

export interface Context {
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
export function reportSyntax(found: SyntaxErrors, { text, lines, report }: Context): void {
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

function reportOne(error: YAMLError, { span, reason, hint, related }: Explanation, { text, report }: Context): void {
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
function conflictMarker(errors: readonly YAMLError[], { text, lines }: Omit<Context, 'report'>): Span | undefined {
  const marks = [...text.matchAll(/^(?:<<<<<<<|=======|>>>>>>>)(?: .*)?$/gm)];
  if (marks.length === 0) return undefined;
  const errorLines = new Set(errors.map(error => lines.lineOf(error.pos[0])));
  const mark = marks.find(({ index }) => errorLines.has(lines.lineOf(index)));
  return mark === undefined ? undefined : lineInk(text, mark.index);
}
