// Everything that a client can ask of the pack, as a client of either era over pipes or HTTP. Out: every byte that it gets, and what the
// operator reads.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { httpAddressOf } from '../../../harness/http-address.js';
import { waysOf } from './secrets-pack.js';

export type Era = '2025' | '2026';

export interface Started {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

type Ask = readonly [method: string, params: Readonly<Record<string, unknown>>];

const clientInfo = { name: 'test', version: '1' };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  'io.modelcontextprotocol/logLevel': 'debug',
};
const handshake = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo };

const call = (name: string, way: string): Ask => ['tools/call', { name, arguments: { way } }];
const page = (way: string): Ask => ['resources/read', { uri: `told://page/${way}` }];

/** Over HTTP the question would wait for an answer by another request. */
const question = call('child-ask', 'x');
/** It ends a program that others use. */
const lastCall = call('child-die', 'x');
const apart = [question, lastCall].map(([, { name }]) => name);

const asked: readonly Ask[] = [
  ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'].map((method): Ask => [method, {}]),
  ...Object.entries(waysOf)
    .filter(([name]) => !apart.includes(name))
    .flatMap(([name, ways]) => ways.map(way => call(name, way))),
  ...['child', 'remote'].map((name): Ask => ['prompts/get', { name }]),
  ...['child', 'remote'].map((name): Ask => ['resources/read', { uri: `told://${name}` }]),
  ...(waysOf['ask-bearer'] ?? []).map(page),
];

function toMessage(id: number, [method, params]: Ask, era: Era): string {
  const _meta = { progressToken: id, ...(era === '2026' && envelope) };
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
}

const opening: readonly string[] = [
  JSON.stringify({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params: handshake }),
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  JSON.stringify({ jsonrpc: '2.0', id: 'level', method: 'logging/setLevel', params: { level: 'debug' } }),
];

function start({ args, cwd, env }: Started): { readonly child: ChildProcess; said(): string } {
  const child = spawn(process.execPath, args, { cwd, env });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text;
  });
  return { child, said: () => said };
}

async function end(child: ChildProcess): Promise<void> {
  const closed = new Promise(resolve => child.once('close', resolve));
  child.stdin?.end();
  child.kill('SIGTERM');
  await closed;
}

/** Questions of the server are declined. */
export async function playStdio(started: Started, era: Era): Promise<string> {
  const { child, said } = start(started);
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('no pipes');
  let got = '';
  const waiting = new Map<unknown, () => void>();
  createInterface({ input: stdout }).on('line', line => {
    got += `${line}\n`;
    const { id, method } = JSON.parse(line) as { readonly id?: unknown; readonly method?: string };
    if (method !== undefined && id !== undefined)
      stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { action: 'decline' } })}\n`);
    else {
      waiting.get(id)?.();
      waiting.delete(id);
    }
  });
  const ask = (one: Ask, id: number): Promise<void> =>
    new Promise(resolve => {
      waiting.set(id, resolve);
      stdin.write(`${toMessage(id, one, era)}\n`);
    });
  if (era === '2025') stdin.write(`${opening.join('\n')}\n`);
  await Promise.all([...asked, question].map(ask));
  await ask(lastCall, asked.length + 1);
  await end(child);
  return `${got}${said()}`;
}

export async function playHttp(started: Started, era: Era): Promise<string> {
  const { child, said } = start({ ...started, args: [...started.args, '--http', '0'] });
  const url = await httpAddressOf(child);
  let got = '';
  let session: Readonly<Record<string, string>> = {};
  const post = async (body: string, more: Readonly<Record<string, string>> = {}): Promise<void> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more };
    const response = await fetch(url, { method: 'POST', body, headers: { ...headers, ...session } });
    const id = response.headers.get('mcp-session-id');
    if (id !== null) session = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
    got += `${JSON.stringify([...response.headers])}\n${await response.text()}\n`;
  };
  const ask = async (one: Ask, id: number): Promise<void> => {
    const [method, { name, uri }] = one;
    const named = name ?? uri;
    const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
    await post(
      toMessage(id, one, era),
      era === '2025' ? {} : { ...modern, ...(named === undefined ? {} : { 'mcp-name': String(named) }) },
    );
  };
  if (era === '2025') for (const one of opening) await post(one);
  for (let at = 0; at < asked.length; at += 20)
    await Promise.all(asked.slice(at, at + 20).map((one, index) => ask(one, at + index)));
  await ask(lastCall, asked.length);
  await end(child);
  return `${got}${said()}`;
}

/** How many answers there must be. */
export const answersWanted = asked.length;
