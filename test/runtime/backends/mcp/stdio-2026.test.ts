// B4: servers of 2026-07-28 that are a process: the SDK's.
import { describe, expect, it } from 'vitest';
import type { Asking } from '../../../../runtime/call/ports.js';
import type { CallToolResult } from '../../../../schema/support/mcp/content.js';
import { able, makeCall, open, program, runRound, runRounds, until } from './mcp-kit.js';

const server = program('server-2026.mjs');
const textOf = ({ content }: CallToolResult): string => (content[0]?.type === 'text' ? content[0].text : '');
const call = (name: string) => (client: { callTool(name: string): Promise<CallToolResult> }) => client.callTool(name);
const accept = ({ questions }: Asking) =>
  Object.fromEntries(Object.keys(questions).map(key => [key, { action: 'accept', content: { size: 'M' } }]));

describe('a server of 2026 alone', () => {
  it('B4 it is recognised, and results arrive without what is about the connection', async () => {
    const backend = open(server);
    expect(await backend.of(makeCall()).callTool('echo', { a: 1 })).toEqual({
      content: [{ type: 'text', text: '{"a":1}' }],
      structuredContent: { a: 1 },
      _meta: { 'acme/x': 1 },
    });
    expect(await backend.of(makeCall()).getPrompt('p')).toMatchObject({ messages: [{ content: { text: 'p' } }] });
    expect(await backend.of(makeCall()).readResource('a://b')).toMatchObject({
      contents: [{ uri: 'a://b', text: 'hello' }],
    });
    const offer = await backend.listAll(makeCall());
    expect(offer).toMatchObject({ instructions: 'Be modern.', serverInfo: { name: 'new', version: '2' } });
    expect(offer.tools.length).toBeGreaterThan(5);
  });

  it('B4 every request says what the present client can do', async () => {
    const backend = open(server);
    const round = await runRound(backend, call('envelope'), { client: { ...able, capabilities: { sampling: {} } } });
    expect('result' in round && JSON.parse(textOf(round.result))).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'toolwright' },
      'io.modelcontextprotocol/clientCapabilities': { sampling: {}, roots: {} },
    });
  });

  it('B4 progress and logs reach the call', async () => {
    const backend = open(server);
    const one = makeCall();
    await backend.of(one).callTool('progress');
    expect(one.steps).toEqual([
      [1, 2, undefined],
      [2, 2, undefined],
    ]);
    const two = makeCall();
    await backend.of(two).callTool('log');
    expect(two.logged).toEqual([{ level: 'warning', message: 'careful', data: undefined }]);
  });

  it('B4 a call that is cancelled is cancelled there, too', async () => {
    const backend = open(server);
    const controller = new AbortController();
    const hanging = backend.of(makeCall({ signal: controller.signal })).callTool('hang');
    await backend.of(makeCall()).callTool('echo', {});
    controller.abort(new Error('enough'));
    await expect(hanging).rejects.toThrow('enough');
    expect(textOf(await backend.of(makeCall()).callTool('cancelled'))).toBe('[1]');
  });

  it('B4 a question and its state travel through our rounds', async () => {
    const backend = open(server);
    const first = await runRound(backend, call('ask'));
    if (!('asking' in first)) throw new Error('it did not ask');
    const [question] = Object.values(first.asking.questions);
    expect(question).toMatchObject({ kind: 'elicit', params: { message: 'Size?' } });
    // Another process of ours can take the next round: all that is needed is in the state.
    const other = await runRound(open(server), call('ask'), {
      answers: accept(first.asking),
      state: first.asking.state,
    });
    if (!('result' in other)) throw new Error('there is no result');
    expect(JSON.parse(textOf(other.result))).toEqual({
      answer: { action: 'accept', content: { size: 'M' } },
      state: 'state-1',
    });
  });

  it('B4 several rounds of questions, and one without any', async () => {
    const backend = open(server);
    expect(textOf(await runRounds(backend, call('ask-twice'), accept))).toBe('two accept accept');
    expect(textOf(await backend.of(makeCall()).callTool('again'))).toBe('now');
  });

  it('B4 where nobody can be asked, the error of the protocol says so', async () => {
    const failure = (await open(server)
      .of(makeCall())
      .callTool('ask')
      .catch((error: unknown) => error)) as Error;
    expect(failure).toMatchObject({ code: -32021 });
  });

  it('B4 changes of lists are listened to', async () => {
    const backend = open(server);
    const client = backend.of(makeCall());
    await client.callTool('echo', {});
    await until(() => {
      if (backend.changes.length === 0) client.callTool('changes').catch(() => undefined);
      return backend.changes.length > 0;
    });
    expect(backend.changes[0]).toBe('tools');
  });
});

describe('a server of both eras', () => {
  it('B4 it is spoken to by the handshake, which is cheaper, and its questions arrive', async () => {
    const backend = open(program('server-2026.mjs', 'serve'));
    expect(textOf(await backend.of(makeCall()).callTool('envelope'))).toBe('null');
    expect(textOf(await runRounds(backend, call('ask-twice'), accept))).toBe('two accept accept');
  });
});
