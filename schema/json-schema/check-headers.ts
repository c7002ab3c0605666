// Rules on parameters that are repeated as HTTP headers (`header` in the shorthand, `x-mcp-header` in JSON Schema).
import type { Path } from '../document.js';
import type { CheckContext } from './check-context.js';
import { own } from './keywords.js';
import { pathOf, type SchemaNode, type Walk } from './walk.js';

const headerName = /^[A-Za-z0-9!#$%&'*+.^_|~-]+$/;
const headerTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

export function checkHeaders({ nodes, keywords }: Walk, context: CheckContext): void {
  if (!keywords.has('x-mcp-header')) return;
  const seen = new Map<string, Path>();
  for (const node of nodes) {
    if (!Object.hasOwn(node.schema, 'x-mcp-header')) continue;
    const path = [...pathOf(node), 'x-mcp-header'];
    const name = own(node.schema, 'x-mcp-header');
    const reason = headerMistake(node, name, context);
    if (reason !== undefined) {
      context.report('schema/header', { reason }, { path });
      continue;
    }
    const first = seen.get(String(name).toLowerCase());
    if (first === undefined) {
      seen.set(String(name).toLowerCase(), path);
    } else {
      const taken = `another parameter is sent as ${JSON.stringify(name)} already (upper and lower case do not count)`;
      const related = [{ ...context.source.site(first), message: 'first used here' }];
      context.report('schema/header', { reason: taken }, { path }, { related });
    }
  }
}

function headerMistake(node: SchemaNode, name: unknown, context: CheckContext): string | undefined {
  if (context.source.role === 'output') return 'outputs are not sent as headers';
  if (typeof name !== 'string' || !headerName.test(name)) {
    return `${JSON.stringify(name)} is no header name: only letters, digits and ! # $ % & ' * + - . ^ _ | ~ may be used`;
  }
  if (!isReachedByProperties(node)) return 'it must be reachable from the root through properties alone';
  const type = own(node.schema, 'type');
  if (headerTypes.has(type)) return undefined;
  if (type === undefined) return 'it needs the type string, integer or boolean';
  return `its type is ${Array.isArray(type) ? 'a union' : typeof type === 'string' ? type : JSON.stringify(type)}, not string, integer or boolean`;
}

function isReachedByProperties(node: SchemaNode): boolean {
  let at = node;
  while (at.parent !== undefined) {
    if (at.keyword !== 'properties') return false;
    at = at.parent;
  }
  return at.origin.length === 0 && at !== node;
}
