// B4: a server that is a process, when it dies.
import { describe, expect, it } from 'vitest';
import type { UpstreamFailure } from '../../../../runtime/call/upstream-failure.js';
import type { CallToolResult } from '../../../../schema/support/mcp/content.js';
import { makeCall, open, program } from './mcp-kit.js';
import { failureOf, holdLifeline } from './restart-kit.js';

const server = (...args: string[]) => program('server-2025.mjs', ...args);
const textOf = ({ content }: CallToolResult): string => (content[0]?.type === 'text' ? content[0].text : '');

describe('the end of a process', () => {
  it('B4 1,000 calls in flight are each answered once when it dies, and the next call finds a new process', async () => {
    const backend = open(server());
    const before = textOf(await backend.of(makeCall()).callTool('pid'));
    const settled: number[] = Array.from({ length: 1000 }, () => 0);
    const failures: UpstreamFailure[] = [];
    const calls = settled.map((_, n) =>
      backend
        .of(makeCall())
        .callTool('hang')
        .then(
          () => undefined,
          (error: UpstreamFailure) => failures.push(error),
        )
        .finally(() => {
          settled[n] = (settled[n] ?? 0) + 1;
        }),
    );
    const dying = await failureOf(backend.of(makeCall()).callTool('die'));
    await Promise.all(calls);
    expect(dying).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', retryable: true, upstream: '3' });
    expect(new Set(settled)).toEqual(new Set([1]));
    expect(failures).toHaveLength(1000);
    expect(new Set(failures.map(({ code, retryable }) => `${code} ${retryable}`))).toEqual(
      new Set(['UPSTREAM_UNREACHABLE true']),
    );
    const after = textOf(await backend.of(makeCall()).callTool('pid'));
    expect(after).not.toBe(before);
  });

  it('B4 calls that come while it is started again wait for it', async () => {
    const backend = open(server());
    await failureOf(backend.of(makeCall()).callTool('die'));
    const results = await Promise.all([1, 2, 3].map(n => backend.of(makeCall()).callTool('echo', { n })));
    expect(results.map(textOf)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
  });

  it('B4 a call that waits for a start gives up when it is cancelled, and the others go on', async () => {
    const backend = open(server());
    const controller = new AbortController();
    const one = backend.of(makeCall({ signal: controller.signal })).callTool('echo', {});
    const other = backend.of(makeCall()).callTool('echo', {});
    controller.abort(new Error('enough'));
    await expect(one).rejects.toThrow('enough');
    expect(textOf(await other)).toBe('{}');
  });

  it('B4 it dies again and again, and every call still settles', async () => {
    const backend = open(server());
    for (let n = 0; n < 4; n += 1) {
      expect((await failureOf(backend.of(makeCall()).callTool('die'))).code).toBe('UPSTREAM_UNREACHABLE');
    }
    expect(textOf(await backend.of(makeCall()).callTool('echo', {}))).toBe('{}');
  });

  it('B4 close ends the process and what it started, and calls under way fail', async () => {
    const lifeline = await holdLifeline();
    const backend = open({ command: lifeline.command });
    const hanging = failureOf(backend.of(makeCall()).callTool('x'));
    const lives = await lifeline.begun(2);
    await backend.close();
    expect(await hanging).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', message: 'other was closed' });
    await Promise.all(lives);
    expect(await failureOf(backend.of(makeCall()).callTool('x'))).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
  });

  it('B4 a backend that was never called closes at once', async () => {
    await expect(open(server()).close()).resolves.toBeUndefined();
  });
});
