// What a call wants of another server. In: a method and its params. Out: its result, with everything in between: the wait for a connection
// and for a turn, what a request of either era must carry, questions of the server in as many rounds as it likes.
import { isMap } from '../../../schema/document.js';
import { ProtocolError } from '../../call/protocol-error.js';
import type { Turns } from '../../call/turns.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { CallScope } from '../ports.js';
import type { Connection } from './connection.js';
import { NeverSent } from './link.js';
import type { ParamHeaders } from './param-headers.js';
import { requestParams } from './request-params.js';
import type { Upstream } from './upstream.js';
import { findParked, type Parked, parkedKey, toQuestion, UpstreamCall } from './upstream-call.js';
import { bareResult, type Params, wireCodes } from './wire.js';

/** What all calls of a backend share. */
export interface Exchanges {
  readonly name: string;
  readonly parked: Parked;
  readonly turns: Turns | undefined;
  readonly paramHeaders: ParamHeaders;
  upstreamOf(call: CallScope): Upstream;
}

/** A server that never stops asking is broken. */
const mostSteps = 100;

/** What comes with a request that was answered with questions. */
interface Continuation {
  readonly inputResponses?: Params;
  readonly requestState?: unknown;
}

/**
 * Sends a request, and follows it to its end. `nth` is its place among the requests of the call: the same in every round.
 *
 * @example const result = await exchange(shared, call, 0, 'tools/call', { name: 'add', arguments: { a: 1 } });
 */
export function exchange(
  shared: Exchanges,
  call: CallScope,
  nth: number,
  method: string,
  params: Params,
): Promise<Params> {
  const { turns, parked } = shared;
  // Nothing of an earlier round can be there: most calls neither wait nor ask.
  const isFirst = call.request.state === undefined && parked.size === 0;
  const goal: Goal = { shared, call, key: `mcp:${shared.name}:${nth}`, method, params };
  const run = isFirst ? begin : resume;
  return turns === undefined ? run(goal) : inTurn(turns, call.signal, () => run(goal));
}

/** One request, with all that it needs on its way. */
interface Goal {
  readonly shared: Exchanges;
  readonly call: CallScope;
  readonly key: string;
  readonly method: string;
  readonly params: Params;
}

/** The short way: the connection is there, and the answer is a result. Every promise more would be felt. */
function begin(goal: Goal): Promise<Params> {
  const { shared, call, params } = goal;
  let connection: Connection | Promise<Connection>;
  try {
    connection = shared.upstreamOf(call).connect(call);
  } catch (error) {
    return Promise.reject(error);
  }
  if (connection instanceof Promise) return converse(goal);
  return send(goal, connection, params).then(
    result => (result['resultType'] === 'input_required' ? converse(goal, 0, undefined, result) : bareResult(result)),
    (error: unknown) => {
      if (error instanceof NeverSent || isHeaderMismatch(error)) return converse(goal);
      throw error;
    },
  );
}

/** A call that is left behind with a question gives its turn to others: it may never come back. */
async function inTurn<T>(turns: Turns, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  const turn = await turns.take([], signal);
  const leave = (): void => turn.leave();
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await run();
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}

/** Goes on where an earlier round of the same call has stopped. */
async function resume(goal: Goal): Promise<Params> {
  const { shared, call, key } = goal;
  const { questions } = call;
  const name = questions?.recall?.(parkedKey(key));
  if (typeof name === 'string') return bareResult(await findParked(shared.parked, name, shared.name).rejoin(call));
  let steps = 0;
  let kept: unknown;
  for (
    let found = questions?.recall?.(`${key}:0`);
    found !== undefined;
    found = questions?.recall?.(`${key}:${steps}`)
  ) {
    kept = found;
    steps += 1;
  }
  if (!isMap(kept)) return converse(goal);
  return converse(goal, steps, await answersTo(goal, steps - 1, kept));
}

/** Sends it until the answer is a result. A server of 2026 asks by its answers, of which `kept` are in the state of the round. */
async function converse(goal: Goal, kept = 0, first?: Continuation, answer?: Params): Promise<Params> {
  const { shared, call, key, params } = goal;
  let more = first;
  let keptSteps = kept;
  let result = answer;
  for (let step = 0; step < mostSteps; step += 1) {
    result ??= await sendUntilSent(goal, more === undefined ? params : { ...params, ...more });
    if (result['resultType'] !== 'input_required') return bareResult(result);
    const { inputRequests, requestState } = result;
    result = undefined;
    if (!isMap(inputRequests) || Object.keys(inputRequests).length === 0) {
      // It only wants to be asked again.
      more = { requestState };
      continue;
    }
    const asked = { inputRequests, ...(requestState !== undefined && { requestState }) };
    await call.questions?.once(`${key}:${keptSteps}`, () => asked);
    more = await answersTo(goal, keptSteps, asked);
    keptSteps += 1;
  }
  throw new UpstreamFailure('UPSTREAM_ERROR', `${shared.name} still asks after ${mostSteps} rounds`);
}

/** Puts all questions to the client at once. */
async function answersTo({ shared: { name }, call, key }: Goal, step: number, asked: Params): Promise<Continuation> {
  const { inputRequests, requestState } = asked;
  const pass = call.questions?.pass?.bind(call.questions);
  if (pass === undefined)
    throw new UpstreamFailure('UPSTREAM_ERROR', `${name} asks a question, and nobody can be asked here`);
  const answers = await Promise.all(
    Object.entries(isMap(inputRequests) ? inputRequests : {}).map(async ([id, request], index) => {
      const { method, params } = isMap(request) ? request : {};
      const question = toQuestion(method, isMap(params) ? params : {});
      if (question === undefined)
        throw new UpstreamFailure(
          'UPSTREAM_INVALID',
          `${name} asks for ${JSON.stringify(method)}, which is not a question`,
        );
      return [id, await pass(`${key}:${step}:${index}`, question)] as const;
    }),
  );
  return { inputResponses: Object.fromEntries(answers), ...(requestState !== undefined && { requestState }) };
}

/** Of a request that finds no connection that lasts. */
const mostAttempts = 10;

/** A request that never left goes to the next connection; one that was refused for its headers is sent once more, with them. */
async function sendUntilSent(goal: Goal, params: Params): Promise<Params> {
  const { shared, call } = goal;
  let isKnown = false;
  for (let attempt = 1; ; attempt += 1) {
    const ready = shared.upstreamOf(call).connect(call);
    const connection = ready instanceof Promise ? await unlessAborted(ready, call.signal) : ready;
    try {
      return await send(goal, connection, params);
    } catch (error) {
      if (error instanceof NeverSent) {
        if (attempt < mostAttempts) continue;
        const words = `${shared.name} ended ${attempt} connections before this request was sent`;
        throw new UpstreamFailure('UPSTREAM_UNREACHABLE', words);
      }
      if (isKnown || goal.method !== 'tools/call' || !isHeaderMismatch(error)) throw error;
      isKnown = true;
      await shared.paramHeaders.learn(connection, call);
    }
  }
}

function send({ shared, call, key, method }: Goal, connection: Connection, params: Params): Promise<Params> {
  return new UpstreamCall(connection, call, shared.parked, key).send(
    method,
    id => requestParams(connection, call, params, id),
    shared.paramHeaders.of(method, params),
  );
}

function isHeaderMismatch(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === wireCodes.headerMismatch;
}

function unlessAborted<T>(ready: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    ready.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
