// B4. In: `mcp` of an item. Out: what forwards it to the server that does the work.

import type { McpCall } from '../../../schema/definitions.js';
import { asList, asMap, isMap } from '../../../schema/document.js';
import type { Prompt, Resource, Tool } from '../../load/program.js';
import { encodePath, type PathPart } from '../http/path-tag.js';
import { encodeWhole } from '../http/place-values.js';
import type { OpenMcpBackend } from '../mcp/open-mcp.js';
import type { FilledWork } from './item-work.js';

export function mcpWork(item: Tool | Prompt | Resource, call: McpCall, backend: OpenMcpBackend): FilledWork {
  const name = call.name ?? item.name;
  switch (item.kind) {
    case 'tool':
      return {
        run: ({ args }, scope) => backend.of(scope).callTool(name, args),
        preview: ({ args }) => backend.preview({ method: 'tools/call', params: { name, arguments: args } }),
      };
    case 'prompt':
      return {
        run: ({ args }, scope) => backend.of(scope).getPrompt(name, args),
        preview: ({ args }) => backend.preview({ method: 'prompts/get', params: { name, arguments: args } }),
      };
    case 'resource':
      return {
        run: async ({ args }, scope) => {
          const asked = scope.uri ?? '';
          const uri = call.name === undefined ? asked : expand(call.name, args);
          const result = await backend.of(scope).readResource(uri);
          const contents = asList(asMap(result)['contents']);
          // Clients know it by the address that they asked for.
          return { contents: contents.map(one => (isMap(one) && one['uri'] === uri ? { ...one, uri: asked } : one)) };
        },
        preview: ({ args }, { uri: asked = '' }) => {
          const uri = call.name === undefined ? asked : expand(call.name, args);
          return backend.preview({ method: 'resources/read', params: { uri } });
        },
      };
    default:
      return item satisfies never;
  }
}

/** A template of the other server: {name} is one segment, {+name} may be several. No value makes a step upwards, or leaves a segment out. */
function expand(template: string, values: Readonly<Record<string, unknown>>): string {
  const parts: PathPart[] = [];
  let end = 0;
  for (const { 0: tag, 1: plus, 2: key = '', index } of template.matchAll(/\{(\+?)([^{}*:]+)\*?\}/g)) {
    const value = Object.hasOwn(values, key) ? String(values[key] ?? '') : '';
    parts.push(template.slice(end, index), plus === '' ? { value } : encodeReserved(value));
    end = index + tag.length;
  }
  return parts.length === 0 ? template : encodePath([...parts, template.slice(end)]);
}

/** As `{+name}` of RFC 6570, without the end of a path. */
function encodeReserved(value: string): string {
  return value.replace(/[^/,:;@&=+$]+/g, run => encodeWhole(run, 'A value of the address'));
}
