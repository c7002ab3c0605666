// In: flags. Out: where events of `toolwright dev` go: a status view on a terminal, lines anywhere else, JSON for programs. Always
// stderr: stdout is reserved for the protocol.
import pc from 'picocolors';
import type { DevEvent } from '../runtime/dev/events.js';
import { type PrintOptions, printEvent, printJson } from './dev-print.js';
import { openView } from './dev-view.js';
import type { CommonFlags } from './flags.js';

export interface Screen {
  show(event: DevEvent): void;
  close(): void;
}

/** With --quiet only what needs somebody. */
const important: ReadonlySet<DevEvent['event']> = new Set(['broken', 'fixed', 'crashed', 'output', 'note']);

export function openScreen(flags: CommonFlags, cwd: string): Screen {
  const isTerminal = process.stderr.isTTY === true;
  const write = (text: string): void => void process.stderr.write(`${text}\n`);
  if (flags.format === 'json') return { show: event => write(printJson(event)), close: () => undefined };
  const paint = pc.createColors(flags.color !== false && isTerminal && pc.isColorSupported);
  const options: PrintOptions = { flags, cwd, paint };
  if (isTerminal && !flags.quiet) return openView(process.stderr, options);
  return {
    show(event) {
      if (flags.quiet && !important.has(event.event)) return;
      const text = printEvent(event, options);
      if (text === undefined) return;
      // Handlers print what they like; what we say is marked.
      write(event.event === 'output' ? text : `dev: ${text}`);
    },
    close: () => undefined,
  };
}
