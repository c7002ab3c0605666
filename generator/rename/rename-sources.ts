// In: the author's modules. Out: an edit for every identifier and path in them that stands for the item.
import type { ts as Ts } from 'ts-morph';
import { type Modules, resolvePath, stemOf } from '../../runtime/call/handlers/find-handler.js';
import { nameOf } from '../../runtime/load/folder.js';
import type { Kind } from '../../schema/definitions.js';
import { memberName, typePrefix } from '../../schema/names.js';
import { isSharedType, sharedTypeEnd } from '../compile/declarations/shared-types.js';
import { loadParser, type TypeScript } from '../handlers/bind-sources.js';
import { type GeneratedUse, generatedUses, type MemberUse, type NameUse, walk } from '../handlers/generated-uses.js';
import type { EditBook, Move } from './text-edits.js';

interface SourceRename {
  readonly kind: Exclude<Kind, 'server'>;
  readonly from: string;
  readonly to: string;
  /** The name of the pack: calls may be qualified by it. */
  readonly pack: string;
  readonly generated: string;
  readonly dist: string;
  readonly modules: Modules;
  readonly book: EditBook;
  /** Modules that move, whose imports must follow. */
  readonly moves: readonly Move[];
}

/** The types that an item can have; those of their parts, which begin like them, are read from its declarations. */
const suffixes = ['Args', 'Variables', 'Input', 'Output', 'Errors', 'Options', 'Config', 'Context', 'Handler'];

export async function renameInSources(rename: SourceRename): Promise<void> {
  const { kind, from, to, pack, generated, dist, modules, book } = rename;
  // The types of a shared schema differ in how they begin.
  const partOf = (item: string): string => (kind === 'schema' ? sharedTypeEnd(item) : typePrefix(kind, item));
  const names = { member: memberName(from), prefix: partOf(from) };
  const traces = [names.member, names.prefix, ...rename.moves.map(move => nameOf(stemOf(move.from))), from];
  const texts = new Map<string, string>();
  for (const path of modules.below('', new Set([generated, dist]), isSource)) {
    const text = book.text(path);
    if (text !== undefined && traces.some(trace => text.includes(trace))) texts.set(path, text);
  }
  if (texts.size === 0) return;
  const { ts, bind } = await loadParser();
  const { checker, file } = bind(texts);
  const types = typeNames(book.text(`${generated}/${kind}s.d.ts`) ?? '', names.prefix, kind === 'schema');
  const renamed = (type: string): string => type.replace(names.prefix, () => partOf(to));
  const modulePaths = [...rename.moves, { from: `${generated}/${kind}s/${from}`, to: `${generated}/${kind}s/${to}` }];
  for (const path of texts.keys()) {
    const source = file(path);
    if (source === undefined) continue;
    const uses = generatedUses(source, { ts, checker, generated, path });
    const taken = namesIn(ts, source);
    for (const use of uses) {
      if (use.what === 'member') renameMember(path, use);
      else if (types.has(use.name)) renameType(path, use, !taken.has(renamed(use.name)));
      else renameIndexed(ts, path, use);
    }
    if (kind === 'tool')
      for (const name of calledTools(source, { ts, checker, uses }))
        if (name.text === from || name.text === `${pack}/${from}`) renameCalled(path, name);
    walk(ts, source, node => {
      if (ts.isStringLiteralLike(node) && isSpecifier(ts, node)) renameSpecifier(path, source, node);
    });
  }

  function replace(path: string, node: Ts.Node, text: string): void {
    book.edit(path, { start: node.getStart(), end: node.getEnd(), text });
  }

  function renameMember(path: string, { collection, member, node, isShorthand }: MemberUse): void {
    if (collection !== `${kind}s` || member !== names.member) return;
    const name = memberName(to);
    const start = node.getStart();
    if (isShorthand) book.edit(path, { start, end: start, text: `${name}: ` });
    else replaceName(path, node, name);
  }

  /** `ctx.call('get-issue')`, `ctx.call('acme/jira/get-issue')`. */
  function renameCalled(path: string, node: Ts.StringLiteralLike): void {
    const end = node.getEnd() - 1;
    if (node.getSourceFile().text.slice(end - from.length, end) === from)
      book.edit(path, { start: end - from.length, end, text: to });
  }

  /** Leaves the quotes of a string alone. */
  function replaceName(path: string, node: Ts.Identifier | Ts.StringLiteralLike, name: string): void {
    const quote = node.getEnd() - node.getStart() === node.text.length ? 0 : 1;
    book.edit(path, { start: node.getStart() + quote, end: node.getEnd() - quote, text: name });
  }

  /** What a module exports keeps its name: others may import it. */
  function renameType(path: string, { name, node, role }: NameUse, isFree: boolean): void {
    const next = renamed(name);
    switch (role) {
      case 'outer':
        replace(path, node, next);
        return;
      case 'binding':
        replace(path, node, isFree ? next : `${next} as ${name}`);
        return;
      case 'local':
        if (isFree) replace(path, node, next);
        return;
      case 'export': {
        const isForeign =
          ts.isExportDeclaration(node.parent.parent.parent) && node.parent.parent.parent.moduleSpecifier;
        if (isFree || isForeign) replace(path, node, `${next} as ${name}`);
        return;
      }
      default:
        role satisfies never;
    }
  }

  /** `Tools['getIssue']`. */
  function renameIndexed(ts: TypeScript, path: string, { name, node }: NameUse): void {
    if (name.toLowerCase() !== `${kind}s`) return;
    let type: Ts.Node = node.parent;
    while (ts.isQualifiedName(type) || ts.isTypeReferenceNode(type)) type = type.parent;
    if (!ts.isIndexedAccessTypeNode(type) || !ts.isLiteralTypeNode(type.indexType)) return;
    const { literal } = type.indexType;
    if (ts.isStringLiteral(literal) && literal.text === names.member) replaceName(path, literal, memberName(to));
  }

  function renameSpecifier(path: string, source: Ts.SourceFile, node: Ts.StringLiteralLike): void {
    const target = node.text.startsWith('.') ? resolvePath(node.text, path) : node.text;
    if (target === undefined) return;
    const stem = stemOf(target).replace(/\.d$/, '');
    const isAlias = !node.text.startsWith('.');
    const move = modulePaths.find(one => {
      const moved = stemOf(one.from);
      // An alias such as #generated/tools/x ends like the path that it stands for.
      return isAlias
        ? stem.endsWith(`${nameOf(generated)}/${kind}s/${from}`) && moved.startsWith(generated)
        : stem === moved;
    });
    if (move === undefined) return;
    const last = nameOf(stemOf(move.from));
    const start = node.getStart() + 1 + node.text.lastIndexOf('/') + 1;
    if (source.text.slice(start, start + last.length) !== last) return;
    book.edit(path, { start, end: start + last.length, text: nameOf(stemOf(move.to)) });
  }
}

/** What a link leads to is there under its own name. */
function isSource(path: string, isLink: boolean): boolean {
  return !isLink && /\.[cm]?[jt]sx?$/.test(path);
}

function typeNames(declarations: string, prefix: string, isShared: boolean): ReadonlySet<string> {
  const found = [...declarations.matchAll(/^export (?:declare )?(?:interface|type|const|class) ([\w$]+)/gm)];
  const names = found.map(([, name = '']) => name);
  if (isShared) return new Set(names.filter(name => isSharedType(name, prefix)));
  const own = suffixes.map(suffix => prefix + suffix);
  const isPart = (name: string): boolean => own.some(type => name.startsWith(`${type}_`));
  return new Set([...own, ...names.filter(isPart)]);
}

function namesIn(ts: TypeScript, source: Ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  walk(ts, source, node => {
    if (ts.isIdentifier(node)) names.add(node.text);
  });
  return names;
}

/** Functions that take the path of a module first: loaders and the mocks of test runners. */
const loaders =
  /^(?:mock|doMock|unmock|doUnmock|dontMock|setMock|importActual|importMock|requireActual|requireMock|resolve)$/;

function isSpecifier(ts: TypeScript, node: Ts.StringLiteralLike): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isJSDocImportTag(parent)) return true;
  if (ts.isExternalModuleReference(parent) || ts.isModuleDeclaration(parent)) return true;
  if (ts.isLiteralTypeNode(parent)) return ts.isImportTypeNode(parent.parent);
  if (ts.isNewExpression(parent)) return parent.arguments?.[0] === node && parent.expression.getText() === 'URL';
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  const { expression } = parent;
  if (expression.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isIdentifier(expression)) return expression.text === 'require';
  return ts.isPropertyAccessExpression(expression) && loaders.test(expression.name.text);
}

// In: a bound module. Out: the names in it by which handlers call other tools (`ctx.call('get-issue')`).

interface CallReading {
  readonly ts: TypeScript;
  readonly checker: Ts.TypeChecker;
  /** What the module uses of the generated folder. */
  readonly uses: readonly GeneratedUse[];
}

/** Only calls on what is surely the context of a handler: other objects have functions called `call`, too. */
function calledTools(file: Ts.SourceFile, { ts, checker, uses }: CallReading): readonly Ts.StringLiteralLike[] {
  const found: Ts.StringLiteralLike[] = [];
  const generated = new Set<Ts.Node>(uses.map(({ node }) => node));
  walk(ts, file, node => {
    if (!ts.isCallExpression(node)) return;
    const [name] = node.arguments;
    if (name !== undefined && ts.isStringLiteralLike(name) && isContextCall(node.expression)) found.push(name);
  });
  return found;

  /** `ctx.call`, or `call` of a context that was taken apart. */
  function isContextCall(callee: Ts.Expression): boolean {
    if (ts.isPropertyAccessExpression(callee)) {
      const { name, expression } = callee;
      return name.text === 'call' && ts.isIdentifier(expression) && declarationsOf(expression).some(isContext);
    }
    return ts.isIdentifier(callee) && declarationsOf(callee).some(isCallOfContext);
  }

  function declarationsOf(name: Ts.Identifier): readonly Ts.Node[] {
    return checker.getSymbolAtLocation(name)?.declarations ?? [];
  }

  function isCallOfContext(node: Ts.Node): boolean {
    if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return false;
    const { name, propertyName = name } = node;
    const owner = node.parent.parent;
    if (!ts.isIdentifier(propertyName) || propertyName.text !== 'call') return false;
    if (!ts.isVariableDeclaration(owner)) return isContext(owner);
    const { initializer } = owner;
    return initializer !== undefined && ts.isIdentifier(initializer) && declarationsOf(initializer).some(isContext);
  }

  /** A parameter whose type says so, or the second one of a handler. */
  function isContext(node: Ts.Node): boolean {
    if (!ts.isParameter(node)) return false;
    if (node.type !== undefined) return /\b\w*Context\b/.test(node.type.getText(file));
    const { parent } = node;
    return parent.parameters[1] === node && isHandler(parent);
  }

  /** What a generated function is given, a module exports as its default, or JSDoc calls a handler. */
  function isHandler(node: Ts.SignatureDeclaration): boolean {
    let outer: Ts.Node = node;
    while (ts.isParenthesizedExpression(outer.parent)) outer = outer.parent;
    const { parent } = outer;
    if (ts.isCallExpression(parent) && parent.arguments.some(one => one === outer))
      return isGenerated(parent.expression);
    if (ts.isExportAssignment(parent)) return true;
    if (ts.isBinaryExpression(parent)) return /^(?:module\.)?exports\b/.test(parent.left.getText(file));
    if (ts.isFunctionDeclaration(node))
      return ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false;
    const type = ts.isVariableDeclaration(parent) ? (parent.type ?? ts.getJSDocType(parent)) : undefined;
    return type !== undefined && /\b\w+Handler\b/.test(type.getText(file));
  }

  function isGenerated(callee: Ts.Expression): boolean {
    if (ts.isPropertyAccessExpression(callee)) return generated.has(callee.name);
    return ts.isElementAccessExpression(callee) && generated.has(callee.argumentExpression);
  }
}
