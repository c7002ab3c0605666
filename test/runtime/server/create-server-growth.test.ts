// J85: prompts and resources come and go on a running server, as tools do; real clients of both eras are told.
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { createServer } from '../../../runtime/index.js';

type AnyClient = Pick<
  NewClient,
  'listPrompts' | 'getPrompt' | 'listResources' | 'readResource' | 'complete' | 'close' | 'listTools'
>;
type Seen = (list: string) => void;

const identity = { name: 'test', version: '1.0.0' };

function listen(seen: Seen): object {
  const about = (list: string) => ({ onChanged: () => seen(list), debounceMs: 0, autoRefresh: false });
  return { listChanged: { tools: about('tools'), prompts: about('prompts'), resources: about('resources') } };
}

const ways: Readonly<Record<string, (url: string, seen: Seen) => Promise<AnyClient>>> = {
  '2025': async (url, seen) => {
    const client = new OldClient(identity, listen(seen));
    await client.connect(new OldHttp(new URL(url)) as Parameters<typeof client.connect>[0]);
    return client as unknown as AnyClient;
  },
  '2026': async (url, seen) => {
    const options = { versionNegotiation: { mode: { pin: '2026-07-28' } }, ...listen(seen) };
    const client = new NewClient(identity, options as never);
    await client.connect(new NewHttp(new URL(url)));
    return client;
  },
};

const hello = {
  name: 'hello',
  description: 'Say hello.',
  arguments: { who: { complete: () => ['Ada'] } },
  text: 'Hello {{who}}',
};

describe('`add` and `remove` of prompts and resources', () => {
  it.each(Object.entries(ways))(
    'fix-F16 J85 prompts and resources are added and removed at run time, and clients hear of it: %s',
    async (_, connect) => {
      await using server = await createServer({ name: 'desk', env: {}, tools: [], report: () => {} });
      const { url } = await server.serveHttp();
      const seen: string[] = [];
      let wake = (): void => {};
      const client = await connect(url, list => {
        seen.push(list);
        wake();
      });
      const until = async (list: string, change: () => void): Promise<void> => {
        seen.length = 0;
        change();
        while (!seen.includes(list)) {
          await new Promise<void>(resolve => {
            wake = resolve;
          });
        }
      };
      // The stream of changes opens some time after the handshake.
      for (let round = 0; seen.length === 0; round++) {
        server.add({ name: `early${round}`, description: 'Early.' }, () => 'early');
        server.remove(`early${round}`);
        await new Promise(resolve => setTimeout(resolve, 50));
      }
      expect((await client.listPrompts()).prompts).toEqual([]);
      await until('prompts', () => server.add('prompt', hello));
      expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['hello']);
      const { messages } = await client.getPrompt({ name: 'hello', arguments: { who: 'Ada' } });
      expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Hello Ada' } }]);
      const ref = { type: 'ref/prompt' as const, name: 'hello' };
      const { completion } = await client.complete({ ref, argument: { name: 'who', value: '' } });
      expect(completion.values).toEqual(['Ada']);
      const clock = { name: 'clock', uri: 'clock://now', handler: () => 'noon' };
      await until('resources', () => server.add('resource', clock));
      expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['clock://now']);
      const { contents } = await client.readResource({ uri: 'clock://now' });
      expect(contents).toMatchObject([{ uri: 'clock://now', text: 'noon' }]);
      await until('prompts', () => expect(server.remove('prompt', 'hello')).toBe(true));
      await until('resources', () => expect(server.remove('resource', 'clock://now')).toBe(true));
      expect((await client.listPrompts()).prompts).toEqual([]);
      expect((await client.listResources()).resources).toEqual([]);
      await expect(client.getPrompt({ name: 'hello' })).rejects.toMatchObject({ code: -32602 });
      await client.close();
    },
  );

  it('fix-F16 J85 `add` refuses a wrong or taken prompt or resource and keeps the existing ones', async () => {
    const guide = { name: 'guide', uri: 'a://guide', text: 'Guide' };
    const off = { ...hello, name: 'off', enabled: false };
    await using server = await createServer({ name: 'desk', env: {}, prompts: [hello, off], resources: [guide] });
    expect(() => server.add('prompt', hello)).toThrow(/definition\.name.*already has a prompt "hello"/);
    expect(() => server.add('prompt', off)).toThrow(/already has a prompt "off"/);
    expect(() => server.add('resource', { ...guide, name: 'other' })).toThrow(
      /definition\.uri.*already has a resource "a:\/\/guide"/,
    );
    expect(() => server.add('prompt', { name: 'x', text: 'Hi {{you}}' })).toThrow(/the prompt has no argument "you"/);
    expect(() => server.add('resource', { name: 'x' } as never)).toThrow(/The resource cannot be added/);
    expect(() => server.add('promt' as 'prompt', hello)).toThrow(/not "promt"/);
    expect(() => server.remove('promt' as 'prompt', 'hello')).toThrow(/not "promt"/);
    expect(server.remove('prompt', 'nobody')).toBe(false);
    expect(server.remove('resource', 'guide')).toBe(false);
    expect(server.remove('resource', 'a://guide')).toBe(true);
    server.add('resource', { name: 'page', uriTemplate: 'a://{page}', handler: ({ page }) => String(page) });
    expect(server.remove('resource', 'a://{page}')).toBe(true);
    server.add('tool', { name: 'ping', description: 'd', handler: () => 'pong' });
    expect(server.tools.map(({ name }) => name)).toEqual(['ping']);
    expect(server.remove('tool', 'ping')).toBe(true);
  });
});
