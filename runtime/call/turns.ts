// X9. In: which calls must not run at the same time: `serial` and `limits.concurrency` of tools. Out: each call's turn, in the order
// in which they came.
import type { Cancellation, PackHost, ServedTool } from './ports.js';
import { ToolError } from './tool-error.js';

/** Lets so many calls in at a time. */
export class Gate {
  #free: number;
  /** In order. The tables that a set leaves behind hold on to each other (by-id.ts), and here to all calls that have waited. */
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  get isFull(): boolean {
    return this.#free === 0;
  }

  /** Undefined: it is in. Fails with the reason of the signal where nobody waits any more. */
  enter(signal: Cancellation): Promise<void> | undefined {
    if (!this.isFull) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const give = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = {
        handleEvent: () => {
          this.#waiting.splice(this.#waiting.indexOf(give), 1);
          signal.removeEventListener('abort', stop);
          reject(signal.reason);
        },
      };
      this.#waiting.push(give);
      signal.addEventListener('abort', stop);
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

/** The groups of `serial`, for each pack whose code runs: what they protect is the pack's own. */
const groups = new WeakMap<PackHost, Map<string, Gate>>();

function groupOf(host: PackHost, name: string): Gate {
  const known = groups.get(host) ?? new Map<string, Gate>();
  groups.set(host, known);
  const gate = known.get(name) ?? new Gate(1);
  known.set(name, gate);
  return gate;
}

const defaultQueue = 100;

/** The turns of one tool's calls. */
export class Turns {
  readonly #name: string;
  readonly #gates: readonly Gate[];
  readonly #mostWaiting: number;
  #waiting = 0;

  constructor(name: string, gates: readonly Gate[], mostWaiting: number) {
    this.#name = name;
    this.#gates = gates;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Waits for a turn; gives all gates that the call is in then, and how to leave those of this turn. A call inside another one
   * (`ctx.call`) is in the gates of that one already. `isPatient`: a run of a task, which nobody can send again, waits however many do.
   */
  async take(
    held: readonly Gate[],
    signal: Cancellation,
    isPatient = false,
  ): Promise<{ readonly held: readonly Gate[]; leave(): void }> {
    const wanted = this.#gates.filter(gate => !held.includes(gate));
    const isBusy = wanted.some(gate => gate.isFull);
    if (isBusy && !isPatient && this.#waiting >= this.#mostWaiting) throw this.#tooMany();
    let entered: readonly Gate[] = [];
    const leave = (): void => {
      for (const gate of entered) gate.leave();
      entered = [];
    };
    if (isBusy) this.#waiting += 1;
    try {
      for (const gate of wanted) {
        const waiting = gate.enter(signal);
        if (waiting !== undefined) await waiting;
        entered = [...entered, gate];
      }
    } catch (thrown) {
      leave();
      throw thrown;
    } finally {
      if (isBusy) this.#waiting -= 1;
    }
    return { held: [...held, ...wanted], leave };
  }

  #tooMany(): ToolError {
    const waiting = this.#waiting;
    const some =
      waiting === 0
        ? 'it is at work, and no call may wait'
        : `${waiting === 1 ? '1 call waits for its' : `${waiting} calls wait for their`} turn already`;
    return new ToolError(`${this.#name} is busy: ${some}`, {
      code: 'BUSY',
      status: 503,
      retryable: true,
      suggestedFix: 'Call again in a moment.',
      meta: { waiting },
    });
  }
}

/** Undefined where calls never wait for each other. */
export function turnsOf({ tool, name, host }: ServedTool): Turns | undefined {
  const { serial, limits: { concurrency, queue = defaultQueue } = {} } = tool.definition;
  const gates = [
    ...(concurrency === undefined ? [] : [new Gate(concurrency)]),
    // Last: a call that has the group does not wait for a place in its tool, so that no two calls wait for each other.
    ...(serial === undefined ? [] : [groupOf(host, serial)]),
  ];
  return gates.length === 0 ? undefined : new Turns(name, gates, queue);
}
