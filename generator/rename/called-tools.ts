// In: a bound module. Out: the names in it by which handlers call other tools (`ctx.call('get-issue')`).
import type { ts as Ts } from 'ts-morph';
import type { TypeScript } from '../handlers/bind-sources.js';
import { type GeneratedUse, walk } from '../handlers/generated-uses.js';

export interface CallReading {
  readonly ts: TypeScript;
  readonly checker: Ts.TypeChecker;
  /** What the module uses of the generated folder. */
  readonly uses: readonly GeneratedUse[];
}

/** Only calls on what is surely the context of a handler: other objects have functions called `call`, too. */
export function calledTools(file: Ts.SourceFile, { ts, checker, uses }: CallReading): readonly Ts.StringLiteralLike[] {
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
