// What one session of 2025 watches (2026 has streams for it, which the SDK serves), and the notification of a change.
import type { Server, ServerCapabilities } from '@modelcontextprotocol/server';
import { ProtocolError, protocolCodes } from '../call/protocol-error.js';
import { ResourceNotFound } from '../surface/problems.js';
import type { Change, Surface } from '../surface/surface.js';

const most = 10_000;

export class Subscriptions {
  readonly #surface: Surface;
  readonly #uris = new Set<string>();

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  has(uri: string): boolean {
    return this.#uris.has(uri);
  }

  /** Throws a ProtocolError where it would be of no use. */
  add(uri: string): void {
    const served = this.#surface.resource(uri);
    if (served === undefined) throw new ResourceNotFound(uri);
    if (served.resource.definition.subscribe !== true) refuse(`Resource ${uri} does not support subscriptions`);
    if (this.#uris.size >= most) refuse(`A session watches at most ${most} resources`);
    this.#uris.add(uri);
  }

  delete(uri: string): void {
    this.#uris.delete(uri);
  }
}

function refuse(why: string): never {
  throw new ProtocolError(protocolCodes.invalidParams, why);
}

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
