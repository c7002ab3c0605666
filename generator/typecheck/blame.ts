// In: a type error. Out: the declarations in the generated folder that the code contradicts, the most telling one first.
import type { ts as Ts } from 'ts-morph';
import type { TypeScript } from '../handlers/bind-sources.js';

export interface Blaming {
  readonly ts: TypeScript;
  readonly checker: Ts.TypeChecker;
  /** The interfaces and types of the generated folder, by name. */
  readonly types: ReadonlyMap<string, Ts.Declaration>;
  isGenerated(node: Ts.Node): boolean;
}

/** A name that nothing declares (`Cannot find name`): no manifest is about it, wherever it stands. */
const unknownNames: readonly number[] = [
  2304, 2503, 2552, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2662, 2663, 2867, 2868, 18004,
];
/** A property that a value does not have: the value is what matters, not what is made of it. */
const unknownProperties: readonly number[] = [2339, 2550, 2551, 2568, 2576, 7053];

export interface BlamedError {
  readonly code: number;
  readonly message: string;
  readonly file: Ts.SourceFile;
  readonly offset: number;
}

export function blame(error: BlamedError, blaming: Blaming): Ts.Declaration | undefined {
  if (unknownNames.includes(error.code)) return undefined;
  const found = propertyInMessage(error.message, blaming);
  if (found !== undefined) return found;
  const around = declarationAround(error, blaming);
  const isMember = around !== undefined && blaming.ts.isPropertySignature(around);
  return isMember ? below(around, propertiesIn(error.message), blaming.ts) : around;
}

/**
 * `Types of property 'plants' are incompatible ... type 'GetPlantsOutput' ... The types of 'care.light' are incompatible`: the deepest
 * property that is named.
 */
function propertyInMessage(message: string, { types, ts }: Blaming): Ts.Declaration | undefined {
  const properties = propertiesIn(message);
  // A property that is missing in the code is named before the type that has it; one that is unknown is in none.
  const interfaces = [...new Set(message.match(/[A-Za-z_$][\w$]*/g))].flatMap(name => types.get(name) ?? []);
  for (const [index, name] of [...properties.entries()].reverse()) {
    for (const one of interfaces) {
      const members = ts.isInterfaceDeclaration(one) ? one.members : [];
      const member = members.find(({ name: key }) => key !== undefined && textOf(ts, key) === name);
      if (member !== undefined) return below(member, properties.slice(index + 1), ts);
    }
  }
  return undefined;
}

/** `Types of property 'care'`, `The types of 'care.light'`: the names on the way to what is wrong. */
function propertiesIn(message: string): readonly string[] {
  return [...message.matchAll(/[Pp]roperty '([^']+)'|[Tt]ypes of '([^']+)'/g)].flatMap(([, name, path = '']) =>
    name === undefined ? path.split('.') : [name],
  );
}

/** Follows these names into what is written inside a member, as far as they lead. */
function below(member: Ts.Declaration, names: readonly string[], ts: TypeScript): Ts.Declaration {
  const find = (node: Ts.Node, name: string): Ts.Declaration | undefined =>
    ts.forEachChild(node, child =>
      ts.isPropertySignature(child) && textOf(ts, child.name) === name ? child : find(child, name),
    );
  return names.reduce<Ts.Declaration>((whole, name) => find(whole, name) ?? whole, member);
}

/** From the place of the error outwards: what is used there, what is expected there, what is called there. */
function declarationAround({ code, file, offset }: BlamedError, blaming: Blaming): Ts.Declaration | undefined {
  const { ts } = blaming;
  let inner = nodeAt(ts, file, offset);
  for (let node = inner; !ts.isSourceFile(node); node = node.parent) {
    const found = declarationsOf(node, blaming).find(one => blaming.isGenerated(one));
    if (found !== undefined) return found;
    if (isLimit(node, inner, code, ts)) return undefined;
    inner = node;
  }
  return undefined;
}

/** What is around this has nothing to do with a mistake inside. `inner`: where in the node it is. */
function isLimit(node: Ts.Node, inner: Ts.Node, code: number, ts: TypeScript): boolean {
  if (ts.isStatement(node)) return true;
  if (ts.isCallOrNewExpression(node)) return inner !== node.expression;
  const isRead =
    ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isObjectBindingPattern(node);
  return isRead && unknownProperties.includes(code);
}

function declarationsOf(node: Ts.Node, { ts, checker }: Blaming): readonly Ts.Declaration[] {
  const found: (Ts.Declaration | undefined)[] = [];
  if (ts.isIdentifier(node)) found.push(...originsOf(node, 0));
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    found.push(...declared(node.expression), ...originsOf(node.expression, 0));
  }
  if (ts.isObjectBindingPattern(node)) found.push(...declared(node));
  if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
    found.push(...membersOf(checker.getContextualType(node.parent), textOf(ts, node.name)));
  }
  if (ts.isExpression(node)) {
    const expected = checker.getContextualType(node);
    if (expected !== undefined) found.push(...declarationsOfType(expected));
  }
  if (ts.isCallExpression(node))
    found.push(checker.getResolvedSignature(node)?.declaration as Ts.Declaration | undefined);
  if (ts.isReturnStatement(node) && node.expression !== undefined) {
    const expected = checker.getContextualType(node.expression);
    if (expected !== undefined) found.push(...declarationsOfType(expected));
  }
  if (ts.isTypeReferenceNode(node)) found.push(...declared(node));
  return found.filter(one => one !== undefined);

  /** What a value was read from: `args.issueKey`, also after `const { issueKey } = args` and `const key = args.issueKey`. */
  function originsOf(one: Ts.Expression, depth: number): readonly Ts.Declaration[] {
    const name = ts.isPropertyAccessExpression(one) ? one.name : one;
    const own = checker.getSymbolAtLocation(name)?.declarations ?? [];
    if (depth > 5) return own;
    const earlier = own.flatMap(declaration => {
      if (ts.isBindingElement(declaration)) {
        const key = declaration.propertyName ?? declaration.name;
        const read = ts.isIdentifier(key) || ts.isStringLiteralLike(key) ? key.text : '';
        return membersOf(checker.getTypeAtLocation(declaration.parent), read);
      }
      const from = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
      return from !== undefined && (ts.isIdentifier(from) || ts.isPropertyAccessExpression(from))
        ? originsOf(from, depth + 1)
        : [];
    });
    return [...own, ...earlier];
  }

  function membersOf(type: Ts.Type | undefined, name: string): readonly Ts.Declaration[] {
    const types = type?.isUnion() ? type.types : type === undefined ? [] : [type];
    return types.flatMap(one => one.getProperty(name)?.declarations ?? []);
  }

  function declared(one: Ts.Node): readonly Ts.Declaration[] {
    return declarationsOfType(checker.getTypeAtLocation(one));
  }

  function declarationsOfType(type: Ts.Type): readonly Ts.Declaration[] {
    const own = [...(type.aliasSymbol?.declarations ?? []), ...(type.symbol?.declarations ?? [])];
    return type.isUnionOrIntersection() ? [...own, ...type.types.flatMap(declarationsOfType)] : own;
  }
}

function nodeAt(ts: TypeScript, file: Ts.SourceFile, position: number): Ts.Node {
  let node: Ts.Node = file;
  for (;;) {
    const inner: Ts.Node | undefined = ts.forEachChild(node, child =>
      child.getStart(file) <= position && position < child.getEnd() ? child : undefined,
    );
    if (inner === undefined) return node;
    node = inner;
  }
}

function textOf(ts: TypeScript, name: Ts.PropertyName): string {
  return ts.isComputedPropertyName(name) ? '' : name.text;
}
