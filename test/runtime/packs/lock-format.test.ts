// The text of toolwright.lock: what is written is read back, what is broken is told with its place.
import { describe, expect, it } from 'vitest';
import { compareLocks, type LockLine, parseLock, printLock } from '../../../schema/lock/lock.js';

const hash = (letter: string): string => letter.repeat(32);
const line = (name: string, changes: Partial<LockLine> = {}): LockLine => ({
  name,
  kind: 'tool',
  version: '1.2.0',
  parts: { description: hash('d'), schema: hash('s'), annotations: hash('a'), behaviour: hash('b') },
  ...changes,
});
const places = (text: string): readonly string[] =>
  parseLock(text).diagnostics.map(one => `${one.code} ${one.file}:${one.line}:${one.column}`);

describe('W61 the text of a lock', () => {
  const lines = [line('acme/jira/get-issue'), line('acme/jira/search', { kind: 'prompt' }), line('zed/x')];

  it('W61 the lock has one sorted line per item, whatever the order', () => {
    const text = printLock([...lines].reverse());
    expect(text).toBe(printLock(lines));
    expect(text.split('\n').slice(2)).toEqual([
      `acme/jira/get-issue tool 1.2.0 description=${hash('d')} schema=${hash('s')} annotations=${hash('a')} behaviour=${hash('b')}`,
      `acme/jira/search prompt 1.2.0 description=${hash('d')} schema=${hash('s')} annotations=${hash('a')} behaviour=${hash('b')}`,
      `zed/x tool 1.2.0 description=${hash('d')} schema=${hash('s')} annotations=${hash('a')} behaviour=${hash('b')}`,
      '',
    ]);
  });

  it('W61 the lock is read back as it was, also with Windows line ends, comments and in another order', () => {
    const text = printLock(lines);
    expect(parseLock(text)).toEqual({ value: lines, diagnostics: [] });
    expect(parseLock(text.replaceAll('\n', '\r\n')).value).toEqual(lines);
    expect(parseLock(`# mine\n\n${text.split('\n').slice(2).reverse().join('\n')}`).value).toHaveLength(3);
  });

  it('fix-A15 W61 a lock of format 1 is read, pins what it has, and says what it lacks', () => {
    const old = printLock(lines)
      .replace('toolwright.lock 2', 'toolwright.lock 1')
      .replaceAll(/ behaviour=\S+/g, '');
    const { value, diagnostics } = parseLock(old);
    expect(value?.[0]?.parts).toEqual({ ...lines[0]?.parts, behaviour: '' });
    expect(diagnostics.map(({ code, severity }) => `${code} ${severity}`)).toEqual(['lock/old-format warning']);
    expect(compareLocks(value ?? [], lines).map(({ change }) => change)).toEqual(['same', 'same', 'same']);
    // A line of one format in a file of the other is none.
    expect(places(printLock(lines).replaceAll(/ behaviour=\S+/g, ''))).toContain('lock/syntax toolwright.lock:3:1');
    expect(places(printLock(lines).replace('lock 2', 'lock 1'))).toContain('lock/syntax toolwright.lock:3:1');
    expect(places(printLock(lines).replace('lock 2', 'lock 9'))).toEqual(['lock/format toolwright.lock:1:1']);
  });

  it('W61 a version cannot smuggle a line into the lock', () => {
    const text = printLock([line('a/b', { version: `1\nc/d tool 1 description=${hash('x')}` })]);
    expect(parseLock(text).value).toEqual([line('a/b', { version: '-' })]);
  });

  it('W61 a merge conflict in the lock is reported at each mark and pins nothing', () => {
    const one = printLock([line('a/b')]).split('\n')[2];
    const text = `# x\n<<<<<<< HEAD\n${one}\n=======\n${one}\n>>>>>>> other\n`;
    expect(places(text)).toEqual([
      'lock/conflict toolwright.lock:2:1',
      'lock/conflict toolwright.lock:4:1',
      'lock/duplicate toolwright.lock:5:1',
      'lock/conflict toolwright.lock:6:1',
    ]);
    expect(parseLock(text).value).toBeUndefined();
  });

  const broken: readonly (readonly [string, string])[] = [
    ['half a line', 'a/b tool 1.2.0 description=x\n'],
    [
      'a name without a pack',
      `b tool 1 description=${hash('d')} schema=${hash('s')} annotations=${hash('a')} behaviour=${hash('b')}\n`,
    ],
    [
      'a name that leads out',
      `../../b tool 1 description=${hash('d')} schema=${hash('s')} annotations=${hash('a')} behaviour=${hash('b')}\n`,
    ],
    [
      'an unknown kind',
      `a/b server 1 description=${hash('d')} schema=${hash('s')} annotations=${hash('a')} behaviour=${hash('b')}\n`,
    ],
    ['JSON', '{"lockfileVersion": 3}\n'],
    ['a NUL', '\0\n'],
  ];
  it.each(broken)('W61 a lock line with %s is reported with its position', (_, text) => {
    expect(places(`# first\n${text}`)).toEqual(['lock/syntax toolwright.lock:2:1']);
  });

  it('W61 a lock of a later format is reported', () => {
    expect(places('# toolwright.lock 3: x\nanything\n')).toEqual(['lock/format toolwright.lock:1:1']);
  });

  it('W61 a lock that is broken all over gives a hundred diagnostics, not a million', () => {
    expect(places('x\n'.repeat(100_000))).toHaveLength(100);
  });
});

describe('W61 `compareLocks`', () => {
  it('W61 `compareLocks` names what was added, removed and changed, and calls the version a note', () => {
    const before = [line('a/gone'), line('a/new-version'), line('a/other'), line('a/same')];
    const now = [
      line('a/added'),
      line('a/new-version', { version: '2.0.0' }),
      line('a/other', {
        version: '2.0.0',
        parts: { description: hash('D'), schema: hash('s'), annotations: hash('A'), behaviour: hash('b') },
      }),
      line('a/same'),
    ];
    expect(compareLocks(before, now).map(({ change, line: { name }, parts }) => [name, change, ...parts])).toEqual([
      ['a/added', 'added'],
      ['a/gone', 'removed'],
      ['a/new-version', 'version'],
      ['a/other', 'changed', 'description', 'annotations'],
      ['a/same', 'same'],
    ]);
  });

  it('W61 a version that cannot be written to the lock is the same the next time', () => {
    const odd = line('a/odd', { version: '1.0.0\n\u001b[31m' });
    const { value = [] } = parseLock(printLock([odd]));
    expect(compareLocks(value, [odd]).map(({ change }) => change)).toEqual(['same']);
  });
});
