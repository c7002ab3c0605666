// In: a surface and two pipes. Out: a connection on which both lanes serve it; each is loaded when it is first needed.

import { makeCallPort } from '../protocol/call-port.js';
import type { Handshake } from '../protocol/handshake.js';
import { capabilitiesOf, makeHandshake } from '../protocol/make-handshake.js';
import type { Surface } from '../surface/surface.js';
import { openStdioConnection, type StdioConnection, type StdioConnectionOptions } from './stdio-connection.js';

export type StdioOptions = Pick<StdioConnectionOptions, 'input' | 'output' | 'lane' | 'graceMs' | 'maxLineBytes'>;

/**
 * Serves a client over two pipes.
 *
 * @example await connectStdio(surface, { input: process.stdin, output }).closed;
 */
export function connectStdio(surface: Surface, options: StdioOptions): StdioConnection {
  const capabilities = capabilitiesOf(surface);
  let handshake: Handshake | undefined;
  const connection = openStdioConnection({
    ...options,
    handshake() {
      handshake ??= makeHandshake(surface, capabilities);
      return handshake;
    },
    loadCalls: async () => makeCallPort(surface),
    loadSdk: async wire => (await import('../sdk/stdio.js')).openSdk(surface, wire),
    report: text => surface.services.report(text),
  });
  const stopListening = surface.onChange(change => {
    handshake = undefined;
    connection.announce(change);
  });
  void connection.closed.then(stopListening);
  return connection;
}
