// Text without quotes that does not say what its author meant: it ends at a ` #`, which begins a comment, or it has the quotes of
// a word processor, which YAML takes for text. In: the documents of a YAML text. Out: a warning for each.
import type { Scalar } from 'yaml';
import { lineEnd } from './lines.js';
import type { Report } from './report.js';
import type { YamlDocument } from './yaml.js';
import { keyText, spanOfNode, yaml } from './yaml-value.js';

/** One space before the #: comments at the end of a line mostly have two. Few files have one, and only they are looked through. */
const mayCut = /[^\s#] #/;

/** `&` before text names it for an alias. */
const mayAnchor = /: &/;

/** A whole text in the quotes of a word processor. Quotes inside it say that they are meant. */
const curly = /^[“„‘]([^“”„‘’]*)[”“’]$/;
const mayCurl = /[“„‘]/;

/** Keys whose values people and models read. Lists below them are prose, too. */
const proseKeys: ReadonlySet<string> = new Set([
  'description',
  'title',
  'instructions',
  'text',
  'message',
  'suggestedFix',
  'resultText',
  'whenToUse',
  'avoidIf',
  'prerequisites',
  'sideEffects',
  'additionalInfo',
]);

/** Keys of the author's own values, at any depth: `issue #42` may be one of them, and `50 # per page` is not. */
const dataKeys: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'input', 'output']);

/** A parameter may be called `description` or `title`; then its value is a type. */
const typeWords: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object']);

type Sort = 'prose' | 'data' | 'other';

/**
 * Reports text that ends where its author did not mean it to end. Two spaces before the # say that it is a comment.
 *
 * @example reportCutTexts('description: Get issue #42\n', documents, report)
 */
export function reportCutTexts(text: string, documents: readonly YamlDocument[], report: Report): void {
  if (!mayCut.test(text) && !mayAnchor.test(text) && !mayCurl.test(text)) return;
  for (const { root, targets } of documents) visit(root, 'other', targets);

  function visit(node: unknown, sort: Sort, targets: YamlDocument['targets']): void {
    if (yaml().isScalar(node)) reportCut(node, sort);
    else if (yaml().isSeq(node)) for (const item of node.items) visit(item, sort, targets);
    else if (yaml().isMap(node)) {
      for (const { key, value } of node.items) visit(value, sortBelow(keyText(key, targets), sort), targets);
    }
  }

  function reportCut(node: Scalar, sort: Sort): void {
    if (sort === 'other' || node.type !== yaml().Scalar.PLAIN || typeof node.value !== 'string') return;
    const { start, end } = spanOfNode(node);
    // What no alias refers to was not meant as an anchor.
    if (node.anchor !== undefined && sort === 'prose' && !text.includes(`*${node.anchor}`)) {
      const from = text.lastIndexOf('&', start);
      const params = { anchor: node.anchor, kept: node.value };
      const hint = `write ${JSON.stringify(text.slice(from, end))}`;
      report('parse/anchor-text', params, { start: from, end: from + node.anchor.length + 1 }, { hint });
    }
    const [, inner] = curly.exec(node.value) ?? [];
    if (inner !== undefined) {
      const quoted = inner.includes('"') && !inner.includes("'") ? `'${inner}'` : JSON.stringify(inner);
      const hint = inner.length > 100 ? undefined : `write ${quoted}`;
      report('parse/curly-quotes', {}, { start, end }, { hint });
    }
    if (!text.startsWith(' #', end) || (sort === 'data' && !/\S/.test(text[end + 2] ?? ''))) return;
    if (typeWords.has(node.value)) return;
    const line = { start: end + 1, end: lineEnd(text, end) };
    const meant = `${node.value} ${text.slice(line.start, line.end).trimEnd()}`;
    const hint =
      meant.length > 100 || text.slice(start, end).includes('\n')
        ? undefined
        : `write ${JSON.stringify(meant)}; before a comment, leave two spaces`;
    report('parse/cut-text', { kept: node.value }, line, { hint });
  }
}

function sortBelow(key: string | undefined, above: Sort): Sort {
  if (key === undefined) return above;
  if (proseKeys.has(key)) return 'prose';
  return above === 'data' || dataKeys.has(key) ? 'data' : 'other';
}
