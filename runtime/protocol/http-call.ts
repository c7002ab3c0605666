// One tools/call of 2026-07-28 over HTTP: the Request that calls of a surface take, and the answer that it comes to.
import type { Auth, Client, Notify } from '../../schema/support/mcp/client.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import type { Calling, Cancellation, Request } from '../call/ports.js';
import type { Caller } from './caller.js';
import { type Handshake, serverInfoKey } from './handshake.js';
import type { InFlight } from './in-flight.js';
import type { CallAnswer, CallPort, MessageId } from './ports.js';
import { printCallResult, printError } from './print-answer.js';
import { type CallInput, PendingCall } from './request.js';

/** What all calls of a lane share. */
export interface CallBase {
  readonly port: CallPort;
  /** Counts calls, for who waits until there are none. */
  readonly calls: InFlight;
  handshake(): Handshake;
}

export interface LaneAnswer {
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

const noAnswers: Request['answers'] = Object.freeze({});
/** The one error of a call that HTTP has a status for. */
const capabilityMissing = -32021;

/** Its client wants neither progress nor logs: else it would not be here. */
export class HttpCall extends PendingCall implements Request {
  readonly id: MessageId;
  readonly client: Client;
  readonly auth: Auth | undefined;
  readonly isRemote = true;
  readonly principal: string;
  readonly answers = noAnswers;
  readonly state = undefined;
  readonly notify: Notify;
  /** Set where the call asks something, or says itself what its result is: what the SDK makes an answer of. */
  outcome: Calling | undefined;
  readonly #base: CallBase;

  constructor(input: CallInput, caller: Caller | undefined, base: CallBase) {
    super(input);
    this.id = input.id;
    this.client = input.client;
    this.auth = caller?.auth;
    this.principal = caller?.principal ?? '';
    this.notify = base.port.notify;
    this.#base = base;
  }

  get cancellation(): Cancellation {
    return this;
  }

  log(): boolean {
    return false;
  }

  progress(): void {}

  /** `done` gets undefined where only the SDK can tell what to make of the outcome. Never throws. */
  run(done: (answer: LaneAnswer | undefined) => void): void {
    const { port, calls } = this.#base;
    const { name, args } = this.input;
    calls.begin();
    void port.callTool(name, args, this, 'modern').then(answer => {
      done(this.#print(answer));
      calls.end();
    });
  }

  #print(answer: CallAnswer): LaneAnswer | undefined {
    const { id } = this;
    if ('error' in answer) {
      return { status: answer.error.code === capabilityMissing ? 400 : 200, text: printError(id, answer.error) };
    }
    if ('result' in answer && isPlain(answer.result)) {
      return { status: 200, text: printCallResult(id, answer.result, this.#base.handshake()) };
    }
    this.outcome = Promise.resolve(answer);
    return undefined;
  }
}

/** Whether it leaves to us what every result of 2026-07-28 has. */
function isPlain(result: CallToolResult): boolean {
  return !('resultType' in result) && (result._meta === undefined || !(serverInfoKey in result._meta));
}
