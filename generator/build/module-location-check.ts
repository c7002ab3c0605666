// In: the files that a bundle was made of. Out: warnings where one of them asks where it lies: in a build that is another place, and
// nothing of what lay beside it is there. Only `new URL('./file', import.meta.url)` goes along (bundle-plugins.ts).

import { relative, sep } from 'node:path';
import type { ts } from 'ts-morph';
import { loadEsbuild } from '../../runtime/call/handlers/load-esbuild.js';
import { maxCodeBytes, readUtf8 } from '../../runtime/load/read-file.js';
import { type Diagnostic, diagnose, type Site } from '../../schema/diagnostics.js';
import { makeLines } from '../../schema/parse/lines.js';
import { loadParser, type TypeScript } from '../handlers/bind-sources.js';
import { copiedFile, loaderOf, packageOf } from './bundle-plugins.js';

export interface Bundled {
  /** Absolute. */
  readonly files: readonly string[];
  /** Absolute: the pack. */
  readonly folder: string;
  readonly platform: 'node' | 'worker';
}

const asks = /\bimport\.meta\.(?:url|dirname|filename|resolve)\b|(?<!typeof )\b__(?:dirname|filename)\b/;
const placeMembers: ReadonlySet<string> = new Set(['url', 'dirname', 'filename', 'resolve']);
const placeNames: ReadonlySet<string> = new Set(['__dirname', '__filename']);

/** Own modules are reported with every place, packages once: theirs nobody here can change. */
export async function checkModuleLocations({ files, folder, platform }: Bundled): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  const packages = new Set<string>();
  for (const file of files) {
    const owner = packageOf(file)?.name;
    if (loaderOf(file) === undefined || (owner !== undefined && packages.has(owner))) continue;
    const text = readUtf8(file, maxCodeBytes);
    if (!asks.test(text)) continue;
    const shown = relative(folder, file).split(sep).join('/');
    if (owner === undefined) {
      const source = parse((await loadParser()).ts, file, text);
      found.push(...source.places(platform).map(place => tell(place, makeLines(shown, text).siteOf(place), platform)));
    } else {
      const at = asks.exec(await withoutComments(text, file));
      if (at === null) continue;
      packages.add(owner);
      const [first = ''] = at;
      const start = text.indexOf(first);
      const site = makeLines(shown, text).siteOf({ start, end: start + first.length });
      const hint =
        platform === 'worker' ? undefined : `if it does not find them, leave it outside with --external ${owner}`;
      found.push(diagnose('build/package-place', { name: owner, asks: first }, site, { hint }));
    }
  }
  return found;
}

function tell({ text }: Place, site: Site, platform: Bundled['platform']): Diagnostic {
  const hint =
    platform === 'worker'
      ? 'a worker has no files: import JSON, or put the text into a module'
      : "a file is included if you refer to it as new URL('./file', import.meta.url), a module if you import it";
  return diagnose('build/own-place', { asks: text }, site, { hint });
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function parse(typescript: TypeScript, file: string, text: string) {
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest, true);
  const declared = new Set<string>();
  const all: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (typescript.isVariableDeclaration(node) && typescript.isIdentifier(node.name)) declared.add(node.name.text);
    if (isPlace(node)) all.push(node);
    typescript.forEachChild(node, visit);
  };
  visit(source);
  return {
    /** `new URL(...)` of a file that is copied asks for nothing else; but a worker has no files at all. */
    places(platform: Bundled['platform']): readonly Place[] {
      return all
        .filter(node => !declared.has(node.getText()) && (platform === 'worker' || !isCopied(node)))
        .map(node => ({ start: node.getStart(), end: node.getEnd(), text: node.getText() }));
    },
  };

  function isPlace(node: ts.Node): boolean {
    if (typescript.isIdentifier(node)) return placeNames.has(node.text) && !typescript.isTypeOfExpression(node.parent);
    if (!typescript.isPropertyAccessExpression(node) || !typescript.isMetaProperty(node.expression)) return false;
    return node.expression.name.text === 'meta' && placeMembers.has(node.name.text);
  }

  function isCopied(node: ts.Node): boolean {
    const { parent } = node;
    if (!typescript.isNewExpression(parent) || parent.expression.getText() !== 'URL') return false;
    const [first] = parent.arguments ?? [];
    return first !== undefined && typescript.isStringLiteral(first) && copiedFile(file, first.text) !== undefined;
  }
}

/** esbuild prints none but those about licences. */
async function withoutComments(text: string, file: string): Promise<string> {
  const { transform } = loadEsbuild();
  const loader = loaderOf(file) ?? 'js';
  const { code } = await transform(text, { loader, legalComments: 'none' }).catch(() => ({ code: text }));
  return code.replaceAll(/new URL\("([^"]+)", import\.meta\.url\)/g, (whole, way: string) =>
    copiedFile(file, way) === undefined ? whole : '',
  );
}
