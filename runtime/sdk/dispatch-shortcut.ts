// A shorter way for requests, over stdio once a connection has its server, and in sessions: straight to the SDK's dispatcher and back.
// On the long way the SDK looks at every message up to nine times, to find out what our transport knows already: that is
// half of the cost of a call. Handshake, subscriptions, notifications and answers to our questions take the long way.
import type { JSONRPCMessage, McpServer, MessageExtraInfo, Transport } from '@modelcontextprotocol/server';
import type { MessageId } from '../protocol/ports.js';

type Dispatch = (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;

const longWay: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'subscriptions/listen']);

/** The SDK's own dispatcher of requests is private; without it there is no shorter way, and everything works as before. */
function dispatcherOf({ server }: McpServer): Dispatch | undefined {
  const dispatch: unknown = Reflect.get(server, '_onrequest');
  if (typeof dispatch !== 'function') return undefined;
  return (message, extra) => Reflect.apply(dispatch, server, [message, extra]);
}

/** The same for a transport that knows a request when it sees one; for others the SDK looks. */
export function shortenWay(server: McpServer, transport: Transport): void {
  const dispatch = dispatcherOf(server);
  const { onmessage } = transport;
  if (dispatch === undefined) return;
  transport.onmessage = (message, extra) => {
    if ('method' in message && 'id' in message) dispatch(message, extra);
    else onmessage?.(message, extra);
  };
}

export class DispatchShortcut {
  readonly #wire: Pick<Transport, 'send'>;
  /** Requests whose answers may take the shorter way back. */
  readonly #taken = new Set<MessageId>();
  #dispatch: Dispatch | undefined;

  constructor(wire: Pick<Transport, 'send'>) {
    this.#wire = wire;
  }

  /** From now on requests may go straight to this server; undefined: no more. */
  open(server: McpServer | undefined): void {
    this.#dispatch = server && dispatcherOf(server);
  }

  /** False: it must take the long way. */
  take(message: JSONRPCMessage, id: MessageId, method: string): boolean {
    if (this.#dispatch === undefined || longWay.has(method)) return false;
    this.#taken.add(id);
    this.#dispatch(message);
    return true;
  }

  /** A request that will have no answer. */
  forget(id: MessageId): void {
    this.#taken.delete(id);
  }

  /** The transport of a server, with the shorter way back for answers. */
  wrap(transport: Transport): Transport {
    const wrapped: Transport = {
      async start() {
        transport.onmessage = (message, extra) => wrapped.onmessage?.(message, extra);
        transport.onerror = error => wrapped.onerror?.(error);
        transport.onclose = () => wrapped.onclose?.();
        await transport.start();
      },
      send: (message, options) => {
        const id = 'method' in message ? undefined : message.id;
        const isTaken = id !== undefined && this.#taken.delete(id);
        return isTaken ? this.#wire.send(message) : transport.send(message, options);
      },
      close: () => transport.close(),
      ...(transport.setProtocolVersion && { setProtocolVersion: transport.setProtocolVersion.bind(transport) }),
    };
    return wrapped;
  }
}
