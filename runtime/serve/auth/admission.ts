// In: a request, and what decides about its token. Out: who called, or the answer in place of the server's. Who only guesses is not
// even looked at for a while.
import type { IncomingMessage } from 'node:http';
import { Caller } from '../../protocol/caller.js';
import type { RareReport } from '../../surface/rare-report.js';
import { addressOf } from '../caller-usage.js';
import type { Authorizer, Refused } from './authorizer.js';
import { WrongTokens } from './wrong-tokens.js';

export class Admission {
  readonly #authorizer: Authorizer;
  readonly #wrongTokens: WrongTokens;

  constructor(authorizer: Authorizer, mostWrong: number, report: RareReport) {
    this.#authorizer = authorizer;
    this.#wrongTokens = new WrongTokens(mostWrong, report);
  }

  async admit({ headers, url, socket }: IncomingMessage): Promise<Caller | Refused> {
    const address = addressOf(socket.remoteAddress);
    const wait = this.#wrongTokens.waitOf(address);
    if (wait !== undefined) return tooMany(wait);
    const answer = await this.#authorizer.authorize(headers, url);
    if (answer.ok) return new Caller(answer.auth, answer.principal, false, answer.isShared);
    if (answer.wrongToken !== undefined) this.#wrongTokens.note(address, answer.wrongToken);
    return answer;
  }
}

function tooMany(seconds: number): Refused {
  const body = { error: 'too_many_requests', error_description: 'Too many wrong tokens came from this address' };
  return { ok: false, status: 429, headers: { 'retry-after': String(seconds) }, body };
}
