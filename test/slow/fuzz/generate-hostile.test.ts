// P17 on whole packs: hostile texts wherever an author can write one give files of the same statements as harmless ones.
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { compileFolder, type Tree } from '../../generator/compile/golden-generate-cases.js';
import { hostile } from '../../generator/compile/hostile-texts.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import { makeRandom } from '../../harness/random.js';

const harmless = 'a harmless text';

/** Further pieces that mean something to one of the formats on the way. */
const pieces: readonly [string, ...string[]] = [
  '*/', '/*', '//', '`', '${', '}', "'", '"', '\\', '\n', '\r', '\u2028', '\u2029', '\t', ' ', '</script>', '<!--', '-->',
  '@ts-ignore', '@ts-nocheck', '/// <reference path="x" />', '//# sourceMappingURL=x', 'export const evil = 1;',
  ');', '};', '{{x}}', '{{{x}}}', '{{> x}}', '\\u002a/', '\\x2a/', '*\\/', '$&', '$1', '$`', '__proto__', 'constructor',
  'schema0', 'validate0', '😀', '\u202e', '\ufeff', '\u0085', '%0A', '~1', '&quot;', 'é', 'e\u0301', '0', '-', '*', '\u200b',
]; // biome-ignore format: one list

const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const escapePointer = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
/** Names of files; the language itself allows no `#` in them. */
const toFileName = (text: string): string => `f${text.replaceAll(/[#\\/\0]/g, '_')}x`;

/** A pack with the text in every place. Names never become identifiers, as then other statements would be right. */
function packOf(text: string, language: 'ts' | 'js'): Tree {
  // Half characters have no place in pointers.
  const name = `${text.replaceAll(/\p{Surrogate}/gu, '?')} ,`;
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  const schema = {
    type: 'object',
    title: text,
    description: text,
    $comment: text,
    properties: {
      [name]: { type: 'string', description: text, default: text, pattern: escapeRegex(text), examples: [text] },
      choice: { enum: [text, 'another', { [name]: text }], description: text },
      fixed: { const: text, title: text },
      node: { $ref: `#/$defs/${escapePointer(name)}` },
      format: { type: 'string', format: text },
    },
    required: [name],
    $defs: {
      [name]: {
        type: 'object',
        description: text,
        properties: { [name]: { $ref: `#/$defs/${escapePointer(name)}` }, list: { type: 'array', default: [text] } },
      },
    },
  };
  const file = toFileName(text);
  return {
    'package.json': '{ "type": "module" }',
    ...(language === 'ts' ? { 'tsconfig.json': '{ "compilerOptions": { "module": "nodenext" } }' } : {}),
    'toolwright.yaml': json({
      description: text,
      root: `mcp/${file}`,
      config: { TOKEN: { type: 'string', description: text, default: text, enum: [text, 'other'] } },
    }),
    [`mcp/${file}/tools/demo.json`]: json({
      title: text,
      description: text,
      inputSchema: schema,
      outputSchema: { file: `schemas/${file}.json` },
      errors: { BAD: { message: text.replaceAll('{{', ''), suggestedFix: text.replaceAll('{{', '') } },
      options: { [name]: { type: 'string', description: text, default: text, enum: [text] } },
      guidelines: { whenToUse: text },
      handler: `src/${file}.${language}#run`,
    }),
    [`schemas/${file}.json`]: json(schema),
    [`mcp/${file}/tools/described.json`]: json({ description: { file: `docs/${file}.md` } }),
    [`docs/${file}.md`]: `${text}\n`,
    [`mcp/${file}/prompts/ask.json`]: json({
      description: text,
      type: 'handler',
      arguments: { [name]: { title: text, description: text }, topic: text },
    }),
    [`mcp/${file}/resources/item.json`]: json({ uri: 'item://x', name: text, title: text, description: text }),
  };
}

/** What is private in TypeScript's source files, and tells what the compiler would obey. */
interface Parsed extends ts.SourceFile {
  readonly parseDiagnostics: readonly ts.Diagnostic[];
  readonly commentDirectives?: readonly unknown[];
  readonly checkJsDirective?: unknown;
  readonly pragmas: ReadonlyMap<string, unknown>;
}

/** The kinds of all nodes with their tags, and what comments tell compilers. Names may be written in either form. */
function skeleton(path: string, text: string): unknown {
  const kind = path.endsWith('js') ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  const file = ts.createSourceFile(`x.${path}`, text, ts.ScriptTarget.ESNext, true, kind) as Parsed;
  const kinds: string[] = [];
  const halves: string[] = [];
  const visit = (node: ts.Node): void => {
    const tags = ts.getJSDocTags(node).map(({ tagName }) => `@${tagName.text}`);
    kinds.push(ts.isIdentifier(node) || ts.isStringLiteral(node) ? 'name' : (ts.SyntaxKind[node.kind] ?? ''), ...tags);
    // A file cannot hold half a character: in a literal it must be written as an escape.
    if (ts.isStringLiteral(node) && /\p{Surrogate}/u.test(node.getText(file))) halves.push(node.text);
    node.forEachChild(visit);
  };
  visit(file);
  return {
    kinds: kinds.join(' '),
    problems: file.parseDiagnostics.map(({ messageText }) => messageText),
    directives: file.commentDirectives ?? [],
    checked: file.checkJsDirective === undefined,
    pragmas: [...file.pragmas.keys()],
    references: [...file.referencedFiles, ...file.typeReferenceDirectives, ...file.libReferenceDirectives],
    maps: text.match(/^[ \t]*\/\/[#@]\s*source(?:Mapping)?URL=.*$/gm)?.length ?? 0,
    breaks: /[\u2028\u2029\r]/.test(text),
    halves,
  };
}

/** The skeletons of all code of a pack, in the order of its artifacts. */
async function skeletonsOf(text: string, language: 'ts' | 'js'): Promise<readonly unknown[]> {
  const files = await compileFolder(memoryFolder(packOf(text, language)));
  return Object.entries(files)
    .filter(([path]) => /\.[cm]?[jt]s$/.test(path))
    .map(([path, content]) => {
      const shown = path.startsWith('generated/') ? path : `stub.${language}`;
      return [shown, skeleton(shown, content)];
    });
}

async function fuzz(texts: readonly string[], language: 'ts' | 'js'): Promise<number> {
  const expected = await skeletonsOf(harmless, language);
  expect(expected.length).toBeGreaterThan(12);
  let compiled = 0;
  for (const text of texts) {
    const found = await skeletonsOf(text, language);
    // Some texts the language itself refuses, such as half characters: nothing is generated then.
    if (found.length === 0) continue;
    compiled += 1;
    expect([text, found]).toEqual([text, expected]);
  }
  return compiled;
}

describe('`generate` with hostile text', () => {
  it('P17 known attacks give TypeScript files of the same statements as harmless text', async () => {
    const texts = hostile.filter(text => text.trim() !== '');
    expect(await fuzz(texts, 'ts')).toBeGreaterThan(texts.length * 0.7);
  });

  it('P17 known attacks give JavaScript files of the same statements as harmless text', async () => {
    const texts = hostile.filter(text => text.trim() !== '');
    expect(await fuzz(texts, 'js')).toBeGreaterThan(texts.length * 0.7);
  });

  it('P17 random mixtures of attacks give files of the same statements as harmless text', async () => {
    const random = makeRandom(17);
    const texts = Array.from({ length: 120 }, () => {
      const parts = Array.from({ length: 1 + random.below(6) }, () => random.pick(pieces));
      return `${random.chance(0.3) ? 'x' : ''}${parts.join('')}${random.chance(0.3) ? 'y' : ''}`;
    }).filter(text => text.trim() !== '');
    expect(await fuzz(texts, 'ts')).toBeGreaterThan(texts.length * 0.6);
  });
});
