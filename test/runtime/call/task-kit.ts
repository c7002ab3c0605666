// What the tests of runs of tasks share: a store in memory that keeps what runs do, and kills the runs that a test wants dead.
import type { Asking, Outcome, Request, SealedState, TaskRun } from '../../../runtime/call/ports.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';

type RunEnd = Outcome<CallToolResult> | 'died';

export type Call = (request: Partial<Request>) => Promise<Outcome<CallToolResult>>;

export class FakeTask {
  readonly answers: Record<string, unknown> = {};
  readonly once: Record<string, unknown> = {};
  readonly notes: string[] = [];
  /** What runs have asked and told, in order. */
  readonly log: string[] = [];
  attempt = 0;

  constructor(journal: SealedState = { answers: {}, once: {} }) {
    Object.assign(this.answers, journal.answers);
    Object.assign(this.once, journal.once);
  }

  /** One run. `dies: keep pay` kills it when that is kept: what was kept stays, and the handler never hears. */
  async run(call: Call, dies?: string, more: Partial<Request> = {}): Promise<RunEnd> {
    this.attempt += 1;
    const mine = this.attempt;
    const aborting = new AbortController();
    let isDead = false;
    const step = async (what: string): Promise<boolean> => {
      if (mine !== this.attempt || isDead) return false;
      this.log.push(what);
      if (what !== dies) return true;
      isDead = true;
      // Whoever runs a task ends the runs that it has lost.
      setTimeout(() => aborting.abort(), 5);
      return false;
    };
    const task: TaskRun = {
      id: 'task-1',
      attempt: mine,
      // JSON, as in a file.
      journal: JSON.parse(JSON.stringify({ answers: this.answers, once: this.once })) as SealedState,
      mayBegin: () => step('begin'),
      keep: async (key, kept) => {
        if (mine !== this.attempt || isDead) return false;
        this.once[key] = JSON.parse(JSON.stringify(kept));
        return step(`keep ${key}`);
      },
      note: text => this.notes.push(text),
    };
    const ended = await call({ task, signal: aborting.signal, ...more });
    return isDead ? 'died' : ended;
  }

  answer(given: Readonly<Record<string, unknown>>): void {
    Object.assign(this.answers, given);
  }
}

export function asked(ended: RunEnd): Asking {
  if (ended === 'died' || !('asking' in ended)) throw new Error(`nothing is asked: ${JSON.stringify(ended)}`);
  return ended.asking;
}

export function resultOf(ended: RunEnd): CallToolResult {
  if (ended === 'died' || !('result' in ended)) throw new Error(`no result: ${JSON.stringify(ended)}`);
  return ended.result;
}
