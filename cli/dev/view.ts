// In: what happens in `toolwright dev`, a terminal. Out: lines that scroll away, and below them a few that always show how things
// are: the server, its problems, the last calls.
import type { DevEvent } from '../../runtime/server/dev/events.js';
import { visible } from '../../schema/print/visible.js';
import { type PrintOptions, printCall, printEvent, printServer } from './print-events.js';

export interface Terminal {
  write(text: string): unknown;
  readonly columns?: number | undefined;
}

export interface DevView {
  show(event: DevEvent): void;
  /** Takes the lines away that always show. */
  close(): void;
}

const mostCalls = 5;
const mostProblems = 5;

export function openView(terminal: Terminal, options: PrintOptions): DevView {
  const { paint } = options;
  let server = 'starting';
  let address = '';
  let state = '';
  let problems: readonly string[] = [];
  let calls: readonly string[] = [];
  let drawn = 0;

  function follow(event: DevEvent): void {
    switch (event.event) {
      case 'serving':
        server = printServer(event);
        state = paint.dim(`${event.causes.length === 0 ? 'started' : 'reloaded'} ${clock()} (${event.ms} ms)`);
        return;
      case 'listening':
        address = ` ${event.url}`;
        return;
      case 'broken':
        problems = [
          ...event.diagnostics.map(one => `${visible(one.file)}:${one.line}:${one.column} ${visible(one.message)}`),
          ...(event.message === undefined ? [] : [visible(event.message)]),
        ];
        return;
      case 'fixed':
        problems = [];
        return;
      case 'crashed':
        state = paint.red(`crashed ${clock()}`);
        return;
      case 'call':
        calls = [...calls, `${paint.dim(clock())} ${printCall(event, options)}`].slice(-mostCalls);
        return;
      default:
    }
  }

  function draw(): void {
    const width = Math.max((terminal.columns ?? 80) - 1, 20);
    const more = problems.length - mostProblems;
    const lines = [
      paint.dim('-'.repeat(Math.min(width, 60))),
      `${paint.bold(server)}${address} ${state}`,
      ...problems.slice(0, mostProblems).map(problem => paint.red(`x ${cut(problem, width - 2)}`)),
      ...(more > 0 ? [paint.red(`x and ${more} more`)] : []),
      ...calls.map(call => `  ${call}`),
    ];
    terminal.write(`${lines.map(line => `\u001b[?7l${line}\u001b[?7h`).join('\n')}\n`);
    drawn = lines.length;
  }

  function erase(): void {
    if (drawn > 0) terminal.write(`\u001b[${drawn}A\u001b[0J`);
    drawn = 0;
  }

  return {
    show(event) {
      follow(event);
      erase();
      // Calls are in the lines below.
      const text = event.event === 'call' ? undefined : printEvent(event, options);
      if (text !== undefined) terminal.write(`${text}\n`);
      draw();
    },
    close: erase,
  };
}

function clock(): string {
  return new Date().toTimeString().slice(0, 8);
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 3)}...` : text;
}
