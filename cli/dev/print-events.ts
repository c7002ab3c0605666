// In: what happens in `toolwright dev`. Out: lines for people, or one JSON document per line for programs.

import type { DevEvent } from '../../runtime/server/dev/events.js';
import { hasErrors } from '../../schema/diagnostics.js';
import { plural } from '../../schema/print/diagnostics.js';
import { visible } from '../../schema/print/visible.js';
import { type colors, printDiagnostics } from '../pack/pack-command.js';
import type { CommonFlags } from '../terminal/flags.js';

export interface PrintOptions {
  readonly flags: CommonFlags;
  readonly cwd: string;
  readonly paint: ReturnType<typeof colors>;
}

/** For programs: the event and when it happened. */
export function printJson(event: DevEvent): string {
  // Line separators of Unicode would break lines for some readers.
  const { fresh: _, ...data } = { fresh: undefined, ...event };
  const text = JSON.stringify({ time: new Date().toISOString(), ...data });
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** One line or several, without a line break at the end; undefined where there is nothing to say. */
export function printEvent(event: DevEvent, options: PrintOptions): string | undefined {
  const { paint } = options;
  switch (event.event) {
    case 'serving':
      return printServing(event, options);
    case 'broken':
      return printBroken(event, options);
    case 'warned':
      return printDiagnostics(
        event.diagnostics,
        { ...options.flags, format: 'text' },
        options.cwd,
        event.folders,
      ).trimEnd();
    case 'fixed':
      return paint.green('fixed');
    case 'call':
      return printCall(event, options);
    case 'crashed':
      return `${paint.red('crashed:')} ${event.message}`;
    case 'generated': {
      const shown = event.files.slice(0, 3).map(({ op, path }) => `${op} ${visible(path)}`);
      const more = event.files.length > 3 ? `, and ${event.files.length - 3} more` : '';
      return paint.dim(`generated: ${shown.join(', ')}${more}`);
    }
    case 'output':
      return event.text;
    case 'listening':
      return `listens on ${event.url}`;
    case 'note':
      return event.text;
    default:
      return event satisfies never;
  }
}

type Of<E extends DevEvent['event']> = Extract<DevEvent, { event: E }>;

function printServing({ causes, changed, ms, ...served }: Of<'serving'>, { paint }: PrintOptions): string {
  const took = paint.dim(`(${ms} ms)`);
  if (causes.length === 0) return `${paint.green('serving')} ${printServer(served)} ${took}`;
  const told = changed.length === 0 ? '' : `, clients notified: ${changed.join(', ')}`;
  return `${paint.green('reloaded')}${told} ${paint.dim(`<- ${printCauses(causes)}`)} ${took}`;
}

function printCauses(causes: readonly string[]): string {
  return `${causes.slice(0, 2).map(visible).join(', ')}${causes.length > 2 ? ', ...' : ''}`;
}

export function printServer({ server, version, counts }: Pick<Of<'serving'>, 'server' | 'version' | 'counts'>): string {
  const { tools, prompts, resources } = counts;
  const parts = [plural(tools, 'tool'), ...(prompts ? [plural(prompts, 'prompt')] : [])];
  if (resources) parts.push(plural(resources, 'resource'));
  return `${visible(server)} ${visible(version)}: ${parts.join(', ')}`;
}

const meanwhile: Readonly<Record<Of<'broken'>['serving'], string>> = {
  last: 'still serving the last good version',
  rest: 'everything else is served',
  nothing: 'nothing is served until this is fixed',
};

/** N22: a warning leaves nothing out of what is served, and is said once. */
function printBroken(
  { diagnostics, fresh, folders, message, serving }: Of<'broken'>,
  options: PrintOptions,
): string | undefined {
  const { flags, cwd, paint } = options;
  const shown = diagnostics.filter(one => one.severity === 'error' || fresh.includes(one));
  const found = shown.length === 0 ? '' : printDiagnostics(shown, { ...flags, format: 'text' }, cwd, folders);
  const isOnlyWarned = serving === 'rest' && message === undefined && !hasErrors(diagnostics);
  if (isOnlyWarned) return found === '' ? undefined : found.trimEnd();
  const why = message === undefined ? '' : `${paint.red('failed:')} ${message}\n`;
  return `${found}${why}${paint.yellow(meanwhile[serving])}`;
}

export function printCall({ kind, name, result, code, ms }: Of<'call'>, { paint }: PrintOptions): string {
  const shown = ['ok', 'asked', 'left'].includes(result) ? paint.green(result) : paint.red(result);
  const what = kind === 'tool' ? '' : `${kind} `;
  return `${what}${visible(name)} ${shown}${code === undefined ? '' : ` ${visible(code)}`} ${paint.dim(`(${ms} ms)`)}`;
}
