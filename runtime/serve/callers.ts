// Who takes how much of a server: a caller is a principal, or an address where everybody has the same token or none.
import type { IncomingMessage } from 'node:http';
import { type EventBudget, EventShare } from '../sdk/event-log.js';
import type { Grant } from '../sdk/grant.js';
import type { Load, Weight } from '../sdk/in-flight.js';
import type { HttpLimits } from './http-limits.js';

export class Caller implements Load {
  /** What sessions keep for the time after a broken connection. */
  readonly events: EventShare;
  calls = 0;
  bytes = 0;
  readonly key: string;
  readonly #callers: Callers;
  #sessions = 0;

  constructor(key: string, callers: Callers, budget: EventBudget) {
    this.key = key;
    this.#callers = callers;
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
    this.#callers.note(this);
  }

  #add(calls: number, bytes: number): void {
    this.calls += calls;
    this.bytes += bytes;
    this.#callers.calls += calls;
    this.#callers.bytes += bytes;
    this.#callers.note(this);
  }
}

/** Why a request must come back later. */
export interface Busy {
  readonly status: 429 | 503;
  readonly message: string;
}

export class Callers {
  /** Of all. */
  calls = 0;
  bytes = 0;
  readonly #limits: HttpLimits;
  readonly #budget: EventBudget;
  readonly #known = new Map<string, Caller>();

  constructor(limits: HttpLimits, budget: EventBudget) {
    this.#limits = limits;
    this.#budget = budget;
  }

  of({ request, grant }: { readonly request: IncomingMessage; readonly grant: Grant | undefined }): Caller {
    const isOne = grant !== undefined && !grant.isShared;
    const key = isOne ? `principal ${grant.principal}` : addressOf(request.socket.remoteAddress);
    return this.#known.get(key) ?? new Caller(key, this, this.#budget);
  }

  /** Whether so much more is too much; undefined: it is not. Where nothing is under way, one call may be as large as it likes. */
  refuse(caller: Caller, more: Weight): Busy | undefined {
    const { calls, callsPerCaller, callBytes, callBytesPerCaller } = this.#limits;
    if (isTooMuch(caller, more, callsPerCaller, callBytesPerCaller)) {
      const message = `Too Many Requests: a caller has at most ${callsPerCaller} calls under way, with ${callBytesPerCaller} bytes`;
      return { status: 429, message };
    }
    if (!isTooMuch(this, more, calls, callBytes)) return undefined;
    const message = `Service Unavailable: the server has at most ${calls} calls under way, with ${callBytes} bytes`;
    return { status: 503, message };
  }

  /** Only those who have something here are known: there may be a new address with every request. */
  note(caller: Caller): void {
    if (caller.calls > 0 || caller.sessions > 0) this.#known.set(caller.key, caller);
    else this.#known.delete(caller.key);
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
