// In: what happens in `toolwright dev`, a terminal. Out: lines that scroll away, and below them a few that always show how things
// are: the server, its problems, the last calls.
import { stripVTControlCharacters } from 'node:util';
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

interface Problem {
  readonly text: string;
  /** Else it is a warning. */
  readonly isError: boolean;
}

const mostCalls = 5;
const mostProblems = 5;

export function openView(terminal: Terminal, options: PrintOptions): DevView {
  const { paint } = options;
  let server = 'starting';
  let address = '';
  let state = '';
  let problems: readonly Problem[] = [];
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
          ...event.diagnostics.map(one => ({
            text: `${visible(one.file)}:${one.line}:${one.column} ${visible(one.message)}`,
            isError: one.severity === 'error',
          })),
          ...(event.message === undefined ? [] : [{ text: visible(event.message), isError: true }]),
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
    const mark = ({ text, isError }: Problem): string => (isError ? paint.red(`x ${text}`) : paint.yellow(`! ${text}`));
    const rest = { text: `and ${more} more`, isError: problems.slice(mostProblems).some(({ isError }) => isError) };
    // How long it took is a number that means something: what comes before it is shortened.
    const room = width - stripVTControlCharacters(state).length - 1;
    const head = shorten(`${paint.bold(server)}${address}`, room);
    const lines = [
      paint.dim('-'.repeat(Math.min(width, 60))),
      head === '' ? state : `${head} ${state}`,
      ...problems.slice(0, mostProblems).map(mark),
      ...(more > 0 ? [mark(rest)] : []),
      ...calls.map(call => `  ${call}`),
    ].map(line => shorten(line, width));
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

/** As much as fits, colours aside, with an ellipsis where something is missing. No number is cut into a smaller one. */
function shorten(painted: string, width: number): string {
  if (stripVTControlCharacters(painted).length <= width) return painted;
  if (width < 4) return '';
  let left = width - 3;
  let isCut = false;
  const parts = painted.split(/(\u001b\[[0-9;]*m)/).map(part => {
    // Colours that began must end.
    if (part.startsWith('\u001b') || isCut) return part.startsWith('\u001b') ? part : '';
    left -= part.length;
    if (left >= 0) return part;
    isCut = true;
    const end = part.length + left;
    const kept = part.slice(0, end);
    return `${/\d/.test(part[end] ?? '') ? kept.replace(/\d+$/, '') : kept}...`;
  });
  return parts.join('');
}
