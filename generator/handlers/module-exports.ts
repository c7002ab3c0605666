// In: a bound module. Out: what it exports when it runs, and by which generated function each export is made.
import type { ts as Ts } from 'ts-morph';
import type { TypeScript } from './bind-sources.js';
import { type MemberUse, walk } from './generated-uses.js';

type Exported =
  /** `isNoHandler`: it is written so that it can be no function, or is a class. */
  | { readonly from: 'here'; readonly made?: MemberUse; readonly isNoHandler?: true }
  /** Only a type: nothing is there when the module runs. */
  | { readonly from: 'types' }
  | { readonly from: 'module'; readonly specifier: string; readonly name: string; readonly node: Ts.Node };

export interface ModuleExports {
  readonly exports: ReadonlyMap<string, Exported>;
  /** `export * from`: everything but its default export. */
  readonly stars: readonly { readonly specifier: string; readonly node: Ts.Node }[];
  /** Exports that cannot be told without running it (`module.exports = make()`). */
  readonly isOpen: boolean;
}

export function moduleExports(
  file: Ts.SourceFile,
  { ts, checker, members }: { ts: TypeScript; checker: Ts.TypeChecker; members: readonly MemberUse[] },
): ModuleExports {
  const exports = new Map<string, Exported>();
  const stars: { specifier: string; node: Ts.Node }[] = [];
  let isOpen = false;
  for (const statement of file.statements) {
    if (ts.isExportAssignment(statement) && statement.isExportEquals) addWhole(statement.expression);
    else if (ts.isExportAssignment(statement)) addValue('default', statement.expression);
    else if (ts.isExportDeclaration(statement)) addDeclaration(statement);
    else if (ts.isExpressionStatement(statement)) addCommonJs(statement.expression);
    else if (hasModifier(statement, ts.SyntaxKind.ExportKeyword)) addStatement(statement);
  }
  return { exports, stars, isOpen: isOpen || hasHiddenExports(file, { ts, checker }) };

  function add(name: string, exported: Exported): void {
    // A type and a value may share a name, and a function may have several signatures.
    if (exports.get(name)?.from !== 'here') exports.set(name, exported);
  }

  function addValue(name: string, expression: Ts.Expression): void {
    add(name, origin(expression, 0));
  }

  /** Where a value comes from: through parentheses, casts, constants and imports. */
  function origin(written: Ts.Expression, depth: number): Exported {
    const expression = skipCasts(written);
    if (ts.isCallExpression(expression)) {
      const callee = skipCasts(expression.expression);
      const made = members.find(({ node }) => node === callee || node.parent === callee);
      return made === undefined ? { from: 'here' } : { from: 'here', made };
    }
    if (isData(expression)) return { from: 'here', isNoHandler: true };
    if (!ts.isIdentifier(expression) || depth > 20) return { from: 'here' };
    return originOfName(checker.getSymbolAtLocation(expression), depth);
  }

  function isData(expression: Ts.Expression): boolean {
    return (
      ts.isLiteralExpression(expression) ||
      ts.isTemplateExpression(expression) ||
      ts.isObjectLiteralExpression(expression) ||
      ts.isArrayLiteralExpression(expression) ||
      ts.isPrefixUnaryExpression(expression) ||
      expression.kind === ts.SyntaxKind.TrueKeyword ||
      expression.kind === ts.SyntaxKind.FalseKeyword ||
      expression.kind === ts.SyntaxKind.NullKeyword
    );
  }

  function skipCasts(expression: Ts.Expression): Ts.Expression {
    const isWrapped =
      ts.isParenthesizedExpression(expression) ||
      ts.isAsExpression(expression) ||
      ts.isSatisfiesExpression(expression) ||
      ts.isNonNullExpression(expression) ||
      ts.isTypeAssertionExpression(expression);
    return isWrapped ? skipCasts(expression.expression) : expression;
  }

  function originOfName(symbol: Ts.Symbol | undefined, depth: number): Exported {
    const declarations = symbol?.declarations ?? [];
    const imported = declarations.map(importOf).find(one => one !== undefined);
    if (imported !== undefined) return imported;
    const [declaration] = declarations;
    if (declaration !== undefined && declarations.every(isTypeDeclaration)) return { from: 'types' };
    if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return { from: 'here' };
    const { initializer, name } = declaration;
    return initializer === undefined || !ts.isIdentifier(name) ? { from: 'here' } : origin(initializer, depth + 1);
  }

  function importOf(node: Ts.Node): Exported | undefined {
    if (ts.isImportSpecifier(node) || ts.isImportClause(node) || ts.isNamespaceImport(node)) {
      let declaration: Ts.Node = node;
      while (!ts.isImportDeclaration(declaration)) {
        // JSDoc imports are types.
        if (declaration.parent === undefined || ts.isSourceFile(declaration.parent)) return { from: 'types' };
        declaration = declaration.parent;
      }
      const clause = declaration.importClause;
      if (clause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return { from: 'types' };
      if (ts.isImportSpecifier(node) && node.isTypeOnly) return { from: 'types' };
      if (ts.isNamespaceImport(node) || !ts.isStringLiteralLike(declaration.moduleSpecifier)) return { from: 'here' };
      const name = ts.isImportSpecifier(node) ? (node.propertyName ?? node.name).text : 'default';
      return { from: 'module', specifier: declaration.moduleSpecifier.text, name, node: declaration.moduleSpecifier };
    }
    return undefined;
  }

  function addDeclaration({ exportClause, moduleSpecifier, isTypeOnly }: Ts.ExportDeclaration): void {
    const from = moduleSpecifier !== undefined && ts.isStringLiteralLike(moduleSpecifier) ? moduleSpecifier : undefined;
    if (exportClause === undefined) {
      if (!isTypeOnly && from !== undefined) stars.push({ specifier: from.text, node: from });
      return;
    }
    if (ts.isNamespaceExport(exportClause)) {
      add(exportClause.name.text, isTypeOnly ? { from: 'types' } : { from: 'here' });
      return;
    }
    for (const element of exportClause.elements) {
      const name = element.name.text;
      const source = (element.propertyName ?? element.name).text;
      if (isTypeOnly || element.isTypeOnly) add(name, { from: 'types' });
      else if (from !== undefined) add(name, { from: 'module', specifier: from.text, name: source, node: from });
      else add(name, originOfName(checker.getExportSpecifierLocalTargetSymbol(element), 0));
    }
  }

  function addStatement(statement: Ts.Statement): void {
    if (ts.isVariableStatement(statement)) {
      const isAmbient = hasModifier(statement, ts.SyntaxKind.DeclareKeyword);
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (isAmbient) addNames(name, { from: 'types' });
        else if (ts.isIdentifier(name) && initializer !== undefined) addValue(name.text, initializer);
        else addNames(name, { from: 'here' });
      }
    } else if (isNamedDeclaration(statement)) {
      const isDefault = hasModifier(statement, ts.SyntaxKind.DefaultKeyword);
      const isType = isTypeDeclaration(statement) || hasModifier(statement, ts.SyntaxKind.DeclareKeyword);
      const name = isDefault ? 'default' : statement.name?.text;
      const isNoHandler = ts.isEnumDeclaration(statement) || ts.isClassDeclaration(statement);
      if (name === undefined) return;
      add(name, isType ? { from: 'types' } : { from: 'here', ...(isNoHandler ? { isNoHandler } : {}) });
    }
  }

  function isNamedDeclaration(node: Ts.Node): node is Ts.Statement & { readonly name?: Ts.Identifier } {
    return (
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isEnumDeclaration(node) ||
      ts.isModuleDeclaration(node) ||
      ts.isImportEqualsDeclaration(node) ||
      isTypeDeclaration(node)
    );
  }

  function isTypeDeclaration(node: Ts.Node): boolean {
    return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
  }

  function addNames(name: Ts.BindingName, exported: Exported): void {
    if (ts.isIdentifier(name)) add(name.text, exported);
    else for (const element of name.elements) if (ts.isBindingElement(element)) addNames(element.name, exported);
  }

  /** `module.exports = x`, `module.exports.x = y`, `exports.x = y`, also in a row (`exports = module.exports = x`). */
  function addCommonJs(expression: Ts.Expression): void {
    if (!ts.isBinaryExpression(expression) || expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return;
    let value = expression.right;
    if (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      addCommonJs(value);
      while (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken)
        value = value.right;
    }
    const member = exportedName(ts, expression.left);
    if (member !== undefined) addValue(member, value);
    else if (isWholeExport(ts, expression.left)) addWhole(value);
  }

  /** `module.exports = x` and `export = x`: Node gives the whole of it as the default export of such a module. */
  function addWhole(value: Ts.Expression): void {
    addValue('default', value);
    const literal = literalOf(value);
    if (literal === undefined) {
      isOpen ||= !ts.isFunctionLike(value);
      return;
    }
    for (const property of literal.properties) {
      if (ts.isPropertyAssignment(property))
        addValue(property.name.getText(file).replaceAll(/['"]/g, ''), property.initializer);
      else if (ts.isShorthandPropertyAssignment(property)) {
        add(property.name.text, originOfName(checker.getShorthandAssignmentValueSymbol(property), 0));
      } else if (ts.isMethodDeclaration(property)) add(property.name.getText(file), { from: 'here' });
      else isOpen = true;
    }
  }

  /** An object that is written where it is exported, or as a constant before. */
  function literalOf(written: Ts.Expression): Ts.ObjectLiteralExpression | undefined {
    const expression = skipCasts(written);
    if (ts.isObjectLiteralExpression(expression)) return expression;
    const [declaration] = ts.isIdentifier(expression)
      ? (checker.getSymbolAtLocation(expression)?.declarations ?? [])
      : [];
    const value =
      declaration !== undefined && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    return value !== undefined && ts.isObjectLiteralExpression(value) ? value : undefined;
  }

  function hasModifier(node: Ts.Node, kind: Ts.SyntaxKind): boolean {
    return ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some(one => one.kind === kind) ?? false);
  }
}

// In: a bound module. Out: whether it may export more than its statements say, as CommonJS modules can: `exports` is an object
// like any other, and what happens to it where it is passed on, changed in a branch or called by another name is not followed.

/** The name in `exports.x`, `module.exports.x` and `exports['x']`. */
function exportedName(ts: TypeScript, target: Ts.Expression): string | undefined {
  if (ts.isPropertyAccessExpression(target))
    return isExports(ts, target.expression) && ts.isIdentifier(target.name) ? target.name.text : undefined;
  if (!ts.isElementAccessExpression(target) || !isExports(ts, target.expression)) return undefined;
  return ts.isStringLiteralLike(target.argumentExpression) ? target.argumentExpression.text : undefined;
}

/** `module.exports`. */
function isWholeExport(ts: TypeScript, target: Ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(target) || target.name.text !== 'exports') return false;
  return ts.isIdentifier(target.expression) && target.expression.text === 'module';
}

function isExports(ts: TypeScript, target: Ts.Expression): boolean {
  return (ts.isIdentifier(target) && target.text === 'exports') || isWholeExport(ts, target);
}

function hasHiddenExports(
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
