// In: an answer over HTTP that is not a success. Out: what it means for the request: a protocol error, a session that is no longer
// known, or a failure.
import { STATUS_CODES } from 'node:http';
import { isMap } from '../../../schema/document.js';
import { headOf } from '../../call/print-cause.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { Sent } from '../http/sender.js';
import type { Params } from './wire.js';

const longestWords = 300;

/** The error of the protocol in a body; undefined where it is something else. */
export function readError(text: string): Params | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMap(value) && isMap(value['error']) && typeof value['error']['message'] === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** 404 by the protocol; many servers say 400, in words. Either way the request was not looked at. */
export function isLostSession(status: number, session: string | undefined, error: Params | undefined): boolean {
  if (session === undefined) return false;
  return status === 404 || (status === 400 && /\bsession\b/i.test(wordsOf(error)));
}

export function failureOf(
  name: string,
  { status, headers }: Sent,
  error: Params | undefined,
  redact: (text: string) => string,
): UpstreamFailure {
  const words = redact(wordsOf(error));
  const title = `${name} answered ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  const isBusy = status === 429 || status === 503;
  const suggestedFix =
    status === 401 || status === 403 ? `Check the credentials (auth) of the backend ${name}.` : undefined;
  return new UpstreamFailure('UPSTREAM_ERROR', words === '' ? title : `${title}: ${headOf(words, longestWords)}`, {
    status,
    retryable: isBusy,
    suggestedFix,
    meta: headers['retry-after'] === undefined ? undefined : { retryAfter: headers['retry-after'] },
  });
}

function wordsOf(error: Params | undefined): string {
  const inner = error?.['error'];
  return isMap(inner) ? String(inner['message']) : '';
}
