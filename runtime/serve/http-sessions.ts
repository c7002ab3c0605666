// The sessions of clients of 2025: found by id, bound to who opened them, ended when nobody uses them.
import { randomUUID } from 'node:crypto';
import type { PlainBase } from '../protocol/plain-http.js';
import type { Blueprint } from '../sdk/blueprint.js';
import { HttpSession } from '../sdk/http-session.js';
import type { Change } from '../surface/surface.js';
import type { Busy, CallerUsage } from './caller-usage.js';

export interface SessionsOptions {
  /** A session that is not used for so long ends. */
  readonly idleMs: number;
  readonly maxSessions: number;
  /** Of one caller. */
  readonly sessionsPerCaller: number;
}

interface Entry {
  readonly session: HttpSession;
  readonly principal: string;
  readonly usage: CallerUsage;
  /** By a clock that nobody can set. */
  usedAt: number;
  /** Requests and streams that are open. */
  streams: number;
}

/** One that is in use, until `leave` is called. */
export interface SessionLease {
  readonly session: HttpSession;
  leave(): void;
}

export class HttpSessions {
  readonly #blueprint: Blueprint;
  readonly #options: SessionsOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #sweeper: NodeJS.Timeout;

  readonly #plain: PlainBase | undefined;

  /** Without `plain` everything goes through the SDK. */
  constructor(blueprint: Blueprint, options: SessionsOptions, plain: PlainBase | undefined) {
    this.#blueprint = blueprint;
    this.#plain = plain;
    this.#options = options;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(Math.max(options.idleMs / 4, 10), 60_000));
    this.#sweeper.unref();
  }

  /** Undefined where there is none, or it is another's: nobody learns which. */
  lease(id: string, principal: string): SessionLease | undefined {
    const entry = this.#entries.get(id);
    return entry === undefined || entry.principal !== principal ? undefined : this.#enter(entry);
  }

  /** One more; or why not: there are too many, and all of them are in use. */
  async open(principal: string, usage: CallerUsage): Promise<SessionLease | Busy> {
    const refused = this.#makeRoom(usage);
    if (refused !== undefined) return refused;
    const id = randomUUID();
    usage.sessions += 1;
    const session = await HttpSession.open(this.#blueprint, {
      id,
      share: { events: usage.events, load: usage },
      plain: this.#plain,
      onClose: () => {
        usage.sessions -= 1;
        this.#entries.delete(id);
      },
    });
    const entry: Entry = { session, principal, usage, usedAt: performance.now(), streams: 0 };
    this.#entries.set(id, entry);
    return this.#enter(entry);
  }

  announce(change: Change): void {
    for (const { session } of this.#entries.values()) session.announce(change);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#entries.values()].map(({ session }) => session.close()));
  }

  #enter(entry: Entry): SessionLease {
    entry.streams += 1;
    entry.usedAt = performance.now();
    let isInside = true;
    return {
      session: entry.session,
      leave() {
        if (!isInside) return;
        isInside = false;
        entry.streams -= 1;
        entry.usedAt = performance.now();
      },
    };
  }

  #isIdle({ streams, session }: Entry): boolean {
    return streams === 0 && session.openRequests === 0;
  }

  #sweep(): void {
    const latest = performance.now() - this.#options.idleMs;
    for (const entry of this.#entries.values()) {
      if (entry.usedAt <= latest && this.#isIdle(entry)) void entry.session.close();
    }
  }

  /** Who has many sessions ends one of its own, before anybody else's is ended. */
  #makeRoom(usage: CallerUsage): Busy | undefined {
    const { maxSessions, sessionsPerCaller } = this.#options;
    if (usage.sessions >= sessionsPerCaller && !this.#evict(entry => entry.usage === usage)) {
      const message = `Too Many Requests: a caller has at most ${sessionsPerCaller} sessions, and all of yours are in use`;
      return { status: 429, message };
    }
    if (this.#entries.size < maxSessions || this.#evict(() => true)) return undefined;
    return { status: 503, message: 'Service Unavailable: too many sessions' };
  }

  /** Ends one that nobody uses: of who has the most, the one that was not used for the longest time. Its client gets 404 and starts anew. */
  #evict(mayEnd: (entry: Entry) => boolean): boolean {
    let chosen: Entry | undefined;
    for (const entry of this.#entries.values()) {
      if (!mayEnd(entry) || !this.#isIdle(entry)) continue;
      if (chosen === undefined || isBefore(entry, chosen)) chosen = entry;
    }
    if (chosen === undefined) return false;
    this.#entries.delete(chosen.session.id);
    void chosen.session.close();
    return true;
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  const more = one.usage.sessions - other.usage.sessions;
  return more > 0 || (more === 0 && one.usedAt < other.usedAt);
}
