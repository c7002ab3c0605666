// W85 with real processes: whatever writes to stdout, the protocol is all that arrives there.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundleChild } from '../../runtime/serve/serve-bundle.js';
import { call, type Message, request } from '../../runtime/serve/serve-pipes.js';

let bundle = '';
beforeAll(async () => {
  bundle = await bundleChild('serve-child');
});
afterAll(() => rmSync(bundle, { force: true }));

interface Child {
  readonly process: ChildProcessWithoutNullStreams;
  readonly lines: string[];
  stderr: string;
  send(...messages: object[]): void;
  answer(id: string | number): Promise<Message>;
  exit: Promise<number | null>;
}

const children: Child[] = [];
afterEach(async () => {
  for (const { process: child } of children) child.kill('SIGKILL');
  await Promise.all(children.splice(0).map(({ exit }) => exit));
});

function start(env: Record<string, string> = {}): Child {
  const child = spawn(process.execPath, [bundle], { stdio: 'pipe', env: { ...process.env, ...env } });
  const waiting = new Set<() => void>();
  let rest = '';
  const self: Child = {
    process: child,
    lines: [],
    stderr: '',
    send: (...messages) => void child.stdin.write(messages.map(message => `${JSON.stringify(message)}\n`).join('')),
    answer: id =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          for (const line of self.lines) {
            let message: Message;
            try {
              message = JSON.parse(line) as Message;
            } catch {
              reject(new Error(`not the protocol: ${line}`));
              return;
            }
            if (message.id !== id) continue;
            waiting.delete(look);
            resolve(message);
            return;
          }
        };
        waiting.add(look);
        look();
        void self.exit.then(() => reject(new Error(`exit before the answer to ${id}: ${self.stderr}`)));
      }),
    exit: new Promise(resolve => {
      child.on('close', resolve);
    }),
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    self.lines.push(...lines);
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    self.stderr += text;
  });
  children.push(self);
  return self;
}

const initialize = request('init', 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'a', version: '1' },
});
const textOf = ({ result }: Message): string =>
  (result?.['content'] as { text: string }[] | undefined)?.[0]?.text ?? '';

describe('the guard of stdout', () => {
  it('W85 fix-A13 every way to stdout ends at stderr with one hint, and the protocol continues', async () => {
    const child = start();
    child.send(initialize, call('ways', 'ways'));
    const ways = JSON.parse(textOf(await child.answer('ways'))) as string[];
    expect(ways.length).toBeGreaterThan(50);
    for (const way of ways) {
      child.send(call(way, 'noise', { way }));
      expect(textOf(await child.answer(way))).toBe(`made ${way}`);
    }
    child.send(call('end', 'add', { a: 1, b: 2 }), call('pipes', 'pipes'));
    expect(await child.answer('end')).toMatchObject({ result: { structuredContent: { sum: 3 } } });
    expect(textOf(await child.answer('pipes'))).toBe('mine');
    child.process.stdin.end();
    expect(await child.exit).toBe(0);
    for (const line of child.lines) expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0');
    expect(child.stderr.match(/NOISE/g)?.length).toBeGreaterThan(45);
    expect(child.stderr.match(/is reserved for the protocol/g)).toHaveLength(1);
  });

  it.each([
    ['console.log', /code at \S+serve-child-\d+\.mjs:\d+:\d+ writes to stdout/],
    ['fs.writeSync', /fs\.writeSync at \S+:\d+:\d+ writes/],
    ['spawn inherit', /a child process \(\S+\) at \S+:\d+:\d+ writes/],
  ])('W85 the hint says who wrote to stdout: %s', async (way, hint) => {
    const child = start();
    child.send(initialize, call(1, 'noise', { way }));
    await child.answer(1);
    child.process.stdin.end();
    await child.exit;
    expect(child.stderr).toMatch(hint);
  });

  it('W85 a child process never reads what the client wrote', async () => {
    const child = start();
    child.send(initialize, call(1, 'noise', { way: 'stdin of a child' }), call(2, 'add', { a: 1, b: 1 }));
    await child.answer(1);
    expect(await child.answer(2)).toHaveProperty('result');
    expect(child.stderr).not.toContain('NOISE');
  });
});

it('W85 `restore` gives stdout back', async () => {
  const child = start({ RESTORE: 'yes' });
  expect(await child.exit).toBe(0);
  expect([child.lines, child.stderr]).toEqual([['REAL 1', 'REAL 2', 'REAL 3'], '']);
});

describe('the process of a server', () => {
  it('W83 calls under way are answered after EOF, then the process exits with 0', async () => {
    const child = start();
    child.send(initialize, call(1, 'slow', { ms: 200, name: 'a' }));
    child.process.stdin.end();
    expect(await child.exit).toBe(0);
    expect(child.lines.map(line => JSON.parse(line) as Message).find(({ id }) => id === 1)).toHaveProperty('result');
    expect(child.stderr).toContain('CLOSED');
  });

  it('W83 a server whose stdin is empty exits with 0', async () => {
    const child = start();
    child.process.stdin.end();
    expect(await child.exit).toBe(0);
    expect(child.lines).toEqual([]);
  });

  it('W83 a large answer is written as a whole before the process exits', async () => {
    const child = start();
    child.process.stdout.pause();
    child.send(initialize, call(1, 'big', { size: 5_000_000 }));
    child.process.stdin.end();
    setTimeout(() => child.process.stdout.resume(), 300);
    expect(await child.exit).toBe(0);
    expect(child.lines.at(-1)?.length).toBeGreaterThan(5_000_000);
  });

  it('W83 a server whose client closes stdout exits without a stack on stderr', async () => {
    const child = start();
    child.send(initialize);
    await child.answer('init');
    child.process.stdout.destroy();
    child.send(call(1, 'slow', { ms: 60_000 }), call(2, 'big', { size: 100_000 }));
    expect(await child.exit).toBe(0);
    expect(child.stderr).toBe('CLOSED\n');
  });

  it('W85 a client that closes stderr does not end the server', async () => {
    const child = start();
    child.send(initialize);
    await child.answer('init');
    child.process.stderr.destroy();
    child.send(call(1, 'noise', { way: 'console.log' }), call(2, 'noise', { way: 'console.log' }));
    await child.answer(2);
    child.send(call(3, 'add', { a: 1, b: 1 }));
    expect(await child.answer(3)).toHaveProperty('result');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'W83 calls under way finish at %s, then the process exits with 0',
    async signal => {
      const child = start();
      child.send(initialize, call(1, 'slow', { ms: 300, name: 'a' }));
      await child.answer('init');
      child.process.kill(signal);
      expect(await child.exit).toBe(0);
      expect(child.lines.map(line => JSON.parse(line) as Message).find(({ id }) => id === 1)).toHaveProperty('result');
      expect(child.stderr).toBe(`${signal}\nCLOSED\n`);
    },
  );

  it('W83 a second signal ends the process at once', async () => {
    const child = start({ GRACE: '600000' });
    child.send(initialize, call(1, 'slow', { ms: 600_000 }));
    await child.answer('init');
    child.process.kill('SIGTERM');
    while (!child.stderr.includes('SIGTERM')) await new Promise(setImmediate);
    child.process.kill('SIGTERM');
    await child.exit;
    expect(child.process.signalCode).toBe('SIGTERM');
  });
});
