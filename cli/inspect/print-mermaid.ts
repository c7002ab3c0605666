// In: an inspection. Out: a Mermaid diagram: packs around their servers and items, an arrow from a server to what it serves.

import type { InspectedServer } from '../../runtime/packs/inspect.js';
import { handledKinds, type Kind } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';
import { visible } from '../../schema/print/visible.js';
import type { Inspection } from './inspect.js';

interface Node {
  readonly id: string;
  readonly kind: Kind;
  readonly label: string;
}

/** Stadium, box, note, cylinder and hexagon. */
const shapes: Readonly<Record<Kind, readonly [string, string]>> = {
  server: ['([', '])'],
  tool: ['[', ']'],
  prompt: ['>', ']'],
  resource: ['[(', ')]'],
  schema: ['{{', '}}'],
};

/** Texts of packs are labels and nothing else: ids are ours, and every other character of a label is a number. */
export function printMermaid(inspection: Inspection): string {
  const packs = new Map<string, Node[]>();
  const ids = new Map<string, string>();
  const edges: string[] = [];
  if ('collisions' in inspection) addServer(inspection);
  else {
    packs.set(inspection.name, []);
    for (const kind of handledKinds)
      for (const item of inspection[`${kind}s`]) {
        const { name, item: key } = isMap(item) ? item : ({} as Readonly<Record<string, unknown>>);
        node(inspection.name, kind, String(key ?? name), String(name));
      }
    for (const server of inspection.servers) {
      if (isMap(server) && Array.isArray(server['collisions'])) addServer(server as unknown as InspectedServer);
      else if (isMap(server)) node(inspection.name, 'server', String(server['name']), String(server['name']));
    }
  }
  for (const { pack } of inspection.missing) if (!packs.has(pack)) packs.set(pack, []);
  const absent = new Set(inspection.missing.map(({ pack }) => pack));
  const lines = ['flowchart LR'];
  for (const [index, [pack, nodes]] of [...packs].entries()) {
    lines.push(`  subgraph p${index}["${label(pack)}${absent.has(pack) ? ' not installed' : ''}"]`);
    for (const { id, kind, label: text } of nodes) {
      const [open, close] = shapes[kind];
      lines.push(`    ${id}${open}"${label(text)}"${close}`);
    }
    // A group without nodes is not drawn.
    if (nodes.length === 0) lines.push(`    p${index}x["?"]`);
    lines.push('  end');
  }
  return `${[...lines, ...edges].join('\n')}\n`;

  function addServer(server: InspectedServer): void {
    const from = node(server.pack, 'server', server.item, server.name);
    for (const kind of handledKinds) {
      for (const { pack, item, name } of server[`${kind}s`]) {
        const to = node(pack, kind, item, item);
        edges.push(name === item ? `  ${from} --> ${to}` : `  ${from} -- "${label(name)}" --> ${to}`);
      }
    }
  }

  /** The id of a node, made for the first who asks. */
  function node(pack: string, kind: Kind, item: string, text: string): string {
    const key = JSON.stringify([pack, kind, item]);
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = `n${ids.size}`;
    ids.set(key, id);
    packs.set(pack, [...(packs.get(pack) ?? []), { id, kind, label: text }]);
    return id;
  }
}

function label(text: string): string {
  return visible(text).replace(/[^\p{L}\p{N} _./@:,-]/gu, found => `#${found.codePointAt(0)};`);
}
