// `ctx.log` (C2). In: a message and data of any kind. Out: a message in the client's log, else a line for the operator; without
// secrets in either.
import { visible } from '../../schema/print/visible.js';
import type { Log, LogFunction } from '../../schema/support/mcp/client.js';
import type { CallServices, LogLevel, Request } from '../call/ports.js';

/** Characters of one line for the operator. */
const longestLine = 8000;
const deepest = 10;
const mostMembers = 200;

/** `name` is the tool, prompt or resource that speaks. */
export function createLog(input: {
  readonly name: string;
  readonly request: Request;
  readonly services: CallServices;
  readonly redact: (text: string) => string;
}): Log {
  const { name, request, services, redact } = input;
  const at =
    (level: LogLevel): LogFunction =>
    (message, data) => {
      const text = redact(String(message));
      const plain = data === undefined ? undefined : toPlain(data, redact);
      if (isTaken(() => request.log(level, text, plain))) return;
      const line = `[${level}] ${name}: ${text}${plain === undefined ? '' : ` ${JSON.stringify(plain)}`}`;
      services.report(visible(line.length > longestLine ? `${line.slice(0, longestLine)}...` : line));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    notice: at('notice'),
    warning: at('warning'),
    error: at('error'),
    critical: at('critical'),
    alert: at('alert'),
    emergency: at('emergency'),
  };
}

/** A client that went away must not make logging fail. */
function isTaken(send: () => boolean): boolean {
  try {
    return send();
  } catch {
    return false;
  }
}

/** Data as JSON has it, whatever the handler passed: logging never fails, and never runs away. */
function toPlain(value: unknown, redact: (text: string) => string, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
      return redact(value);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'object':
      break;
    default:
      return redact(String(value));
  }
  if (value === null) return null;
  if (depth === deepest) return '...';
  try {
    return toPlainObject(value, redact, depth + 1);
  } catch {
    // A getter that throws, a proxy that does not want to be looked at.
    return '[unreadable]';
  }
}

function toPlainObject(value: object, redact: (text: string) => string, depth: number): unknown {
  if (value instanceof Error) {
    return { name: redact(String(value.name)), message: redact(String(value.message)) };
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Map) return toPlainObject(Object.fromEntries(value), redact, depth);
  if (Array.isArray(value) || value instanceof Set) {
    return [...value].slice(0, mostMembers).map(member => toPlain(member, redact, depth));
  }
  const entries = Object.entries(value).slice(0, mostMembers);
  return Object.fromEntries(entries.map(([key, member]) => [redact(key), toPlain(member, redact, depth)]));
}
