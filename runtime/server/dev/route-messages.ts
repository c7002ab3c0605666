// Routes of the author's own between the two processes of `dev`. In: a web request or answer. Out: the same as a message, and back.
// Whole: what a route streams arrives when it has ended.
import type { Auth } from '../../../schema/support/mcp/client.js';
import type { Request as CallRequest } from '../../call/ports.js';
import type { Route } from '../../surface/surface.js';
import type { Method } from './messages.js';

interface Packed {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Base64; absent: there is none. */
  readonly body?: string | undefined;
}

interface PackedRequest extends Packed {
  readonly method: string;
  readonly url: string;
}

interface PackedAnswer extends Packed {
  readonly status: number;
}

type Send = (method: Method, params: readonly unknown[], request: CallRequest) => Promise<unknown>;

/** For the process that clients talk to. */
export function sendRoute(send: Send): Route {
  return async (request, auth) => {
    const { method, url, signal } = request;
    const packed: PackedRequest = { method, url, ...(await pack(request)) };
    const answer = (await send('route', [packed], callOf(signal, auth))) as PackedAnswer | null;
    if (answer === null) return undefined;
    const { status, headers, body } = answer;
    return new Response(body === undefined ? null : Buffer.from(body, 'base64'), { status, headers: copy(headers) });
  };
}

/** For the process that runs handlers. */
export async function answerRoute(
  route: Route | undefined,
  packed: unknown,
  { signal, auth }: Pick<CallRequest, 'signal' | 'auth'>,
): Promise<PackedAnswer | null> {
  const { method, url, headers, body } = packed as PackedRequest;
  const given = body === undefined ? null : Buffer.from(body, 'base64');
  const answer = await route?.(new Request(url, { method, headers: copy(headers), body: given, signal }), auth);
  if (answer === undefined) return null;
  // A stream without an end would be kept for ever: it ends when nobody waits for it.
  const ending = answer.body?.pipeThrough(new TransformStream(), { signal }) ?? null;
  return { status: answer.status, ...(await pack(new Response(ending, answer))) };
}

async function pack(message: Request | Response): Promise<Packed> {
  const headers = [...message.headers];
  if (message.body === null) return { headers };
  return { headers, body: Buffer.from(await message.arrayBuffer()).toString('base64') };
}

function copy(headers: Packed['headers']): [string, string][] {
  return headers.map(([name, value]) => [name, value]);
}

/** No client of MCP is behind it: nothing can be asked, and nobody reads logs. */
function callOf(signal: AbortSignal, auth: Auth | undefined): CallRequest {
  const client = { name: '', version: '', capabilities: {} };
  return {
    id: 'route',
    signal,
    client,
    auth,
    principal: '',
    answers: {},
    state: undefined,
    notify: nobody,
    log: () => false,
    progress: nothing,
  };
}

const nothing = (): void => undefined;
const nobody = { toolsChanged: nothing, promptsChanged: nothing, resourcesChanged: nothing, resourceUpdated: nothing };
