// B4. In: `mcp` of an item. Out: what forwards it to the server that does the work.

import type { McpCall } from '../../../schema/definitions.js';
import { isMap } from '../../../schema/document.js';
import type { Prompt, Resource, Tool } from '../../load/program.js';
import { resourceUri } from '../http/resource-uri.js';
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
          const uri = call.name === undefined ? asked : resourceUri(call.name, args);
          const { contents } = await backend.of(scope).readResource(uri);
          // Clients know it by the address that they asked for.
          return { contents: contents.map(one => (isMap(one) && one.uri === uri ? { ...one, uri: asked } : one)) };
        },
        preview: ({ args }, { uri: asked = '' }) => {
          const uri = call.name === undefined ? asked : resourceUri(call.name, args);
          return backend.preview({ method: 'resources/read', params: { uri } });
        },
      };
    default:
      return item satisfies never;
  }
}
