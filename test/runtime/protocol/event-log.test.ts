// What a session keeps for clients that come back: enough, and never too much.
import { describe, expect, it } from 'vitest';
import { EventBudget, EventLog, EventShare, parseEventId } from '../../../runtime/protocol/event-log.js';

const place = (id: string): { stream: number; number: number } => parseEventId(id) ?? { stream: -1, number: -1 };
const texts = (log: EventLog, id: string): readonly string[] => log.after(place(id)).map(({ text }) => text);

describe('`EventLog`', () => {
  it('C4 the event log returns what followed an event on its own stream', () => {
    const log = new EventLog(new EventShare(new EventBudget(1000)));
    const start = log.mark(1);
    log.add(1, 'a');
    const other = log.add(2, 'x');
    const second = log.add(1, 'b');
    expect([texts(log, start), texts(log, other), texts(log, second)]).toEqual([['a', 'b'], [], []]);
  });

  it('C4 the event log keeps at most 200 events and a million characters of a session', () => {
    const budget = new EventBudget(1e9);
    const log = new EventLog(new EventShare(budget));
    const start = log.mark(1);
    for (let index = 0; index < 500; index += 1) log.add(1, `event ${index}`);
    expect(texts(log, start)).toHaveLength(200);
    expect(texts(log, start).at(-1)).toBe('event 499');
    log.add(1, 'x'.repeat(2_000_000));
    expect([texts(log, start), budget.used]).toEqual([[], 0]);
  });

  it('C4 the event logs of all sessions share one budget', () => {
    const budget = new EventBudget(100);
    const share = new EventShare(budget);
    const [one, two] = [new EventLog(share), new EventLog(share)];
    one.add(1, 'x'.repeat(90));
    two.add(1, 'y'.repeat(50));
    expect(budget.used).toBeLessThanOrEqual(100);
    one.clear();
    two.clear();
    expect(budget.used).toBe(0);
  });

  it('fix-A11 C4 the caller that uses most of a full budget gives up events, from its largest session first', () => {
    const budget = new EventBudget(1000);
    const [quiet, chatty] = [new EventShare(budget), new EventShare(budget)];
    const mine = new EventLog(quiet);
    const start = mine.mark(1);
    mine.add(1, 'm'.repeat(100));
    const logs = Array.from({ length: 20 }, () => new EventLog(chatty));
    for (const log of logs) log.add(1, 'c'.repeat(60));
    expect(texts(mine, start)).toEqual(['m'.repeat(100)]);
    expect(budget.used).toBeLessThanOrEqual(1000);
    expect(chatty.used).toBeGreaterThan(800);
    // Who has the most is who gives, also where somebody else asks for more.
    mine.add(1, 'm'.repeat(200));
    expect([quiet.used, chatty.used <= 700]).toEqual([300, true]);
    for (const log of [mine, ...logs]) log.clear();
    expect(budget.used).toBe(0);
  });

  it.each(['', 'x', '1', '1-', '-1', '1-2-3', '1e3-1', `${'9'.repeat(20)}-1`, '1-1\n'])(
    'C4 `parseEventId` refuses %j',
    id => {
      expect(parseEventId(id)).toBeUndefined();
    },
  );
});
