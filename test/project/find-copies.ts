// A copy detector. In: sources. Out: pairs of places that say the same: the same run of words, or the same function under two names.
import ts from 'typescript';

export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** Two places, in the order of the sources. */
export interface Copy {
  readonly places: readonly [string, string];
  /** Lines, or what the functions do. */
  readonly what: string;
}

interface Word {
  readonly text: string;
  readonly line: number;
}

/** Words, numbers and marks; comments and imports say nothing that could be shared. */
function wordsOf(text: string): readonly Word[] {
  const blank = (part: string): string => part.replaceAll(/[^\n]/g, ' ');
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, blank)
    .replaceAll(/^(?:import|export) (?:type )?(?:\{[^}]*\}|\*)?[^;{}]*from '[^']*';$/gm, blank);
  return code
    .split('\n')
    .flatMap((line, index) => [...line.matchAll(/\w+|[^\s\w]/g)].map(([word]) => ({ text: word, line: index + 1 })));
}

/**
 * Runs of at least so many words and lines that stand in two places.
 *
 * @example findRepeatedRuns([{ path: 'a.ts', text }, { path: 'b.ts', text }], { words: 60, lines: 5 })
 */
export function findRepeatedRuns(
  sources: readonly SourceText[],
  least: { readonly words: number; readonly lines: number },
): readonly Copy[] {
  const files = sources.map(({ path, text }) => ({ path, words: wordsOf(text) }));
  const numbers = new Map<string, number>();
  const numbered = files.map(({ words }) =>
    words.map(({ text }) => {
      const number = numbers.get(text) ?? numbers.size + 1;
      numbers.set(text, number);
      return number;
    }),
  );
  const seen = new Map<number, (readonly [file: number, start: number])[]>();
  const copies: Copy[] = [];
  for (const [file, { path, words }] of files.entries()) {
    const own = numbered[file] ?? [];
    /** Where the last run that was found ends: what is inside it is not found again. */
    let done = 0;
    for (const [start, hash] of windowHashes(own, least.words)) {
      const known = seen.get(hash) ?? [];
      seen.set(hash, [...known, [file, start]]);
      if (start < done) continue;
      for (const [otherFile, otherStart] of known) {
        const other = numbered[otherFile] ?? [];
        let length = 0;
        const most = otherFile === file ? start - otherStart : Number.POSITIVE_INFINITY;
        while (length < most && start + length < own.length && own[start + length] === other[otherStart + length])
          length += 1;
        const lineAt = (at: number): number => words[at]?.line ?? 0;
        if (length < least.words || lineAt(start + length - 1) - lineAt(start) + 1 < least.lines) continue;
        done = start + length;
        const before = files[otherFile];
        const place = `${before?.path}:${before?.words[otherStart]?.line}`;
        const what = `${lineAt(start + length - 1) - lineAt(start) + 1} lines`;
        copies.push({ places: [place, `${path}:${lineAt(start)}`], what });
        break;
      }
    }
  }
  return copies;
}

/** One number for each run of so many words, made from that of the run before it. */
function* windowHashes(words: readonly number[], size: number): Generator<readonly [start: number, hash: number]> {
  const base = 1_000_003;
  let power = 1;
  for (let count = 1; count < size; count += 1) power = Math.imul(power, base);
  let hash = 0;
  for (const [index, word] of words.entries()) {
    if (index >= size) hash = (hash - Math.imul(words[index - size] ?? 0, power)) | 0;
    hash = (Math.imul(hash, base) + word) | 0;
    if (index >= size - 1) yield [index - size + 1, hash];
  }
}

/**
 * Functions that do the same, whatever they and their variables are called.
 *
 * @example findSameFunctions([{ path: 'a.ts', text: 'function f(a) { return a + 1; }' }], 20)
 */
export function findSameFunctions(sources: readonly SourceText[], leastWords: number): readonly Copy[] {
  const known = new Map<string, string>();
  const copies: Copy[] = [];
  for (const { path, text } of sources) {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionDeclaration(node) && node.body !== undefined) {
        const words = plainWords(node, file);
        const key = words.join(' ');
        const place = `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
        const other = known.get(key);
        if (other !== undefined) copies.push({ places: [other, place], what: node.body.getText(file) });
        else if (words.length >= leastWords) known.set(key, place);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return copies;
}

/** A function without its types, with numbers in place of the names that it gives itself. */
function plainWords(declaration: ts.FunctionDeclaration, file: ts.SourceFile): readonly string[] {
  const own = new Map<string, string>();
  const words: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isTypeParameterDeclaration(node)) return;
    if (ts.isIdentifier(node)) words.push(nameOf(node));
    else if (node.getChildCount(file) === 0) words.push(node.getText(file));
    else for (const child of node.getChildren(file)) if (!ts.isJSDoc(child)) visit(child);
  };
  const nameOf = (name: ts.Identifier): string => {
    const { parent } = name;
    const isKey =
      (ts.isPropertyAccessExpression(parent) && parent.name === name) ||
      ts.isPropertyAssignment(parent) ||
      ts.isShorthandPropertyAssignment(parent) ||
      ts.isBindingElement(parent);
    const isDeclared = (ts.isParameter(parent) || ts.isVariableDeclaration(parent)) && parent.name === name;
    if ((isDeclared || parent === declaration) && !own.has(name.text)) own.set(name.text, `$${own.size}`);
    return isKey ? name.text : (own.get(name.text) ?? name.text);
  };
  visit(declaration);
  return words.filter(word => !['', ';', ',', ':', 'export'].includes(word));
}
