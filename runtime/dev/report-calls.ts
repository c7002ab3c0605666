// In: how to run a call. Out: the same, with a record of each: what was called, how it came out, how long it took.
import { isMap } from '../../schema/document.js';
import { errorKey } from '../call/failure.js';
import type { CallResult, DevEvent } from './events.js';
import type { LivePorts } from './live-surface.js';
import type { Method } from './messages.js';

type Run = LivePorts['run'];

const kinds: Readonly<Record<Method, Extract<DevEvent, { event: 'call' }>['kind']>> = {
  callTool: 'tool',
  getPrompt: 'prompt',
  readResource: 'resource',
  complete: 'completion',
};

export function reportCalls(run: Run, emit: (event: DevEvent) => void): Run {
  return async (method, params, request) => {
    const start = performance.now();
    const tell = (result: CallResult, code?: string): void =>
      emit({
        event: 'call',
        kind: kinds[method],
        name: nameOf(params[0]),
        result,
        ...(code === undefined ? {} : { code }),
        ms: Math.round(performance.now() - start),
      });
    try {
      const answer = await run(method, params, request);
      const { result, code } = judge(answer);
      tell(result, code);
      return answer;
    } catch (error) {
      tell('refused', error instanceof Error && 'code' in error ? String(error.code) : undefined);
      throw error;
    }
  };
}

/** Of a completion: what it completes. */
function nameOf(first: unknown): string {
  const ref = isMap(first) && isMap(first['ref']) ? first['ref'] : {};
  return isMap(first) ? String(ref['name'] ?? ref['uri']) : String(first);
}

function judge(answer: unknown): { readonly result: CallResult; readonly code?: string } {
  if (!isMap(answer)) return { result: 'ok' };
  if (answer['asking'] !== undefined) return { result: 'asked' };
  const result = isMap(answer['result']) ? answer['result'] : {};
  if (result['isError'] !== true) return { result: 'ok' };
  const meta = isMap(result['_meta']) ? result['_meta'] : {};
  const told = isMap(meta[errorKey]) ? meta[errorKey] : {};
  return { result: 'error', ...(typeof told['code'] === 'string' ? { code: told['code'] } : {}) };
}
