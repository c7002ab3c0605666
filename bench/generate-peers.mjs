// In: nothing. Out: the generators to compare with, each installed in a folder of its own, or undefined where npm fails.
import { installPeer } from './install-peer.mjs';

/** What each contender needs; the compiler is our own, so that both sides of a comparison have the same. */
const peers = {
  'json-schema-to-typescript': ['json-schema-to-typescript@15'],
  'openapi-typescript': ['openapi-typescript@7', 'typescript@5.9'],
  'hey-api': ['@hey-api/openapi-ts@0.95', 'typescript@5.9'],
  'openapi-mcp-generator': ['openapi-mcp-generator@4'],
  'zod on the SDK': ['@modelcontextprotocol/server@2', 'zod@4', 'typescript@5.9'],
};

export function installPeers() {
  return new Map(Object.entries(peers).map(([id, packages]) => [id, installPeer(id, packages)]));
}
