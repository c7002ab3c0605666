// In: what is reported during a call, and its result. Out: reports, and what the one about the result knows besides its message.
import { errorKey } from '../../runtime/call/failure.js';
import { isMap } from '../../schema/document.js';
import { visible } from '../../schema/print/visible.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';

export interface CallReports {
  report(text: string): void;
  /** What the last report knows of an error besides its message, in lines; any other report is printed. */
  detailsOf(result: CallToolResult): string;
}

/** The last report is held back, since it may be of the failure that is the result. */
export function holdReports(print: (text: string) => void): CallReports {
  let held: string | undefined;
  const flush = (): void => {
    if (held !== undefined) print(held);
    held = undefined;
  };
  // A handler may end the process.
  process.once('exit', flush);
  return {
    report(text) {
      flush();
      held = text;
    },
    detailsOf(result) {
      const error = result.isError === true ? result._meta?.[errorKey] : undefined;
      const details = held === undefined || !isMap(error) ? undefined : findDetails(held, error);
      if (details === undefined) flush();
      held = undefined;
      return details ?? '';
    },
  };
}

/** Undefined where the report is of something else. */
function findDetails(report: string, error: Readonly<Record<string, unknown>>): string | undefined {
  const message = String(error['message']);
  const [id] = /^.*? failed \([0-9a-f]{8}\)/.exec(message) ?? [];
  const isOfIt = id === undefined ? report.includes(`: ${String(error['code'])}: ${message}\n`) : report.startsWith(id);
  if (!isOfIt) return undefined;
  const [, ...lines] = report.slice(id === undefined ? report.indexOf(message) + message.length : 0).split('\n');
  // The stack of an error begins with its message, which may have several lines; causes that it names are reported.
  const isTold = (line: string): boolean =>
    !/^\s+at |^(?:caused by|with) /.test(line) || message.includes(line.replace(/^(?:caused by|with) /, ''));
  return lines
    .filter(line => !isTold(line))
    .map(line => `  ${visible(line)}\n`)
    .join('');
}
