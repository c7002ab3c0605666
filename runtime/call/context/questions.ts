// What handlers ask. A handler that waits for an open question is left behind and run again from the top in the next round, with
// all answers so far; in both protocol eras. In: a request. Out: the questions of its round.
import type {
  ElicitAnswer,
  ElicitForm,
  ElicitUrl,
  Root,
  SampleAnswer,
  SampleRequest,
} from '../../../schema/support/mcp/client.js';
import type { Asking, CallServices, Question, Request } from '../ports.js';
import { ToolError } from '../tool-error.js';
import { type Ask, needsTools, toForeignAsk, toModelAsk, toRootsAsk, toUserAsk } from './ask.js';
import { canElicit } from './can-elicit.js';
import { type Capability, can, capabilityMissing } from './capabilities.js';
import { badQuestion } from './form.js';
import type { Relayed } from './relay.js';
import { forever, quietly, type Round, startRound } from './round.js';

export interface QuestionsInput {
  /** `tool:acme/jira/get-issue`. */
  readonly subject: string;
  /** What the thing is called in texts. */
  readonly name: string;
  /** As the client sent them, in every round the same. */
  readonly args: unknown;
  readonly request: Request;
  readonly services: CallServices;
  /** Answers count only with a state, and a state counts once. */
  readonly single: boolean;
  /** For tools: what the model brought back. Without it nothing can be passed on. */
  readonly relayed?: Relayed | undefined;
}

/** Keys of our own questions begin with it. */
export const reservedPrefix = 'toolwright/';

/** What contexts use of it. What other servers ask is passed on where calls run beside the round: not from threads. */
export type AskedQuestions = Pick<Questions, 'elicit' | 'sample' | 'roots' | 'once' | 'isOver'> &
  Partial<Pick<Questions, 'pass' | 'recall'>>;

/**
 * The questions of one round, and what the handler may do with them.
 *
 * @throws ProtocolError where the state that came with the request is not of this call.
 */
export class Questions {
  readonly #input: QuestionsInput;
  readonly #round: Round;
  #isSuspended = false;
  #suspend: (() => void) | undefined;

  constructor(input: QuestionsInput) {
    this.#input = input;
    this.#round = startRound(input, () => {
      this.#isSuspended = true;
      this.#tell();
    });
  }

  /** Called, in a later turn, when the handler waits for at least one open question: the round is over. One listener only. */
  onSuspended(listen: () => void): void {
    this.#suspend = listen;
    if (this.#isSuspended) this.#tell();
  }

  /** Later, so that a handler that fails at the same time is heard first. */
  #tell(): void {
    const suspend = this.#suspend;
    if (suspend === undefined) return;
    this.#suspend = undefined;
    queueMicrotask(suspend);
  }

  /** The open questions with the state to carry; undefined where there are none. May throw a ToolError (too much to carry). */
  asking(): Asking | undefined {
    return this.#round.asking();
  }

  /** Whether the round has ended with open questions: whatever the handler still does will be done again. */
  isOver(): boolean {
    return this.#round.isOver();
  }

  /** The answer, or undefined: then the question is among the open ones. */
  answerOf<T>(ask: Ask<T>): T | undefined {
    return this.#round.answerOf(ask);
  }

  elicit(key: string, given: ElicitForm | ElicitUrl): Promise<ElicitAnswer> {
    return this.#ask(key, round => {
      const { request, name } = this.#input;
      const asked = toUserAsk(key, given);
      if (key.startsWith(reservedPrefix)) throw badQuestion(key, `keys that begin with ${reservedPrefix} are taken`);
      if (isNested(request)) throw questionInCall(name, key);
      const mode = asked.url === undefined ? 'form' : 'url';
      return canElicit(request.client, mode) ? round.answerOf(asked) : round.relay(asked);
    });
  }

  sample(key: string, given: SampleRequest): Promise<SampleAnswer> {
    return this.#ask(key, round => {
      const { request, name } = this.#input;
      const asked = toModelAsk(key, given);
      if (given.fallback !== undefined && typeof given.fallback !== 'string')
        throw badQuestion(key, `its fallback must be a string, not ${typeof given.fallback}`);
      const needed = needsTools(given) ? 'sampling.tools' : 'sampling';
      if (can(request.client, needed) && !isNested(request)) return round.answerOf(asked);
      if (typeof given.fallback === 'string') return fallbackOf(given.fallback);
      throw isNested(request) ? questionInCall(name, key) : capabilityMissing(needed, name);
    });
  }

  roots(key = `${reservedPrefix}roots`): Promise<readonly Root[]> {
    return this.#ask(key, round => {
      const { request, services, name } = this.#input;
      const asked = toRootsAsk(key);
      if (!can(request.client, 'roots')) return services.roots ?? [];
      if (isNested(request) && request.roots?.answer === undefined) throw questionInCall(name, key);
      return round.answerOf(asked);
    });
  }

  /**
   * B5: a question of another server, put to the client as it is. Gives the answer as it came. Throws where the client cannot be asked;
   * a client that names no folders has those of the operator.
   */
  pass(key: string, question: Question): Promise<unknown> {
    return this.#ask(key, round => {
      const { request, services, name } = this.#input;
      const asked = toForeignAsk(key, question);
      if (question.kind === 'roots' && !can(request.client, 'roots')) return { roots: services.roots ?? [] };
      if (isNested(request)) throw questionInCall(name, key);
      const missing = missingFor(question, request);
      if (missing !== undefined) throw capabilityMissing(missing, name);
      return round.answerOf(asked);
    });
  }

  /** What `once` gave under this key in an earlier round; undefined where it did not run. */
  recall(key: string): unknown {
    return this.#round.once.recall(key);
  }

  once<T>(key: string, run: () => T | Promise<T>): Promise<T> {
    const round = this.#round;
    return quietly(() => (round.isOver() ? forever<T>() : round.once.run(key, run)));
  }

  /** A handler whose round is over goes no further. */
  #ask<T>(key: string, answer: (round: Round) => T | undefined | Promise<T>): Promise<T> {
    const round = this.#round;
    return quietly(async () => {
      if (round.once.isInside()) throw askedInsideOnce(key);
      return round.isOver() ? forever<T>() : ((await answer(round)) ?? forever<T>());
    });
  }
}

export function askedInsideOnce(key: string): ToolError {
  return badQuestion(key, 'it is asked inside ctx.once, which only runs once: ask before it');
}

/** What the client would have to be able to do. */
function missingFor(question: Question, { client }: Request): Capability | undefined {
  if (question.kind === 'roots') return can(client, 'roots') ? undefined : 'roots';
  const { params } = question;
  if (question.kind === 'elicit') return canElicit(client, modeOf(params)) ? undefined : 'elicitation';
  const needed = needsTools(params) ? 'sampling.tools' : 'sampling';
  return can(client, needed) ? undefined : needed;
}

function modeOf({ mode }: Readonly<Record<string, unknown>>): 'form' | 'url' {
  return mode === 'url' ? 'url' : 'form';
}

/** Whether the client can be asked this: other servers learn it before they wait. */
export function canPass(question: Question, request: Request): boolean {
  return question.kind === 'roots' || (!isNested(request) && missingFor(question, request) === undefined);
}

function isNested({ depth = 0 }: Request): boolean {
  return depth > 0;
}

function fallbackOf(text: string): SampleAnswer {
  return { text, content: [{ type: 'text', text }], toolUses: [], model: undefined, stopReason: undefined };
}

function questionInCall(name: string, key: string): ToolError {
  return new ToolError(`${name} asks the question ${JSON.stringify(key)}, which is not possible inside ctx.call`, {
    code: 'QUESTION_IN_CALL',
    status: 409,
    suggestedFix: 'Ask in the calling tool, and hand the answer over as an argument.',
    meta: { key },
  });
}
