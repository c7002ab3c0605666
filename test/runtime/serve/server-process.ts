// A server of a pack as a process, by `toolwright start` or built, and what it says; for tests of how it lives and ends.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../harness/build-pack.js';

export interface Answer {
  readonly id?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: what is not there fails the test all the same
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[];
  stderr(): string;
  send(...messages: readonly object[]): void;
  answer(id: unknown): Promise<Answer>;
  /** Until stderr has it. */
  said(text: string): Promise<void>;
  /** The exit code, or the signal. */
  readonly end: Promise<number | NodeJS.Signals | null>;
}

export const hello = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

export function call(id: unknown, name: string, args: object = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

/** `start`: the command line, in the folder of a pack; otherwise a file of a build. */
export function startProcess(
  what: { readonly start: string } | { readonly file: string },
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): ServerProcess {
  const words = 'file' in what ? [what.file] : [join(root, 'dist/cli/main.js'), 'start'];
  const child = spawn(process.execPath, [...words, ...args], {
    cwd: 'start' in what ? what.start : undefined,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
  });
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  let rest = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const wake of listeners) wake();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
    for (const wake of listeners) wake();
  });
  child.stdin.on('error', () => undefined);
  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise(resolve => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
    });
  return {
    child,
    lines,
    stderr: () => errors,
    send: (...messages) => void child.stdin.write(messages.map(one => `${JSON.stringify(one)}\n`).join('')),
    answer: id =>
      until(() => lines.map(line => JSON.parse(line) as Answer).find(one => one.id === id && !('method' in one))),
    said: async text => {
      await until(() => (errors.includes(text) ? true : undefined));
    },
    end: new Promise(resolve => child.once('close', (code, signal) => resolve(code ?? signal))),
  };
}
