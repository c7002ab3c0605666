// In: a surface. Out: it serves the process that started this one, over stdin and stdout.

import { makeCallPort } from '../protocol/call-port.js';
import { capabilitiesOf, makeHandshake } from '../protocol/make-handshake.js';
import type { Surface } from '../surface/surface.js';
import { type StdinGuard, takeStdin } from './stdin-guard.js';
import {
  openStdioConnection,
  type ProtocolName,
  type StdioConnection,
  type StdioConnectionOptions,
} from './stdio-connection.js';
import { installStdoutGuard, type StdoutGuard } from './stdout-guard.js';

export interface ServeStdioOptions {
  /** Where stdout was taken earlier, before code of packs was loaded. */
  readonly guard?: StdoutGuard | undefined;
  /** Where stdin was taken earlier, as well. */
  readonly stdin?: StdinGuard | undefined;
  /** `sdk`: everything goes through the MCP SDK; default `own`. */
  readonly protocol?: ProtocolName | undefined;
  /** How long calls may go on once the client has closed stdin, or `close` was called; default 5000. */
  readonly graceMs?: number | undefined;
  /** Runs when everything is written, before `closed` is settled: dispose of things here. */
  readonly onClose?: (() => void | Promise<void>) | undefined;
}

export interface StdioServer {
  /** When the client has left or `close` is done: every answer is written, so that the process may exit. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
  /** The process is about to end: every open request gets an error, at once. */
  abandon(reason: string): void;
}

/**
 * Serves one client over stdin and stdout, in the era that it speaks.
 *
 * @example await serveStdio(surface, { guard: installStdoutGuard() }).closed;
 */
export function serveStdio(surface: Surface, options: ServeStdioOptions = {}): StdioServer {
  const { guard = installStdoutGuard(), stdin = takeStdin(), protocol, graceMs, onClose } = options;
  const connection = connectStdio(surface, { input: stdin.input, output: guard.output, protocol, graceMs });
  const closed = connection.closed.then(async () => {
    await onClose?.();
    stdin.restore();
  });
  return {
    closed,
    abandon: reason => connection.abandon(reason),
    async close() {
      await connection.close();
      await closed;
    },
  };
}

type StdioOptions = Pick<StdioConnectionOptions, 'input' | 'output' | 'protocol' | 'graceMs' | 'maxLineBytes'>;

/**
 * Serves a client over two pipes.
 *
 * @example await connectStdio(surface, { input: process.stdin, output }).closed;
 */
export function connectStdio(surface: Surface, options: StdioOptions): StdioConnection {
  const capabilities = capabilitiesOf(surface);
  const connection = openStdioConnection({
    ...options,
    handshake: () => makeHandshake(surface, capabilities),
    loadCalls: async () => makeCallPort(surface),
    loadSdk: async wire => (await import('../sdk/stdio.js')).openSdk(surface, wire),
    report: text => surface.services.report(text),
  });
  const stopListening = surface.onChange(change => connection.announce(change));
  void connection.closed.then(stopListening);
  return connection;
}
