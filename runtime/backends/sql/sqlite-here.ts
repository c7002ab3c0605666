// B2. Reads of SQLite in this process: those that are surely short, since nothing interrupts them. In: a statement. Out: its answer, or that it is
// for the helper.
import type { Limits, Statement } from './database.js';
import { givesOneRow, isShortRead } from './short-reads.js';
import { sentBind, toSend } from './sqlite-sent.js';
import { makeSession, type Session, type SessionAnswer, type SqliteConnection } from './sqlite-session.js';

/** What takes longer here, so many times in a row, runs in the helper from then on: tables grow. Once may be a busy machine. */
const mostMsHere = 20;
const mostSlow = 3;
const mostKnown = 500;

/** What is known of a read: that it may not run here, that it is short, or short with one row at most. */
type Reach = 'long' | 'short' | 'one row';

export interface Here {
  /** Undefined: it is for the helper, which also has the better words for what is wrong with it. */
  tryRun(statement: Statement, limits: Limits): SessionAnswer | undefined;
  reopen(): void;
  close(): void;
}

/** What goes around each read, for a driver that needs it. Either may refuse: then it is for the helper. */
export interface Around {
  enter(): boolean;
  leave(): boolean;
}

/** \`connect\` opens for reading only. */
export function openHere(connect: () => SqliteConnection, around?: Around): Here {
  const known = new Map<string, Reach>();
  const slow = new Map<string, number>();
  let connection: SqliteConnection | undefined;
  let session: Session | undefined;
  let isGone = false;

  function lookAt({ text, binds }: Statement, open: Session): Reach {
    const program = open.program(text, binds.map(sentBind));
    const reach = !isShortRead(program) ? 'long' : givesOneRow(program) ? 'one row' : 'short';
    if (known.size >= mostKnown) {
      known.clear();
      slow.clear();
    }
    known.set(text, reach);
    return reach;
  }

  function noteSlow(text: string): void {
    const times = (slow.get(text) ?? 0) + 1;
    slow.set(text, times);
    if (times === mostSlow) known.set(text, 'long');
  }

  function run(statement: Statement, limits: Limits): SessionAnswer | undefined {
    const { text } = statement;
    connection ??= connect();
    session ??= makeSession(connection, 0);
    const reach = known.get(text) ?? lookAt(statement, session);
    if (reach === 'long') return undefined;
    const begin = performance.now();
    const answer = session.run(toSend(statement, limits, true, reach === 'one row'));
    if (performance.now() - begin > mostMsHere) noteSlow(text);
    else if (slow.size > 0) slow.delete(text);
    return answer;
  }

  return {
    tryRun(statement, limits) {
      if (isGone || known.get(statement.text) === 'long' || around?.enter() === false) return undefined;
      let answer: SessionAnswer | undefined;
      try {
        answer = run(statement, limits);
      } catch {
        answer = undefined;
      }
      return around?.leave() === false ? undefined : answer;
    },
    reopen: disconnect,
    close() {
      isGone = true;
      disconnect();
    },
  };

  function disconnect(): void {
    session?.close();
    session = undefined;
    connection = undefined;
  }
}
