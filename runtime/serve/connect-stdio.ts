// In: a surface and two pipes. Out: a connection on which both lanes serve it; each is loaded when it is first needed.
import type { Handshake } from '../lane/handshake.js';
import { capabilitiesOf, makeHandshake } from '../lane/make-handshake.js';
import { type LaneOptions, openLane, type StdioConnection } from '../lane/stdio-lane.js';
import { makeCallPort } from '../surface/call-port.js';
import type { Surface } from '../surface/surface.js';

export type StdioOptions = Pick<LaneOptions, 'input' | 'output' | 'lane' | 'graceMs' | 'maxLineBytes'>;

/**
 * Serves a client over two pipes.
 *
 * @example await connectStdio(surface, { input: process.stdin, output }).closed;
 */
export function connectStdio(surface: Surface, options: StdioOptions): StdioConnection {
  const capabilities = capabilitiesOf(surface);
  let handshake: Handshake | undefined;
  const connection = openLane({
    ...options,
    handshake() {
      handshake ??= makeHandshake(surface, capabilities);
      return handshake;
    },
    loadCalls: async () => makeCallPort(surface),
    loadSdk: async wire => (await import('../sdk/stdio.js')).openSdk(surface, wire),
    report: text => surface.desk.report(text),
  });
  const stopListening = surface.onChange(change => {
    handshake = undefined;
    connection.announce(change);
  });
  void connection.closed.then(stopListening);
  return connection;
}
