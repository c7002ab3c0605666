// In: a bound module. Out: whether it may export more than its statements say, as CommonJS modules can: `exports` is an object
// like any other, and what happens to it where it is passed on, changed in a branch or called by another name is not followed.
import type { ts as Ts } from 'ts-morph';
import type { TypeScript } from './bind-sources.js';
import { walk } from './generated-uses.js';

/** The name in `exports.x`, `module.exports.x` and `exports['x']`. */
export function exportedName(ts: TypeScript, target: Ts.Expression): string | undefined {
  if (ts.isPropertyAccessExpression(target))
    return isExports(ts, target.expression) && ts.isIdentifier(target.name) ? target.name.text : undefined;
  if (!ts.isElementAccessExpression(target) || !isExports(ts, target.expression)) return undefined;
  return ts.isStringLiteralLike(target.argumentExpression) ? target.argumentExpression.text : undefined;
}

/** `module.exports`. */
export function isWholeExport(ts: TypeScript, target: Ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(target) || target.name.text !== 'exports') return false;
  return ts.isIdentifier(target.expression) && target.expression.text === 'module';
}

function isExports(ts: TypeScript, target: Ts.Expression): boolean {
  return (ts.isIdentifier(target) && target.text === 'exports') || isWholeExport(ts, target);
}

export function hasHiddenExports(
  file: Ts.SourceFile,
  { ts, checker }: { readonly ts: TypeScript; readonly checker: Ts.TypeChecker },
): boolean {
  let isHidden = false;
  const exported = new Set<Ts.Symbol>();
  walk(ts, file, node => {
    if (ts.isIdentifier(node) && isModuleObject(node)) {
      const assignment = assignmentAround(node);
      isHidden ||= assignment === undefined && !isMark(node.parent);
      const symbol =
        assignment !== undefined && ts.isIdentifier(assignment.right)
          ? checker.getSymbolAtLocation(assignment.right)
          : undefined;
      if (symbol !== undefined) exported.add(symbol);
    } else if (node.kind === ts.SyntaxKind.ThisKeyword) isHidden ||= isExportsByThis(node);
  });
  return isHidden || (exported.size > 0 && isChangedLater());

  /** `module` or `exports`, as Node gives them to CommonJS modules. */
  function isModuleObject(node: Ts.Identifier): boolean {
    if (node.text !== 'exports' && node.text !== 'module') return false;
    const { parent } = node;
    const isName = (parent as { readonly name?: Ts.Node }).name === node;
    const own = isName ? undefined : checker.getSymbolAtLocation(node)?.declarations;
    return !isName && !(own ?? []).some(one => ts.isVariableDeclaration(one) || ts.isParameter(one) || isImport(one));
  }

  function isImport(node: Ts.Node): boolean {
    return ts.isImportSpecifier(node) || ts.isImportClause(node) || ts.isNamespaceImport(node);
  }

  /** `Object.defineProperty(exports, '__esModule', ...)`, which every compiler writes. */
  function isMark(node: Ts.Node): boolean {
    const name = ts.isCallExpression(node) ? node.arguments[1] : undefined;
    return name !== undefined && ts.isStringLiteralLike(name) && name.text === '__esModule';
  }

  /** The statement that is read elsewhere: `exports.x = y` at the top, also as one of a row. */
  function assignmentAround(node: Ts.Identifier): Ts.BinaryExpression | undefined {
    let target: Ts.Node = node;
    while (ts.isPropertyAccessExpression(target.parent) || ts.isElementAccessExpression(target.parent)) {
      if (target.parent.expression !== target) return undefined;
      target = target.parent;
    }
    const assignment = target.parent;
    if (!ts.isBinaryExpression(assignment) || assignment.left !== target) return undefined;
    if (assignment.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return undefined;
    let outer: Ts.Node = assignment;
    while (ts.isBinaryExpression(outer.parent) && outer.parent.right === outer) outer = outer.parent;
    return ts.isExpressionStatement(outer.parent) && ts.isSourceFile(outer.parent.parent) ? assignment : undefined;
  }

  /** At the top of a CommonJS module `this` is its exports. */
  function isExportsByThis(node: Ts.Node): boolean {
    let outer = node.parent;
    // Arrow functions have the `this` of what is around them.
    while (ts.isArrowFunction(outer) || !(ts.isFunctionLike(outer) || ts.isClassLike(outer) || ts.isSourceFile(outer)))
      outer = outer.parent;
    return ts.isSourceFile(outer) && !ts.isExternalModule(file);
  }

  /** An object that has a name and is used again: anyone who has it may put something into it. */
  function isChangedLater(): boolean {
    let isUsed = false;
    walk(ts, file, node => {
      if (!ts.isIdentifier(node) || isUsed) return;
      const symbol = checker.getSymbolAtLocation(node);
      if (symbol === undefined || !exported.has(symbol)) return;
      const { parent } = node;
      const isDeclared = symbol.declarations?.some(one => one === parent) ?? false;
      isUsed = !isDeclared && !(ts.isBinaryExpression(parent) && parent.right === node);
    });
    return isUsed;
  }
}
