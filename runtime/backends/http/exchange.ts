// In: one request to one place. Out: the head of its answer. Nothing is followed or read here.
import http from 'node:http';
import https from 'node:https';
import type { Attempt } from './attempt.js';
import type { Route } from './connections.js';
import { codeOf, networkFailure } from './network-failure.js';

export interface Outgoing {
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | undefined;
  /** It may be sent twice. */
  readonly isRepeatable: boolean;
}

/** Of methods that may be sent twice by what they mean. */
export const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

/** Errors of a connection that the other side had closed while nobody looked. */
const staleCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Sends a request. Where a kept connection turns out to be closed, it is sent once more over a new one.
 *
 * @example const response = await exchange('jira', route, outgoing, attempt);
 */
export function exchange(
  name: string,
  route: Route,
  outgoing: Outgoing,
  attempt: Attempt,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = (agent: http.Agent): void => {
      const { method, target, headers, body } = outgoing;
      const request = (route.isSecure ? https : http).request({
        agent,
        method,
        host: route.hostname,
        port: route.port,
        path: route.prefix === '' ? target : route.prefix + target,
        headers: headers as Record<string, string>,
      });
      attempt.onStop = () => {
        request.destroy();
        reject(attempt.failure?.reason);
      };
      let answer: http.IncomingMessage | undefined;
      request.on('response', response => {
        answer = response;
        resolve(response);
      });
      request.on('error', (error: Error) => {
        if (attempt.failure !== undefined) return;
        // Where the rest of an answer is not HTTP, its reader would only learn that there is no more.
        if (answer !== undefined) {
          if (!answer.complete) answer.destroy(error);
          return;
        }
        const isStale = request.reusedSocket && staleCodes.has(codeOf(error) ?? '');
        if (isStale && outgoing.isRepeatable) send(route.freshAgent);
        else reject(networkFailure(route.peer, error));
      });
      // Without a listener Node closes the connection and says nothing that would help.
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(networkFailure(name, Object.assign(new Error('upgrade'), { code: 'HPE_UPGRADE' })));
      });
      // Node would put a string behind the headers, and write both as UTF-8.
      request.end(typeof body === 'string' ? Buffer.from(body) : body);
    };
    if (attempt.failure !== undefined) reject(attempt.failure.reason);
    else {
      try {
        send(route.agent);
      } catch (error) {
        reject(networkFailure(name, error));
      }
    }
  });
}
