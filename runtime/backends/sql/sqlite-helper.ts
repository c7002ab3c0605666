// B2. A process that runs statements of SQLite, since a statement that runs can be ended only with its process. In: statements, one at a
// time. Out: their answers. It is started with the first one, again after it was ended, and ends when nothing was asked for a while.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Environment } from '../../call/context/config.js';
import { treeOptions, watchTree } from '../exec/process-tree.js';
import { DatabaseError } from './database.js';
import {
  makeSession,
  type OpenOptions,
  type OpenSqlite,
  type SentStatement,
  type SessionAnswer,
} from './sqlite-session.js';
import { makeLockGuard } from './wasm-lock.js';

export interface HelperOptions extends OpenOptions {
  /** What `require` takes. */
  readonly driver: string;
  readonly open: OpenSqlite;
  /** The lock is a folder, which needs a guard. */
  readonly hasLockFolder: boolean;
  readonly busyMs: number;
  readonly env: Environment;
}

type Setup = Pick<HelperOptions, 'driver' | 'file' | 'isReadOnly' | 'hasLockFolder' | 'busyMs'>;
type ToHelper = { readonly setup: Setup } | { readonly statement: SentStatement };
type FromHelper =
  | { readonly isReady: true }
  | { readonly answer: SessionAnswer }
  | { readonly message: string; readonly code?: string | undefined };

/** How long a statement may take is the caller's business. */
export interface Waiting {
  /** It runs from now on: that a process is started first does not count. */
  begin(): void;
  /** Fails when nobody waits any more: then the process is killed. */
  readonly ended: Promise<never>;
}

/** It takes about 50 ms to start again. */
const idleMs = 60_000;
/** All that it needs of the environment: no secrets go there. */
const variables = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LD_LIBRARY_PATH'];

export class SqliteHelper {
  readonly #options: HelperOptions;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: HelperOptions) {
    this.#options = options;
  }

  /** The caller sees to it that there is one at a time. */
  async run(statement: SentStatement, { begin, ended }: Waiting): Promise<SessionAnswer> {
    clearTimeout(this.#idle);
    const { child, isNew } = this.#start();
    child.ref();
    child.channel?.ref();
    try {
      if (isNew) await Promise.race([hear(child), ended]);
      begin();
      const answer = hear(child);
      child.send({ statement } satisfies ToHelper, () => undefined);
      const message = await Promise.race([answer, ended]);
      if ('answer' in message) return message.answer;
      if ('isReady' in message) throw new DatabaseError('broken', 'the process that runs statements is out of step');
      throw new DatabaseError('answered', message.message, message.code);
    } catch (thrown) {
      if (!(thrown instanceof DatabaseError && thrown.kind === 'answered')) await this.#kill(child);
      throw thrown;
    } finally {
      child.unref();
      child.channel?.unref();
      // What is in memory alone lives as long as the process.
      if (this.#options.file !== ':memory:') {
        // What it set stays with its connection: the next statement gets another one.
        if (statement.isSetting && !statement.isRead) this.end();
        else this.#idle = setTimeout(() => this.end(), idleMs).unref();
      }
    }
  }

  /** Lets it finish and go: without a channel it has nothing to wait for. */
  end(): void {
    clearTimeout(this.#idle);
    if (this.#child?.connected === true) this.#child.disconnect();
    this.#child = undefined;
  }

  #start(): { readonly child: ChildProcess; readonly isNew: boolean } {
    if (this.#child?.connected === true && this.#child.exitCode === null) return { child: this.#child, isNew: false };
    const { open, env, driver, file, isReadOnly, hasLockFolder, busyMs } = this.#options;
    const source = `(${serve.toString()})(require, ${open.toString()}, ${makeSession.toString()}, ${makeLockGuard.toString()})`;
    const child = spawn(process.execPath, ['--no-warnings', '-e', source], {
      ...treeOptions,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'json',
      env: Object.fromEntries(variables.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]]))),
    });
    child.send({ setup: { driver, file, isReadOnly, hasLockFolder, busyMs } } satisfies ToHelper, () => undefined);
    // Without a listener it would end the server; a statement that is under way has its own.
    child.on('error', () => undefined);
    // A statement without an end would go on after this server.
    if (child.pid !== undefined) watchTree(child);
    this.#child = child;
    return { child, isNew: true };
  }

  /** What it had not committed is undone by the next one that opens the database. */
  async #kill(child: ChildProcess): Promise<void> {
    if (this.#child === child) this.#child = undefined;
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const gone = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
}

/** The next message; fails where the process ends before it. Where nobody waits for it, a failure is not one of the server. */
function hear(child: ChildProcess): Promise<FromHelper> {
  const heard = new Promise<FromHelper>((resolve, reject) => {
    const stop = (): void => {
      child.off('message', take);
      child.off('exit', fail);
      child.off('error', fail);
    };
    const take = (message: unknown): void => {
      stop();
      resolve(message as FromHelper);
    };
    const fail = (): void => {
      stop();
      reject(new DatabaseError('broken', 'the process that runs statements ended'));
    };
    child.on('message', take);
    child.on('exit', fail);
    child.on('error', fail);
  });
  heard.catch(() => undefined);
  return heard;
}

/** Runs in the helper: uses nothing from outside. */
function serve(
  require: NodeJS.Require,
  open: OpenSqlite,
  sessionOf: typeof makeSession,
  guardOf: typeof makeLockGuard,
): void {
  const pieces = 20;
  let setup: Setup | undefined;
  let driver: unknown;
  let guard: ReturnType<typeof makeLockGuard> | undefined;
  let connection: ReturnType<OpenSqlite> | undefined;
  let session: ReturnType<typeof makeSession> | undefined;

  function run(statement: SentStatement): SessionAnswer {
    if (setup === undefined) throw new Error('there is no setup');
    if (setup.hasLockFolder) guard ??= guardOf(require('node:fs'), require('node:path'), setup.file, true);
    guard?.enter();
    try {
      connection ??= open(driver ?? require(setup.driver), setup);
      session ??= sessionOf(connection, guard === undefined ? setup.busyMs : Math.ceil(setup.busyMs / pieces));
      // With a guard the wait is in pieces, so that a lock of the dead is found soon.
      for (let piece = 1; ; piece += 1) {
        guard?.removeStale();
        try {
          return session.run(statement);
        } catch (error) {
          if (guard === undefined || piece === pieces || connection.codeOf(error) !== 'SQLITE_BUSY') throw error;
        }
      }
    } finally {
      guard?.leave();
    }
  }

  process.on('message', (message: ToHelper) => {
    if ('setup' in message) {
      setup = message.setup;
      try {
        driver = require(setup.driver);
      } catch {
        // The statement will say what is wrong with it.
      }
      process.send?.({ isReady: true } satisfies FromHelper);
      return;
    }
    let reply: FromHelper;
    try {
      reply = { answer: run(message.statement) };
    } catch (error) {
      reply = { message: error instanceof Error ? error.message : String(error), code: connection?.codeOf(error) };
    }
    process.send?.(reply);
  });
}
