// Who takes how much of a server, and what a request costs. A caller is a principal, or an address where everybody has the same token or
// none. Connections that are too many, by number and by address, have their requests sent away.

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { isMap } from '../../schema/document.js';
import type { Caller, Load, Weight } from '../protocol/caller.js';
import { type EventBudget, EventShare } from '../protocol/event-log.js';
import type { Inbound } from '../protocol/inbound.js';
import type { HttpLimits } from './http-limits.js';

export class CallerUsage implements Load {
  /** What sessions keep for the time after a broken connection. */
  readonly events: EventShare;
  calls = 0;
  bytes = 0;
  readonly key: string;
  readonly #usages: CallerUsages;
  #sessions = 0;

  constructor(key: string, callers: CallerUsages, budget: EventBudget) {
    this.key = key;
    this.#usages = callers;
    this.events = new EventShare(budget);
  }

  begin(weight: Weight): void {
    this.#add(weight.calls, weight.bytes);
  }

  end(weight: Weight): void {
    this.#add(-weight.calls, -weight.bytes);
  }

  /** Of 2025. */
  get sessions(): number {
    return this.#sessions;
  }

  set sessions(count: number) {
    this.#sessions = count;
    this.#usages.note(this);
  }

  #add(calls: number, bytes: number): void {
    this.calls += calls;
    this.bytes += bytes;
    this.#usages.calls += calls;
    this.#usages.bytes += bytes;
    this.#usages.note(this);
  }
}

/** Why a request must come back later. */
export interface Busy {
  readonly status: 429 | 503;
  readonly message: string;
}

export class CallerUsages {
  /** Of all. */
  calls = 0;
  bytes = 0;
  readonly #limits: HttpLimits;
  readonly #budget: EventBudget;
  readonly #known = new Map<string, CallerUsage>();

  constructor(limits: HttpLimits, budget: EventBudget) {
    this.#limits = limits;
    this.#budget = budget;
  }

  of({ request, caller }: { readonly request: IncomingMessage; readonly caller: Caller | undefined }): CallerUsage {
    const isOne = caller !== undefined && !caller.isShared;
    const key = isOne ? `principal ${caller.principal}` : addressOf(request.socket.remoteAddress);
    return this.#known.get(key) ?? new CallerUsage(key, this, this.#budget);
  }

  /** Whether so much more is too much; undefined: it is not. Where nothing is under way, one call may be as large as it likes. */
  refuse(usage: CallerUsage, more: Weight): Busy | undefined {
    const { calls, callsPerCaller, callBytes, callBytesPerCaller } = this.#limits;
    if (isTooMuch(usage, more, callsPerCaller, callBytesPerCaller)) {
      const message = `Too Many Requests: a caller has at most ${callsPerCaller} calls under way, with ${callBytesPerCaller} bytes`;
      return { status: 429, message };
    }
    if (!isTooMuch(this, more, calls, callBytes)) return undefined;
    const message = `Service Unavailable: the server has at most ${calls} calls under way, with ${callBytes} bytes`;
    return { status: 503, message };
  }

  /** Only those who have something here are known: there may be a new address with every request. */
  note(usage: CallerUsage): void {
    if (usage.calls > 0 || usage.sessions > 0) this.#known.set(usage.key, usage);
    else this.#known.delete(usage.key);
  }
}

function isTooMuch(now: Weight, more: Weight, mostCalls: number, mostBytes: number): boolean {
  if (now.calls + more.calls > mostCalls) return true;
  return now.calls > 0 && now.bytes + more.bytes > mostBytes;
}

/** Of IPv6 the part that one customer of a provider has: within it anybody may take another address for each request. */
export function addressOf(remote: string | undefined): string {
  const address = remote ?? '';
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice(7);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}

export class Connections {
  readonly #limits: HttpLimits;
  readonly #refused = new Map<Socket, Busy>();
  readonly #byAddress = new Map<string, number>();
  #count = 0;

  constructor(server: Server, limits: HttpLimits) {
    this.#limits = limits;
    // Beyond that there is not even an answer.
    server.maxConnections = 2 * limits.connections;
    server.on('connection', socket => this.#add(socket));
  }

  /** Why a request on this connection is not served; undefined: it is. */
  refuse(socket: Socket): Busy | undefined {
    return this.#refused.size === 0 ? undefined : this.#refused.get(socket);
  }

  #add(socket: Socket): void {
    const { connections, connectionsPerAddress } = this.#limits;
    const address = addressOf(socket.remoteAddress);
    const ofAddress = (this.#byAddress.get(address) ?? 0) + 1;
    this.#count += 1;
    this.#byAddress.set(address, ofAddress);
    if (ofAddress > connectionsPerAddress) {
      const message = `Too Many Requests: an address has at most ${connectionsPerAddress} connections`;
      this.#refused.set(socket, { status: 429, message });
    } else if (this.#count > connections) {
      const message = `Service Unavailable: the server has at most ${connections} connections`;
      this.#refused.set(socket, { status: 503, message });
    }
    socket.once('close', () => {
      this.#count -= 1;
      this.#refused.delete(socket);
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left > 0) this.#byAddress.set(address, left);
      else this.#byAddress.delete(address);
    });
  }
}

/** Requests that are answered at once, or that only wait. */
const light: ReadonlySet<unknown> = new Set([
  ...['initialize', 'ping', 'server/discover', 'logging/setLevel', 'subscriptions/listen'],
  ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'],
  ...['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'],
]);

export const noCalls: Weight = Object.freeze({ calls: 0, bytes: 0 });

/** What a body of so many bytes costs; `inbound` is what it says where it is one message. */
export function weighCalls(
  { value, size }: { readonly value: unknown; readonly size: number },
  inbound: Inbound,
): Weight {
  const calls = inbound.kind === 'request' ? Number(!light.has(inbound.method)) : countCalls(value);
  return calls === 0 ? noCalls : { calls, bytes: size };
}

/** Of several messages, or of one that does not have its form. */
function countCalls(value: unknown): number {
  return [value].flat().filter(message => {
    if (!isMap(message) || message['method'] === undefined || light.has(message['method'])) return false;
    return Object.hasOwn(message, 'id');
  }).length;
}

export function isListening(value: unknown): value is Readonly<Record<string, unknown>> {
  return isMap(value) && value['method'] === 'subscriptions/listen';
}
