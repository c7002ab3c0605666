// In: a surface and a way to the client. Out: the SDK at the end of it, for what our own code does not serve.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { cancelledId } from '../protocol/inbound.js';
import type { Message, MessageId, SdkPort, SdkWire } from '../protocol/ports.js';
import type { Surface } from '../surface/surface.js';
import { makeBlueprint } from './blueprint.js';
import { DispatchShortcut } from './dispatch-shortcut.js';
import { refuseRequest, trimInitialize } from './inbound.js';
import { ManifestServer } from './manifest-server.js';

const sent = Promise.resolve();

/**
 * Opens the SDK on a connection that somebody else holds.
 *
 * @example const port = openSdk(surface, { session, send: message => pipe.write(JSON.stringify(message)) });
 */
export function openSdk(surface: Surface, { session, send }: SdkWire): SdkPort {
  const blueprint = makeBlueprint(surface);
  let current: ManifestServer | undefined;
  const transport: Transport = {
    async start() {},
    send(message) {
      send(message as unknown as Message);
      return sent;
    },
    async close() {
      transport.onclose?.();
    },
  };
  const express = new DispatchShortcut(transport);
  const handle = serveStdio(
    ({ era }) => {
      express.open(undefined);
      const server = new ManifestServer(blueprint, era, {
        session,
        wrap: channel => express.wrap(channel),
        // Only a server that is asked for something stays: a client may try out an era first.
        onFirstCall: () => express.open(server),
      });
      current = server;
      return server;
    },
    { transport },
  );
  return {
    receive(message) {
      const { id, method, params } = message;
      if (typeof method === 'string' && id !== undefined) {
        const refusal = refuseRequest(message);
        if (refusal !== undefined) {
          send({ ...refusal });
          return;
        }
        if (express.take(message as unknown as JSONRPCMessage, id as MessageId, method)) return;
      } else if (typeof method === 'string') {
        const cancelled = cancelledId({ method, params: params as Message | undefined });
        if (cancelled !== undefined) express.forget(cancelled);
      }
      transport.onmessage?.(trimInitialize(message) as unknown as JSONRPCMessage);
    },
    announce: change => current?.announce(change),
    close: () => handle.close(),
  };
}
