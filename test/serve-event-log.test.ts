// What a session keeps for clients that come back: enough, and never too much.
import { describe, expect, it } from 'vitest';
import { type EventBudget, EventLog, parseEventId } from '../runtime/sdk/event-log.js';

const place = (id: string): { stream: number; number: number } => parseEventId(id) ?? { stream: -1, number: -1 };
const texts = (log: EventLog, id: string): readonly string[] => log.after(place(id)).map(({ text }) => text);

describe('event log', () => {
  it('C4 gives what followed an event on its own stream', () => {
    const log = new EventLog({ limit: 1000, used: 0 });
    const start = log.mark(1);
    log.add(1, 'a');
    const other = log.add(2, 'x');
    const second = log.add(1, 'b');
    expect([texts(log, start), texts(log, other), texts(log, second)]).toEqual([['a', 'b'], [], []]);
  });

  it('C4 keeps at most 200 events and a million characters of a session', () => {
    const budget: EventBudget = { limit: 1e9, used: 0 };
    const log = new EventLog(budget);
    const start = log.mark(1);
    for (let index = 0; index < 500; index += 1) log.add(1, `event ${index}`);
    expect(texts(log, start)).toHaveLength(200);
    expect(texts(log, start).at(-1)).toBe('event 499');
    log.add(1, 'x'.repeat(2_000_000));
    expect([texts(log, start), budget.used]).toEqual([[], 0]);
  });

  it('C4 all sessions share one budget', () => {
    const budget: EventBudget = { limit: 100, used: 0 };
    const [one, two] = [new EventLog(budget), new EventLog(budget)];
    one.add(1, 'x'.repeat(90));
    two.add(1, 'y'.repeat(50));
    expect(budget.used).toBeLessThanOrEqual(100);
    one.clear();
    two.clear();
    expect(budget.used).toBe(0);
  });

  it.each(['', 'x', '1', '1-', '-1', '1-2-3', '1e3-1', `${'9'.repeat(20)}-1`, '1-1\n'])('C4 %j is no event', id => {
    expect(parseEventId(id)).toBeUndefined();
  });
});
