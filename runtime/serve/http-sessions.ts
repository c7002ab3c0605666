// The sessions of clients of 2025: found by id, bound to who opened them, ended when nobody uses them.
import { randomUUID } from 'node:crypto';
import type { CallBase } from '../lane/http-call.js';
import type { Blueprint } from '../sdk/blueprint.js';
import type { EventBudget } from '../sdk/event-log.js';
import { HttpSession } from '../sdk/http-session.js';
import type { Change } from '../surface/surface.js';

export interface SessionsOptions {
  /** A session that is not used for so long ends. */
  readonly idleMs: number;
  readonly maxSessions: number;
}

/** What the lean lane of each session needs; undefined: there is none. */
type Lane = CallBase | undefined;

interface Entry {
  readonly session: HttpSession;
  readonly principal: string;
  usedAt: number;
  /** Requests and streams that are open. */
  streams: number;
}

/** One that is in use, until `leave` is called. */
export interface Visit {
  readonly session: HttpSession;
  leave(): void;
}

const mostEventCharacters = 64 * 1024 * 1024;

export class HttpSessions {
  readonly #blueprint: Blueprint;
  readonly #options: SessionsOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #budget: EventBudget = { limit: mostEventCharacters, used: 0 };
  readonly #sweeper: NodeJS.Timeout;

  readonly #lane: Lane;

  constructor(blueprint: Blueprint, options: SessionsOptions, lane: Lane) {
    this.#blueprint = blueprint;
    this.#lane = lane;
    this.#options = options;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(Math.max(options.idleMs / 4, 10), 60_000));
    this.#sweeper.unref();
  }

  /** Undefined where there is none, or it is another's: nobody learns which. */
  visit(id: string, principal: string): Visit | undefined {
    const entry = this.#entries.get(id);
    return entry === undefined || entry.principal !== principal ? undefined : this.#enter(entry);
  }

  /** Undefined where there are too many, and all of them are in use. */
  async open(principal: string): Promise<Visit | undefined> {
    if (this.#entries.size >= this.#options.maxSessions && !this.#evict()) return undefined;
    const id = randomUUID();
    const session = await HttpSession.open(this.#blueprint, {
      id,
      budget: this.#budget,
      lane: this.#lane,
      onClose: () => this.#entries.delete(id),
    });
    const entry: Entry = { session, principal, usedAt: Date.now(), streams: 0 };
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

  #enter(entry: Entry): Visit {
    entry.streams += 1;
    entry.usedAt = Date.now();
    let isInside = true;
    return {
      session: entry.session,
      leave() {
        if (!isInside) return;
        isInside = false;
        entry.streams -= 1;
        entry.usedAt = Date.now();
      },
    };
  }

  #isIdle({ streams, session }: Entry): boolean {
    return streams === 0 && session.openRequests === 0;
  }

  #sweep(): void {
    const latest = Date.now() - this.#options.idleMs;
    for (const entry of this.#entries.values()) {
      if (entry.usedAt <= latest && this.#isIdle(entry)) void entry.session.close();
    }
  }

  /** Ends the one that was not used for the longest time. Its client gets 404 and starts anew. */
  #evict(): boolean {
    const idle = [...this.#entries.values()].filter(entry => this.#isIdle(entry));
    const oldest = idle.reduce<Entry | undefined>(
      (before, entry) => (before === undefined || entry.usedAt < before.usedAt ? entry : before),
      undefined,
    );
    if (oldest === undefined) return false;
    void oldest.session.close();
    return true;
  }
}
