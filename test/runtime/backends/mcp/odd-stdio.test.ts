// B4: programs that are servers, and do not behave.
import { describe, expect, it } from 'vitest';
import { failureOf } from '../exec/exec-kit.js';
import { makeCall, open, program, until } from './mcp-kit.js';

describe('programs that do not behave', () => {
  it('B4 what a program prints on stderr without ever ending the line costs nothing', async () => {
    const backend = open(program('odd-server.mjs', 'chatter'));
    expect(await backend.of(makeCall()).callTool('x')).toMatchObject({ content: [{ type: 'text' }] });
    await backend.close();
    expect(backend.reports.join('\n').length).toBeLessThan(10_000);
    expect(backend.reports.join('\n')).toContain('xxx');
  });

  it.skipIf(process.platform === 'win32').each(['deaf', 'mute'])(
    'B4 a program that lives on and is %s is started again',
    async way => {
      const backend = open(program('odd-server.mjs', way));
      const ask = (): Promise<unknown> => backend.of(makeCall()).callTool('x');
      const first = await ask();
      await until(() => backend.reports.some(line => line.includes('odd from now on')));
      const failure = await failureOf(ask());
      expect(failure).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', retryable: true });
      expect(failure.message).toBe('other closed its pipes');
      const second = await ask();
      expect(second).toMatchObject({ content: [{ type: 'text' }] });
      expect(second).not.toEqual(first);
    },
  );
});
