// A client of the real YAML language server: JSON-RPC over stdio, as editors talk to it. No client library, no sleeps.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { readFramedMessages } from '../../harness/framed-messages.js';

export interface Position {
  /** 0-based, as in the protocol. */
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface CompletionItem {
  readonly label: string;
  readonly insertText?: string;
  readonly textEdit?: { readonly range: Range; readonly newText: string };
  readonly documentation?: string | { readonly kind: string; readonly value: string };
}

export interface Finding {
  readonly range: Range;
  readonly message: string;
}

export interface LanguageServer {
  /** Opens a file under a name of the workspace with the given text; what is wrong with it arrives later. */
  open(name: string, text: string): OpenFile;
  complete(file: OpenFile, position: Position): Promise<readonly CompletionItem[]>;
  /** The Markdown shown for a position, or an empty text. */
  hover(file: OpenFile, position: Position): Promise<string>;
  stop(): Promise<void>;
}

export interface OpenFile {
  readonly uri: string;
  /** The next diagnostics that the server publishes for the file. */
  readonly findings: Promise<readonly Finding[]>;
}

export interface Workspace {
  /** Absolute path of the folder. */
  readonly root: string;
  /** As in settings.json: path of a schema -> globs. */
  readonly schemas: Readonly<Record<string, readonly string[]>>;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const capabilities = {
  workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } },
  textDocument: {
    completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
    hover: { contentFormat: ['markdown'] },
  },
};

/**
 * Starts a server and waits until it has read the settings.
 *
 * @example const server = await startLanguageServer({ root, schemas: { './schema/tool.schema.json': ['tools/*.yaml'] } })
 */
export async function startLanguageServer({ root, schemas }: Workspace): Promise<LanguageServer> {
  const program = createRequire(import.meta.url).resolve('yaml-language-server/bin/yaml-language-server');
  const child = spawn(process.execPath, [program, '--stdio'], { cwd: root });
  const settings = {
    yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false }, schemas },
  } as const;
  const rootUri = pathToFileURL(root).href;
  const answers = new Map<number, { resolve(result: unknown): void; reject(reason: Error): void }>();
  const listeners = new Map<string, (findings: readonly Finding[]) => void>();
  let lastId = 0;

  const send = (message: Message): void => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    child.stdin.write(body);
  };
  const notify = (method: string, params: unknown): void => send({ method, params });
  const request = (method: string, params: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      answers.set(lastId, { resolve, reject });
      send({ id: lastId, method, params });
    });

  const receive = (message: Message): void => {
    if (message.method !== undefined && message.id !== undefined) {
      send({ id: message.id, result: answerServer(message, settings) });
    } else if (message.method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = message.params as { uri: string; diagnostics: readonly Finding[] };
      listeners.get(uri)?.(diagnostics);
    } else if (typeof message.id === 'number') {
      const waiting = answers.get(message.id);
      answers.delete(message.id);
      if (message.error === undefined) waiting?.resolve(message.result);
      else waiting?.reject(new Error(message.error.message));
    }
  };
  readFramedMessages(child.stdout, message => receive(message as Message));
  // Nobody reads it, but a full pipe would stop the server.
  child.stderr.resume();
  child.once('exit', code => {
    for (const { reject } of answers.values()) reject(new Error(`the language server ended with ${code}`));
  });

  const show = (uri: string, text: string): void =>
    notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });

  await request('initialize', {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'workspace' }],
    capabilities,
  });
  notify('initialized', {});
  // Settings are read some time after they were announced, and open files are then checked again:
  // a file that is wrong by its schema only tells when that has happened.
  const ready = new Promise<void>(resolve => {
    listeners.set(`${rootUri}/canary.yaml`, findings => findings.length > 0 && resolve());
  });
  show(`${rootUri}/canary.yaml`, 'canary: true\n');
  notify('workspace/didChangeConfiguration', { settings });
  await ready;

  return {
    open(name, text) {
      const uri = `${rootUri}/${name}`;
      const findings = new Promise<readonly Finding[]>(resolve => listeners.set(uri, resolve));
      show(uri, text);
      return { uri, findings };
    },
    async complete({ uri }, position) {
      const list = await request('textDocument/completion', { textDocument: { uri }, position });
      return (list as { readonly items: readonly CompletionItem[] }).items;
    },
    async hover({ uri }, position) {
      const found = await request('textDocument/hover', { textDocument: { uri }, position });
      return (found as { readonly contents: { readonly value: string } } | null)?.contents.value ?? '';
    },
    async stop() {
      const gone = once(child, 'exit');
      await request('shutdown', null);
      notify('exit', null);
      await gone;
    },
  };
}

/** What an editor answers when the server asks. */
function answerServer({ method, params }: Message, settings: Readonly<Record<string, unknown>>): unknown {
  if (method !== 'workspace/configuration') return null;
  const { items } = params as { readonly items: readonly { readonly section: string }[] };
  return items.map(({ section }) => settings[section] ?? {});
}
