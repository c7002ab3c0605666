// What the tests of builds share: packs on disk, the command, and a child that is asked over stdio.
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { openCommands, type Ran } from './commands.js';
import { writeFiles } from './files.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export function writePack(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  writeFiles(folder, files);
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules/toolwright'), 'dir');
  return folder;
}

const commands = openCommands(60_000);
afterAll(() => commands.close());

export function toolwright(cwd: string, ...args: readonly string[]): Ran {
  return commands.runSync(args, { cwd, env: process.env });
}

interface Reply {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Asked {
  readonly replies: readonly Reply[];
  readonly code: number | null;
  readonly stderr: string;
}

const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

export interface Circumstances {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Of Node. */
  readonly flags?: readonly string[];
  /** Stdin stays open until everything is answered. */
  readonly isPatient?: boolean;
}

/** Starts a file with Node in `cwd`, asks, closes stdin and waits for the end. */
export async function ask(
  file: string,
  requests: readonly (readonly [method: string, params?: object])[],
  { args = [], env = {}, cwd = dirname(file), flags = [], isPatient = false }: Circumstances = {},
): Promise<Asked> {
  const child = spawn(process.execPath, [...flags, file, ...args], { cwd, env: { PATH: '', ...env } });
  let out = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    out += text;
    if (isPatient && (out.match(/"id":\d/g)?.length ?? 0) > requests.length) child.stdin.end();
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  child.stdin.on('error', () => undefined);
  const messages = [
    { id: 0, method: 'initialize', params: hello },
    { method: 'notifications/initialized' },
    ...requests.map(([method, params = {}], index) => ({ id: index + 1, method, params })),
  ];
  child.stdin.write(messages.map(one => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''));
  if (!isPatient) child.stdin.end();
  const code = await new Promise<number | null>(resolve => child.once('close', resolve));
  const replies = out
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Reply)
    .sort((a, b) => (a.id ?? 0) - (b.id ?? 0));
  return { replies, code, stderr };
}
