// How far a task is, for the person who waits for it: on a terminal one line that changes, with a bar where the end is known; else a line for each
// news. It goes to stderr, because stdout is for the result.
import { visible } from '../../schema/print/visible.js';

export interface ProgressLine {
  progress(done: number, total: number | undefined, message: string | undefined): void;
  /** What the task says of itself; nothing where that was just shown. */
  note(text: string): void;
  /** Takes the line away while something else is written; gives how to show it again. */
  hold(): () => void;
  /** Nothing is shown from here on. */
  close(): void;
}

export interface ProgressOptions {
  readonly isTerminal: boolean;
  readonly isQuiet: boolean;
  readonly columns?: number | undefined;
  write(text: string): void;
}

const barWidth = 20;
const clear = '\r\u001b[2K';

/**
 * @example const line = openProgressLine({ isTerminal, isQuiet: false, write: text => void process.stderr.write(text) });
 */
export function openProgressLine({ isTerminal, isQuiet, columns = 80, write }: ProgressOptions): ProgressLine {
  let shown = '';
  let said: string | undefined;
  /** Messages come as notes, too, and later. */
  const messages = new Set<string>();
  let steps: { readonly done: number; readonly total: number | undefined } | undefined;
  let isClosed = isQuiet;
  let holds = 0;

  function show(text: string): void {
    if (isClosed) return;
    if (!isTerminal) {
      write(`toolwright: ${visible(text)}\n`);
      return;
    }
    // A line that is too long for the terminal could not be taken away.
    shown = visible(text).slice(0, Math.max(columns - 1, 1));
    if (holds === 0) write(`${clear}${shown}`);
  }

  function hide(): void {
    if (shown !== '' && holds === 0) write(clear);
  }

  return {
    progress(done, total, message) {
      steps = { done, total };
      said = message ?? said;
      if (message !== undefined) messages.add(message);
      show(isTerminal ? drawLine(steps, said) : printStep(steps, message));
    },
    note(text) {
      if (text === said || messages.has(text)) return;
      said = text;
      show(isTerminal ? drawLine(steps, text) : text);
    },
    hold() {
      hide();
      holds += 1;
      return () => {
        holds -= 1;
        if (shown !== '' && holds === 0) write(`${clear}${shown}`);
      };
    },
    close() {
      hide();
      shown = '';
      isClosed = true;
    },
  };
}

function drawLine(
  steps: { readonly done: number; readonly total: number | undefined } | undefined,
  message = '',
): string {
  if (steps === undefined) return message;
  const { done, total } = steps;
  if (total === undefined || total <= 0) return `${done} ${message}`.trimEnd();
  const share = Math.min(Math.max(done / total, 0), 1);
  const filled = Math.round(share * barWidth);
  const bar = '#'.repeat(filled) + '.'.repeat(barWidth - filled);
  return `[${bar}] ${Math.floor(share * 100)}% ${message}`.trimEnd();
}

function printStep(
  { done, total }: { readonly done: number; readonly total: number | undefined },
  message = '',
): string {
  return `${done}${total === undefined ? '' : ` of ${total}`} ${message}`.trimEnd();
}
