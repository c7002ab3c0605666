// In: what spreads changes of a server. Out: what handlers may announce.
import type { Notify } from '../../schema/support/mcp/client.js';

/** Which list changed, or which resource. */
export type Change = { readonly list: 'tools' | 'prompts' | 'resources' } | { readonly uri: string };

export function notifyOf(surface: { announce(change: Change): void }): Notify {
  return {
    toolsChanged: () => surface.announce({ list: 'tools' }),
    promptsChanged: () => surface.announce({ list: 'prompts' }),
    resourcesChanged: () => surface.announce({ list: 'resources' }),
    resourceUpdated: uri => surface.announce({ uri }),
  };
}
