// In: a bound module. Out: every place where it uses something of the generated folder, by what is used there.

import type { ts as Ts } from 'ts-morph';
import { resolvePath, stemOf } from '../../runtime/call/handlers/find-handler.js';
import { nameOf } from '../../runtime/load/folder.js';
import type { TypeScript } from './bind-sources.js';

/** The values of `generated/index.js` whose members are items. */
const collections = ['tools', 'prompts', 'resources'] as const;
export type Collection = (typeof collections)[number];

/** `tools.getIssue` and its other spellings. */
export interface MemberUse {
  readonly what: 'member';
  readonly collection: Collection;
  readonly member: string;
  /** The name as written: an identifier, or a string in brackets. */
  readonly node: Ts.Identifier | Ts.StringLiteralLike;
  /** `const { getIssue } = tools`: the name is also the local one. */
  readonly isShorthand: boolean;
}

/** A type, or another export of the generated folder, by name. */
export interface NameUse {
  readonly what: 'name';
  readonly name: string;
  readonly node: Ts.Identifier;
  /** `binding`: the name in an import that is also the local name. `local`: a use of that. `export`: `export { X }`. */
  readonly role: 'binding' | 'local' | 'outer' | 'export';
}

export type GeneratedUse = MemberUse | NameUse;

export interface Reading {
  readonly ts: TypeScript;
  readonly checker: Ts.TypeChecker;
  /** The generated folder, relative to the pack. */
  readonly generated: string;
  /** The module, relative to the pack. */
  readonly path: string;
}

/** Tells whether a specifier leads into the generated folder, also through an alias that ends in the folder's name. */
export function leadsToGenerated(specifier: string, { path, generated }: Pick<Reading, 'path' | 'generated'>): boolean {
  if (specifier.startsWith('.')) {
    const target = resolvePath(specifier, path);
    return target !== undefined && (target === generated || target.startsWith(`${generated}/`));
  }
  const name = nameOf(generated);
  const target = stemOf(specifier).replace(/\/index$/, '');
  return name !== '' && (target === name || ['/', '#', '@', '~'].some(mark => target.endsWith(mark + name)));
}

/** A name that stands for an export of the generated folder, or (`*`) for all of them. */
interface Binding {
  readonly exported: string;
  readonly declaration: Ts.Node;
  readonly isAliased: boolean;
}

export function generatedUses(file: Ts.SourceFile, reading: Reading): readonly GeneratedUse[] {
  const { ts, checker } = reading;
  const uses: GeneratedUse[] = [];
  const bindings = new Map<string, Binding[]>();
  walk(ts, file, collectBindings);
  walk(ts, file, collectParts);
  walk(ts, file, node => {
    if (ts.isIdentifier(node)) visitIdentifier(node);
    else if (ts.isImportTypeNode(node) && leads(node.argument)) visitImportType(node);
  });
  return uses.sort((a, b) => a.node.getStart() - b.node.getStart());

  function leads(node: Ts.Node | undefined): boolean {
    const literal = node !== undefined && ts.isLiteralTypeNode(node) ? node.literal : node;
    return literal !== undefined && ts.isStringLiteralLike(literal) && leadsToGenerated(literal.text, reading);
  }

  function bind(local: Ts.Identifier, exported: string, declaration: Ts.Node, isAliased: boolean): void {
    const known = bindings.get(local.text) ?? [];
    bindings.set(local.text, [...known, { exported, declaration, isAliased }]);
  }

  function collectBindings(node: Ts.Node): void {
    if (ts.isImportDeclaration(node) || ts.isJSDocImportTag(node)) {
      if (!leads(node.moduleSpecifier)) return;
      const named = node.importClause?.namedBindings;
      if (named !== undefined && ts.isNamespaceImport(named)) bind(named.name, '*', named, true);
      else for (const element of named?.elements ?? []) bindSpecifier(element);
    } else if (ts.isExportDeclaration(node) && leads(node.moduleSpecifier)) {
      const named = node.exportClause;
      if (named === undefined || !ts.isNamedExports(named)) return;
      for (const { name, propertyName } of named.elements) {
        const written = propertyName ?? name;
        if (ts.isIdentifier(written)) addName(written, written.text, propertyName === undefined ? 'export' : 'outer');
      }
    } else if (ts.isVariableDeclaration(node) && isLoadingCall(node.initializer)) bindAll(node);
  }

  /** `const { tools } = generated`. */
  function collectParts(node: Ts.Node): void {
    if (!ts.isVariableDeclaration(node) || ts.isIdentifier(node.name)) return;
    const { initializer } = node;
    if (initializer === undefined || !ts.isIdentifier(initializer)) return;
    const binding = bindings.get(initializer.text)?.find(({ exported }) => exported === '*');
    if (binding !== undefined && declarationsOf(initializer).includes(binding.declaration)) bindAll(node);
  }

  /** The variables that take the whole of the generated folder, or parts of it. */
  function bindAll(node: Ts.VariableDeclaration): void {
    if (ts.isIdentifier(node.name)) bind(node.name, '*', node, true);
    else for (const element of node.name.elements) if (ts.isBindingElement(element)) bindElement(element);
  }

  function bindSpecifier(element: Ts.ImportSpecifier): void {
    const written = element.propertyName ?? element.name;
    bind(element.name, written.text, element, element.propertyName !== undefined);
    if (ts.isIdentifier(written))
      addName(written, written.text, element.propertyName === undefined ? 'binding' : 'outer');
  }

  function bindElement(element: Ts.BindingElement): void {
    const { name, propertyName = name } = element;
    if (!ts.isIdentifier(propertyName)) return;
    if (ts.isIdentifier(name)) bind(name, propertyName.text, element, true);
    else if (ts.isObjectBindingPattern(name) && isCollection(propertyName.text)) addMembers(name, propertyName.text);
  }

  /** `require('...')` and `await import('...')`. */
  function isLoadingCall(given: Ts.Expression | undefined): boolean {
    const call = given !== undefined && ts.isAwaitExpression(given) ? given.expression : given;
    if (call === undefined || !ts.isCallExpression(call) || !leads(call.arguments[0])) return false;
    const { expression } = call;
    return (
      expression.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(expression) && expression.text === 'require')
    );
  }

  function visitIdentifier(node: Ts.Identifier): void {
    const candidates = bindings.get(node.text);
    if (candidates === undefined || isPropertyName(ts, node)) return;
    const declared = declarationsOf(node);
    const binding = candidates.find(({ declaration }) => declared.includes(declaration));
    if (binding === undefined || node.parent === binding.declaration) return;
    if (binding.exported === '*') visitNamespace(node);
    else if (isCollection(binding.exported)) visitCollection(node, binding.exported);
    else if (!binding.isAliased) addName(node, binding.exported, roleOf(node));
  }

  function declarationsOf(node: Ts.Identifier): readonly Ts.Node[] {
    const { parent } = node;
    const symbol = ts.isExportSpecifier(parent)
      ? checker.getExportSpecifierLocalTargetSymbol(parent)
      : ts.isShorthandPropertyAssignment(parent)
        ? checker.getShorthandAssignmentValueSymbol(parent)
        : checker.getSymbolAtLocation(node);
    return symbol?.declarations ?? [];
  }

  function roleOf({ parent }: Ts.Identifier): NameUse['role'] {
    return ts.isExportSpecifier(parent) && parent.propertyName === undefined ? 'export' : 'local';
  }

  function addName(node: Ts.Identifier, name: string, role: NameUse['role']): void {
    if (!isCollection(name)) uses.push({ what: 'name', name, node, role });
  }

  /** `gen.tools.x`, `gen.GetIssueArgs`. */
  function visitNamespace(node: Ts.Node): void {
    const member = memberOf(node);
    if (member === undefined || !ts.isIdentifier(member)) return;
    if (isCollection(member.text)) visitCollection(member.parent, member.text);
    else addName(member, member.text, 'outer');
  }

  /** `node` stands for `tools`. */
  function visitCollection(node: Ts.Node, collection: Collection): void {
    const member = memberOf(node);
    if (member !== undefined) {
      uses.push({ what: 'member', collection, member: member.text, node: member, isShorthand: false });
      return;
    }
    const { parent } = node;
    if (ts.isVariableDeclaration(parent) && parent.initializer === node && ts.isObjectBindingPattern(parent.name))
      addMembers(parent.name, collection);
  }

  /** `const { getIssue } = tools`. */
  function addMembers(pattern: Ts.ObjectBindingPattern, collection: Collection): void {
    for (const { name, propertyName, dotDotDotToken } of pattern.elements) {
      const written = propertyName ?? name;
      if (dotDotDotToken !== undefined || !(ts.isIdentifier(written) || ts.isStringLiteralLike(written))) continue;
      const isShorthand = propertyName === undefined;
      uses.push({ what: 'member', collection, member: written.text, node: written, isShorthand });
    }
  }

  /** What stands after `node` and a dot, or in brackets. */
  function memberOf(node: Ts.Node): Ts.Identifier | Ts.StringLiteralLike | undefined {
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
      return ts.isIdentifier(parent.name) ? parent.name : undefined;
    }
    if (ts.isQualifiedName(parent) && parent.left === node) return parent.right;
    if (ts.isElementAccessExpression(parent) && parent.expression === node) {
      return ts.isStringLiteralLike(parent.argumentExpression) ? parent.argumentExpression : undefined;
    }
    return undefined;
  }

  /** `import('../generated/index.js').GetIssueArgs`, `typeof import(...).tools.getIssue`. */
  function visitImportType({ qualifier }: Ts.ImportTypeNode): void {
    let first = qualifier;
    while (first !== undefined && ts.isQualifiedName(first)) first = first.left;
    if (first === undefined) return;
    if (isCollection(first.text)) visitCollection(first, first.text);
    else addName(first, first.text, 'outer');
  }
}

function isCollection(name: string): name is Collection {
  return collections.some(one => one === name);
}

/** `x.tools`, `{ tools: 1 }`: names of something else, which are never bound by an import. */
function isPropertyName(ts: TypeScript, node: Ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  if (ts.isExportSpecifier(parent)) return parent.propertyName !== undefined && parent.name === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node;
}

/** Every node, those in JSDoc types too: in JavaScript they are the types. No recursion: long sums are deep trees. */
export function walk(ts: TypeScript, root: Ts.Node, visit: (node: Ts.Node) => void): void {
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    visit(node);
    pending.push(...jsDocOf(node));
    ts.forEachChild(node, child => {
      pending.push(child);
    });
  }
}

function jsDocOf(node: Ts.Node): readonly Ts.JSDoc[] {
  return (node as { readonly jsDoc?: readonly Ts.JSDoc[] }).jsDoc ?? [];
}
