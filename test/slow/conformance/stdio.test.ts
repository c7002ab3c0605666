// What the conformance suite asks over HTTP, over stdio: every tool, prompt and resource of its fixture, in real processes, through
// our own code and the SDK, in both eras.
import type { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
// @ts-expect-error a script without types
import { copyPack, start } from '../../../scripts/served.mjs';
import { compare, usualReply } from '../../runtime/protocol/both-ways.js';
import { envelope, type Message } from '../../runtime/serve/serve-pipes.js';

const { pack, remove } = copyPack('examples/conformance') as { pack: string; remove(): void };
afterAll(remove);
const server = join(pack, 'mcp/servers', readdirSync(join(pack, 'mcp/servers'))[0] ?? '');
writeFileSync(server, readFileSync(server, 'utf8').replace('transport: http', 'transport: stdio'));

type Era = '2025' | '2026';
type Params = Readonly<Record<string, unknown>>;
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };

interface Item {
  readonly name?: string;
  readonly uri?: string;
  readonly inputSchema?: {
    readonly properties?: Record<string, Field>;
  };
  readonly arguments?: readonly { readonly name: string }[];
}

/** A client that goes through everything that a server has. */
async function visit(protocol: string, era: Era): Promise<readonly Message[]> {
  const child = (start as (pack: string, args: readonly string[], options: object) => ReturnType<typeof spawn>)(
    pack,
    ['--protocol', protocol],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const received: Message[] = [];
  const waiting = new Map<unknown, (message: Message) => void>();
  let rest = '';
  const send = (message: object): void =>
    void child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      received.push(message);
      if (message.method === undefined) waiting.get(message.id)?.(message);
      else if (message.id !== undefined) send({ id: message.id, ...reply(message) });
    }
  });
  let next = 0;
  const meta = (token?: string): object => ({
    _meta: {
      ...(era === '2026' && { ...envelope, 'io.modelcontextprotocol/clientCapabilities': capabilities }),
      ...(era === '2026' && { 'io.modelcontextprotocol/logLevel': 'debug' }),
      ...(token && { progressToken: token }),
    },
  });
  const ask = async (method: string, params: Params = {}, token?: string, round = 0): Promise<Params> => {
    next += 1;
    const id = next;
    const answer = new Promise<Message>(resolve => waiting.set(id, resolve));
    send({ id, method, params: { ...params, ...meta(token) } });
    const { result = {} } = await answer;
    if (result['resultType'] !== 'input_required' || round > 5) return result;
    // 2026: the questions are answered by the same request again.
    const requests = Object.entries((result['inputRequests'] ?? {}) as Record<string, Message>);
    const answers = requests.map(([key, question]) => [key, (reply(question) as { result: unknown }).result]);
    const { requestState } = result;
    return await ask(
      method,
      { ...params, inputResponses: Object.fromEntries(answers), requestState },
      token,
      round + 1,
    );
  };
  if (era === '2025') {
    const clientInfo = { name: 'visitor', version: '1' };
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    send({ method: 'notifications/initialized' });
    await ask('ping');
    await ask('logging/setLevel', { level: 'debug' });
  } else await ask('server/discover');
  const { tools = [] } = (await ask('tools/list')) as { tools?: Item[] };
  for (const { name, inputSchema } of tools) {
    const values = Object.entries(inputSchema?.properties ?? {}).map(([key, schema]) => [key, fill(schema)]);
    await ask('tools/call', { name, arguments: Object.fromEntries(values) }, `token ${name}`);
    await ask('tools/call', { name, arguments: { bogus: true } });
  }
  const { prompts = [] } = (await ask('prompts/list')) as { prompts?: Item[] };
  for (const { name, arguments: given = [] } of prompts) {
    const values = Object.fromEntries(given.map(one => [one.name, 'test://static-text']));
    await ask('prompts/get', { name, arguments: values });
    for (const { name: argument } of given) {
      await ask('completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: argument, value: 't' } });
    }
  }
  const { resources = [] } = (await ask('resources/list')) as { resources?: Item[] };
  for (const { uri } of resources) await ask('resources/read', { uri });
  await ask('resources/templates/list');
  await ask('resources/read', { uri: 'test://template/7/data' });
  await ask('resources/subscribe', { uri: 'test://watched-resource' });
  await ask('resources/unsubscribe', { uri: 'test://watched-resource' });
  expect(tools.length).toBeGreaterThan(20);
  const closed = new Promise(resolve => child.on('close', resolve));
  child.stdin?.end();
  expect(await closed).toBe(0);
  return received;
}

interface Field {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly { readonly const: unknown }[];
  readonly anyOf?: Field['oneOf'];
  readonly items?: Field;
}

/** Something that fits. */
function fill({ type, enum: values, oneOf, anyOf, items }: Field): unknown {
  const [first] = values ?? (oneOf ?? anyOf ?? []).map(one => one.const);
  if (first !== undefined) return first;
  if (type === 'array') return items === undefined ? [] : [fill(items)];
  const plain: Readonly<Record<string, unknown>> = { integer: 1, number: 1, boolean: true, object: {} };
  return plain[type ?? ''] ?? 'a text';
}

function reply(question: Message): object | undefined {
  if (question.method !== 'elicitation/create') return usualReply(question);
  const { properties = {} } = (question.params?.['requestedSchema'] ?? {}) as { properties?: Record<string, Field> };
  const content = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, fill(field)]));
  return { result: { action: 'accept', content } };
}

/** Only our own code has tasks, and says so in the handshake and in the list of tools. */
function withoutTasks(message: Message): Message {
  const { result } = message;
  if (result === undefined) return message;
  const { capabilities: given, tools } = result as { capabilities?: Params; tools?: readonly Params[] };
  const { tasks: _, extensions: _extensions, ...others } = given ?? {};
  const listed = tools?.map(({ execution: __, ...tool }) => tool);
  return {
    ...message,
    result: { ...result, ...(given && { capabilities: others }), ...(listed && { tools: listed }) },
  };
}

it.each(['2025', '2026'] as const)(
  'W85 C10 the fixture of the conformance suite answers the same through our own code and the SDK: %s',
  async era => {
    const [own, sdk] = await Promise.all([visit('own', era), visit('sdk', era)]);
    expect(own.length).toBeGreaterThan(60);
    expect(own.some(message => JSON.stringify(message).includes('task'))).toBe(true);
    expect(compare(own.map(withoutTasks))).toEqual(compare(sdk));
  },
  60_000,
);
