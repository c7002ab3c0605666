// In: a surface and two pipes. Out: a connection that serves one client in its era until it leaves or is told to end.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Surface } from '../surface/surface.js';
import { makeBlueprint } from './blueprint.js';
import { ExpressLane } from './express-lane.js';
import type { Output } from './line-writer.js';
import { ManifestServer } from './manifest-server.js';
import { type Input, LineTransport } from './stdio-transport.js';
import { within } from './within.js';

export interface StdioOptions {
  readonly input: Input;
  readonly output: Output;
  /** How long calls may go on after the client has closed its side; default 5000. */
  readonly graceMs?: number | undefined;
  /** The longest message, in bytes; default 10 MiB. */
  readonly maxLineBytes?: number | undefined;
}

export interface StdioConnection {
  /** When the last answer is written and nothing is read any more. */
  readonly closed: Promise<void>;
  /** Reads no more, lets calls finish within the grace time, then ends. */
  close(graceMs?: number): Promise<void>;
}

/** What the last answers may take to reach a client that reads slowly. */
const writeMs = 2000;

/**
 * Serves a client over two pipes.
 *
 * @example await connectStdio(surface, { input: process.stdin, output }).closed;
 */
export function connectStdio(surface: Surface, options: StdioOptions): StdioConnection {
  const { input, output, graceMs = 5000, maxLineBytes = 10 * 1024 * 1024 } = options;
  const blueprint = makeBlueprint(surface);
  let current: ManifestServer | undefined;
  let ending: Promise<void> | undefined;
  const transport: LineTransport = new LineTransport({
    input,
    output,
    maxLineBytes,
    onRequest: (message, id, method) => lane.take(message, id, method),
    onCancel: id => lane.forget(id),
    onEnd: () => void end(graceMs),
    onGone: () => void end(0),
  });
  const lane = new ExpressLane(transport);
  const stopListening = surface.onChange(change => current?.announce(change));
  const handle = serveStdio(
    ({ era }) => {
      lane.open(undefined);
      const server = new ManifestServer(blueprint, era, {
        wrap: channel => lane.wrap(channel),
        // Only a server that is asked for something stays: a client may try out an era first.
        onFirstCall: () => lane.open(server),
      });
      current = server;
      return server;
    },
    { transport },
  );
  let resolveClosed = (): void => undefined;
  const closed = new Promise<void>(resolve => {
    resolveClosed = resolve;
  });

  function end(withinMs: number): Promise<void> {
    ending ??= (async () => {
      transport.stop();
      await within(withinMs, transport.answered());
      stopListening();
      await handle.close();
      await within(writeMs, transport.written());
      resolveClosed();
    })();
    return ending;
  }

  return { closed, close: (withinMs = graceMs) => end(withinMs) };
}
