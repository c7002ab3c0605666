// What the functions of `context:` and `initialize` are given: configuration, a log for the operator, the end of the server.
import type { Log } from '../../../schema/support/mcp/client.js';
import type { SetupContext } from '../../../schema/support/mcp/context.js';
import type { Settings } from '../ports.js';

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

export interface SetupOptions {
  readonly settings: Settings;
  report(text: string): void;
  readonly signal: AbortSignal;
}

/** There is no client yet, so that the log is the operator's. Secrets are taken out. */
export function createSetup({ settings, report, signal }: SetupOptions): SetupContext {
  const write = (level: string, message: string, data: unknown): void => {
    report(settings.redact(`${level}: ${message}${data === undefined ? '' : ` ${print(data)}`}`));
  };
  const log = Object.fromEntries(
    levels.map(level => [level, (message: string, data?: unknown) => write(level, message, data)]),
  ) as unknown as Log;
  return { config: settings.values, log, signal };
}

function print(data: unknown): string {
  try {
    return JSON.stringify(data) ?? String(data);
  } catch {
    return String(data);
  }
}
