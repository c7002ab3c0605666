// In: what changed on a surface. Out: the notification that tells it, where the server said that it would.
import type { Server, ServerCapabilities } from '@modelcontextprotocol/server';
import type { Change } from '../surface/surface.js';

/** Undefined where there is nothing to tell. */
export function sendChange(
  change: Change,
  server: Server,
  capabilities: ServerCapabilities,
): Promise<void> | undefined {
  if ('uri' in change) return capabilities.resources && server.sendResourceUpdated({ uri: change.uri });
  switch (change.list) {
    case 'tools':
      return capabilities.tools && server.sendToolListChanged();
    case 'prompts':
      return capabilities.prompts && server.sendPromptListChanged();
    case 'resources':
      return capabilities.resources && server.sendResourceListChanged();
    default:
      return change.list satisfies never;
  }
}
