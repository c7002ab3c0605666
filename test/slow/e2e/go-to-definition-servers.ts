// Clients of the two servers behind go-to-definition in editors: tsserver of TypeScript 5.9 (its own protocol) and the
// language server of TypeScript 7. Real processes; no client library, no sleeps.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readFramedMessages } from '../../harness/framed-messages.js';

/** 1-based lines and UTF-16 columns; the end is exclusive. */
export interface Definition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface TypeScriptServer {
  open(file: string, text: string): void;
  definition(file: string, position: Position): Promise<readonly Definition[]>;
  stop(): Promise<void>;
}

const require = createRequire(import.meta.url);

/** tsserver, as VS Code runs it for TypeScript up to 6. */
export function startTsserver(): TypeScriptServer {
  const program = require.resolve('typescript/lib/tsserver.js');
  const child = spawn(process.execPath, [program, '--disableAutomaticTypingAcquisition', '--suppressDiagnosticEvents']);
  const waiting = new Map<number, (body: unknown) => void>();
  let last = 0;
  const send = (command: string, args: unknown): number => {
    last += 1;
    child.stdin.write(`${JSON.stringify({ seq: last, type: 'request', command, arguments: args })}\n`);
    return last;
  };
  // Nobody reads it, but a full pipe would stop the server.
  child.stderr.resume();
  readFramedMessages(child.stdout, message => {
    const { type, request_seq: id, body } = message as { type?: string; request_seq?: number; body?: unknown };
    if (type === 'response' && id !== undefined) waiting.get(id)?.(body);
  });
  interface Found {
    readonly file: string;
    readonly start: { readonly line: number; readonly offset: number };
    readonly end: { readonly line: number; readonly offset: number };
  }
  return {
    open: (file, text) => void send('open', { file, fileContent: text }),
    async definition(file, { line, column }) {
      const id = send('definition', { file, line, offset: column });
      const body = await new Promise<unknown>(resolve => waiting.set(id, resolve));
      return ((body ?? []) as readonly Found[]).map(({ file, start, end }) => ({
        file,
        line: start.line,
        column: start.offset,
        endLine: end.line,
        endColumn: end.offset,
      }));
    },
    async stop() {
      const gone = once(child, 'exit');
      send('exit', {});
      await gone;
    },
  };
}

/** The language server of TypeScript 7. */
export async function startTypeScript7(root: string): Promise<TypeScriptServer> {
  const manifest = require.resolve('typescript7/package.json');
  const { default: getExePath } = (await import(pathToFileURL(join(dirname(manifest), 'lib/getExePath.js')).href)) as {
    default(): string;
  };
  const child = spawn(getExePath(), ['--lsp', '--stdio'], { cwd: root });
  const waiting = new Map<number, { resolve(result: unknown): void; reject(reason: Error): void }>();
  let last = 0;
  const send = (message: object): void => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    child.stdin.write(body);
  };
  const request = (method: string, params: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      send({ id: last, method, ...(params === undefined ? {} : { params }) });
    });
  // Nobody reads it, but a full pipe would stop the server.
  child.stderr.resume();
  readFramedMessages(child.stdout, message => {
    const { id, method, result, error } = message as {
      id?: number | string;
      method?: string;
      result?: unknown;
      error?: { readonly message: string };
    };
    if (method !== undefined && id !== undefined) send({ id, result: null });
    else if (typeof id === 'number' && error !== undefined) waiting.get(id)?.reject(new Error(error.message));
    else if (typeof id === 'number') waiting.get(id)?.resolve(result);
  });
  await request('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    capabilities: {},
  });
  send({ method: 'initialized', params: {} });
  interface Found {
    readonly uri: string;
    readonly range: Record<'start' | 'end', { readonly line: number; readonly character: number }>;
  }
  return {
    open: (file, text) =>
      send({
        method: 'textDocument/didOpen',
        params: { textDocument: { uri: pathToFileURL(file).href, languageId: 'typescript', version: 1, text } },
      }),
    async definition(file, { line, column }) {
      const found = await request('textDocument/definition', {
        textDocument: { uri: pathToFileURL(file).href },
        position: { line: line - 1, character: column - 1 },
      });
      const list = (Array.isArray(found) ? found : found === null ? [] : [found]) as readonly Found[];
      return list.map(({ uri, range }) => ({
        file: fileURLToPath(uri),
        line: range.start.line + 1,
        column: range.start.character + 1,
        endLine: range.end.line + 1,
        endColumn: range.end.character + 1,
      }));
    },
    async stop() {
      const gone = once(child, 'exit');
      await request('shutdown', undefined);
      send({ method: 'exit' });
      child.stdin.end();
      await gone;
    },
  };
}
