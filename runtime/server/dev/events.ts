// What happens while somebody edits a pack: one record each, for a status view, for plain lines and for programs alike.

import type { Diagnostic } from '../../../schema/diagnostics.js';
import { isMap } from '../../../schema/document.js';
import { errorKey } from '../../call/failure.js';
import { RunLost } from '../../call/run-lost.js';
import type { ChangedList, LivePorts } from './live-surface.js';
import type { Findings, Method } from './messages.js';

/** How many of each kind a server has. */
export interface Counts {
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
}

/** How a call came out: `asked` waits for its user, `left` is a task that another run goes on with, `refused` is a protocol error. */
type CallResult = 'ok' | 'error' | 'asked' | 'left' | 'refused';

export type DevEvent =
  /** A server answers now: the first, or a new one in its place. `changed`: the lists that clients were notified of. */
  | {
      readonly event: 'serving';
      readonly server: string;
      readonly version: string;
      readonly counts: Counts;
      readonly causes: readonly string[];
      readonly changed: readonly ChangedList[];
      readonly ms: number;
    }
  /** Something is wrong. `serving`: what clients get meanwhile. */
  | ({
      readonly event: 'broken';
      readonly message?: string | undefined;
      readonly serving: 'last' | 'rest' | 'nothing';
      /** Those of the diagnostics that were not reported before. */
      readonly fresh: readonly Diagnostic[];
    } & Findings)
  /** Warnings in files that were edited, each reported once. */
  | ({ readonly event: 'warned' } & Findings)
  /** What was wrong is not any more. */
  | { readonly event: 'fixed' }
  | {
      readonly event: 'call';
      readonly kind: 'tool' | 'prompt' | 'resource' | 'completion' | 'list' | 'route';
      readonly name: string;
      readonly result: CallResult;
      /** Of an error. */
      readonly code?: string | undefined;
      readonly ms: number;
    }
  /** The process that runs handlers ended by itself. */
  | { readonly event: 'crashed'; readonly message: string }
  | { readonly event: 'generated'; readonly files: readonly { readonly op: string; readonly path: string }[] }
  /** A line that handlers or the server printed. */
  | { readonly event: 'output'; readonly text: string }
  | { readonly event: 'listening'; readonly url: string }
  | { readonly event: 'note'; readonly text: string };

type Run = LivePorts['run'];

const kinds: Readonly<Record<Method, Extract<DevEvent, { event: 'call' }>['kind']>> = {
  callTool: 'tool',
  getPrompt: 'prompt',
  readResource: 'resource',
  complete: 'completion',
  listResources: 'list',
  route: 'route',
};

/** The same calls, with a record of each: what was called, how it came out, how long it took. */
export function reportCalls(run: Run, emit: (event: DevEvent) => void): Run {
  return async (method, params, request) => {
    const start = performance.now();
    const tell = (result: CallResult, code?: string): void =>
      emit({
        event: 'call',
        kind: kinds[method],
        name:
          method === 'listResources' ? 'resources' : method === 'route' ? routeName(params[0]) : nameOfCall(params[0]),
        result,
        ...(code === undefined ? {} : { code }),
        ms: Math.round(performance.now() - start),
      });
    try {
      const answer = await run(method, params, request);
      const { result, code } = judgeCall(answer);
      tell(result, code);
      return answer;
    } catch (error) {
      if (error instanceof RunLost) tell('left');
      else tell('refused', error instanceof Error && 'code' in error ? String(error.code) : undefined);
      throw error;
    }
  };
}

function routeName(first: unknown): string {
  const { method, url } = first as { readonly method: string; readonly url: string };
  return `${method} ${new URL(url).pathname}`;
}

/** Of a completion: what it completes. */
function nameOfCall(first: unknown): string {
  const ref = isMap(first) && isMap(first['ref']) ? first['ref'] : {};
  return isMap(first) ? String(ref['name'] ?? ref['uri']) : String(first);
}

function judgeCall(answer: unknown): { readonly result: CallResult; readonly code?: string } {
  if (!isMap(answer)) return { result: 'ok' };
  if (answer['asking'] !== undefined) return { result: 'asked' };
  const result = isMap(answer['result']) ? answer['result'] : {};
  if (result['isError'] !== true) return { result: 'ok' };
  const meta = isMap(result['_meta']) ? result['_meta'] : {};
  const told = isMap(meta[errorKey]) ? meta[errorKey] : {};
  return { result: 'error', ...(typeof told['code'] === 'string' ? { code: told['code'] } : {}) };
}
