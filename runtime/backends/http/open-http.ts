// B1: the http backend. In: its definition, or none where requests have addresses of their own. Out: requests that are encoded,
// sent, tried again, read, shaped and joined from pages.
import type { HttpBackendDefinition } from '../../../schema/definitions.js';
import type { HttpBackend, HttpRequest } from '../../../schema/support/mcp/backends.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { BackendScope, CallScope, OpenBackend } from '../ports.js';
import { encodeRequest } from './encode-request.js';
import { repeatable } from './exchange.js';
import { unsure } from './network-failure.js';
import { collectPages } from './paginate.js';
import { partOf, pickFrom } from './pointers.js';
import { printRequest } from './preview.js';
import { type Answer, type AnswerScope, readAnswer, readError } from './read-answer.js';
import type { NetworkHooks } from './resolve-name.js';
import { Pauses, tryAgain } from './retries.js';
import { createSender, defaultBytes } from './sender.js';

export interface OpenHttp extends OpenBackend<HttpBackend> {
  /** What would be sent, without secrets. Throws as the request itself would where a value cannot be sent. */
  preview(request: HttpRequest): string;
}

function tooDeep(name: string, cause: RangeError): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_INVALID', `${name} answered with data in too many layers`, { cause });
}

/** Of requests that only read, where the backend does not say how often. */
const defaultRetries = 2;

/**
 * Opens a backend. Nothing is connected and no configuration read before the first request.
 *
 * @example const jira = openHttp('jira', definition, scope); await jira.of(call).request({ path: '/issue/A-1' });
 */
export function openHttp(
  name: string,
  definition: HttpBackendDefinition | undefined,
  scope: BackendScope,
  hooks: NetworkHooks = {},
): OpenHttp {
  const sender = createSender(name, definition, scope, hooks);
  const pauses = new Pauses();
  const maxBytes = definition?.limits?.bytes ?? defaultBytes;

  const retriesOf = ({ isRead }: HttpRequest, method: string): number => {
    if (isRead !== true && !repeatable.has(method)) return 0;
    const isReading = isRead === true || method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    return definition?.retries ?? (isReading ? defaultRetries : 0);
  };

  const fetch = async (request: HttpRequest, needsJson: boolean, call: CallScope): Promise<Answer> => {
    const encoded = encodeRequest(request, sender.base());
    const answerScope: AnswerScope = { name, sender, call, needsJson };
    const { signal } = call;
    const sent = await tryAgain(retriesOf(request, encoded.method), { signal, pauses }, async () => {
      const head = await sender.send(encoded, call);
      if (head.status < 200 || head.status > 299) throw await readError(head, answerScope);
      return head;
    });
    return readAnswer(sent, answerScope);
  };

  const fetchOnce = async (request: HttpRequest, needsJson: boolean, call: CallScope): Promise<Answer> => {
    try {
      return await fetch(request, needsJson, call);
    } catch (thrown) {
      const isSafe = request.isRead === true || repeatable.has(String(request.method ?? 'GET').toUpperCase());
      throw isSafe ? thrown : unsure(thrown);
    }
  };

  const run = async (request: HttpRequest, call: CallScope): Promise<unknown> => {
    const { result, paginate } = request;
    const needsJson = result?.at !== undefined || result?.pick !== undefined || paginate !== undefined;
    if (paginate === undefined) {
      const { value } = await fetchOnce(request, needsJson, call);
      return needsJson ? pickFrom(partOf(name, value, result?.at), result?.pick) : value;
    }
    const items = await collectPages(request, paginate, { name, maxBytes, fetch: page => fetchOnce(page, true, call) });
    return pickFrom(items, result?.pick);
  };

  return {
    of: call => ({
      async request<Result>(request: HttpRequest) {
        try {
          return (await run(request, call)) as Result;
        } catch (thrown) {
          // The only thing that grows with an answer is how deep it is.
          throw thrown instanceof RangeError ? tooDeep(name, thrown) : thrown;
        }
      },
    }),
    preview: request => printRequest(name, definition, request, scope),
    async close() {
      sender.close();
      pauses.endAll();
    },
  };
}
