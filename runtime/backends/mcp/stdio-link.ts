// A server that is a process. In: its command. Out: a link over its pipes. All messages of one turn go out in one write; what it says on
// stderr is for the operator.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { isMap } from '../../../schema/document.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { ReadyCommand } from '../exec/prepare-command.js';
import { endTree, hasEnded } from '../exec/process-tree.js';
import { startFailure } from '../exec/start-program.js';
import type { BackendScope } from '../ports.js';
import { idOfEnds, LineReader } from './line-reader.js';
import type { Link, LinkEvents, Outgoing } from './link.js';
import type { OperatorLines } from './operator-lines.js';
import { endServer, startServer } from './process.js';

export interface StdioInput {
  /** Of the backend. */
  readonly name: string;
  readonly command: ReadyCommand;
  readonly scope: Pick<BackendScope, 'env' | 'folder'>;
  readonly mostBytes: number;
  readonly lines: OperatorLines;
  readonly events: LinkEvents;
}

/** Of a line on stderr. */
const longestWords = 4000;
const pipesMs = 1000;

/**
 * Throws an UpstreamFailure where the command cannot be handed to the system at all.
 *
 * @example const link = openStdioLink({ name: 'play', command, scope, mostBytes, lines, events });
 */
export function openStdioLink(input: StdioInput): Link {
  return new StdioLink(input);
}

class StdioLink implements Link {
  readonly #input: StdioInput;
  readonly #child: ChildProcessWithoutNullStreams;
  /** What has not been handed to the system: of a process that ends now, nobody has seen it. */
  #queue: Outgoing[] = [];
  #isScheduled = false;
  #isBlocked = false;
  #isGone = false;
  #isClosing = false;
  #lastWords = '';

  constructor(input: StdioInput) {
    this.#input = input;
    this.#child = start(input);
    const { stdin, stdout, stderr } = this.#child;
    const reader = new LineReader(input.mostBytes, {
      line: text => this.#read(text),
      tooLong: (head, tail) => this.#tooLong(head, tail),
    });
    stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    stdout.on('end', () => reader.end());
    const say = (line: string): void => {
      if (line.trim() !== '' && !isTrace(line)) this.#lastWords = line;
      input.lines.add(line);
    };
    // Programs that draw a progress bar never end the line.
    const words = new LineReader(longestWords, { line: say, tooLong: say });
    stderr.on('data', (chunk: Buffer) => words.push(chunk));
    stderr.on('end', () => words.end());
    stdin.on('drain', () => {
      this.#isBlocked = false;
      this.#flush();
    });
    // A pipe breaks when the process ends, which is heard elsewhere.
    for (const stream of [stdin, stdout, stderr]) stream.on('error', () => undefined);
    this.#child.once('error', error => this.#gone(startFailure(error, input.command)));
    for (const stream of [stdin, stdout]) stream.once('close', () => this.#onPipeClosed());
    this.#child.once('exit', () => this.#onExit());
    this.#child.once('close', (status, signal) => this.#gone(this.#ended(status, signal)));
  }

  send(message: Outgoing): void {
    this.#queue.push(message);
    if (this.#isScheduled || this.#isBlocked) return;
    this.#isScheduled = true;
    process.nextTick(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  /** All share one pipe: the server needs a message. */
  drop(): boolean {
    return false;
  }

  settle(): void {}

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#flush();
    await endServer(this.#child);
    this.#gone(new UpstreamFailure('UPSTREAM_UNREACHABLE', `${this.#input.name} was closed`));
  }

  #flush(): void {
    if (this.#isBlocked || this.#isGone || this.#queue.length === 0 || this.#child.pid === undefined) return;
    if (hasEnded(this.#child) || !this.#child.stdin.writable) return;
    let text = '';
    for (const message of this.#queue) text += `${message.text}\n`;
    this.#queue = [];
    this.#isBlocked = !this.#child.stdin.write(text);
  }

  #read(text: string): void {
    if (text === '' || text === '\r') return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#input.lines.unread(text);
      return;
    }
    if (isMap(message)) this.#input.events.message(message);
    else if (Array.isArray(message)) for (const one of message) isMap(one) && this.#input.events.message(one);
    else this.#input.lines.unread(text);
  }

  #tooLong(head: string, tail: string): void {
    const { name, mostBytes, events, lines } = this.#input;
    const id = idOfEnds(head, tail);
    const message = `${name} answered with more than ${mostBytes} bytes`;
    if (id === undefined) lines.say(message);
    else events.failed(id, new UpstreamFailure('UPSTREAM_TOO_LARGE', message));
  }

  /** Programs end soon after. One that does not would leave every call to its time limit. */
  #onPipeClosed(): void {
    setTimeout(() => {
      if (this.#isGone || this.#isClosing || hasEnded(this.#child)) return;
      endTree(this.#child, () => undefined);
      this.#gone(new UpstreamFailure('UPSTREAM_UNREACHABLE', `${this.#input.name} closed its pipes`));
    }, pipesMs).unref();
  }

  /** What it started may keep its pipes open, and then nothing would ever tell that it is gone. */
  #onExit(): void {
    const { exitCode, signalCode } = this.#child;
    setTimeout(() => {
      endTree(this.#child, () => undefined);
      this.#gone(this.#ended(exitCode, signalCode));
    }, 100).unref();
  }

  #gone(failure: UpstreamFailure): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const unsent = this.#queue.flatMap(({ id }) => (id === undefined ? [] : [id]));
    this.#queue = [];
    this.#input.events.gone(failure, new Set(unsent));
  }

  #ended(status: number | null, signal: NodeJS.Signals | null): UpstreamFailure {
    const { name, lines } = this.#input;
    const how = signal === null ? `with exit code ${status}` : `by ${signal}`;
    const words = this.#lastWords === '' ? '' : `: ${lines.shown(this.#lastWords)}`;
    return new UpstreamFailure('UPSTREAM_UNREACHABLE', `${name} ended ${how}${words}`, {
      upstream: signal ?? status ?? undefined,
    });
  }
}

/** What runtimes print after an error: the error itself comes before. */
function isTrace(line: string): boolean {
  return /^\s+at |^Node\.js v\d|^\s*[}\]]|^\s+(?:code|requireStack|errno|syscall|url): |^\s*npm (?:ERR!|error) A complete log/.test(
    line,
  );
}

function start({ command, scope }: StdioInput): ChildProcessWithoutNullStreams {
  try {
    return startServer(command, scope);
  } catch (error) {
    throw startFailure(error, command);
  }
}
