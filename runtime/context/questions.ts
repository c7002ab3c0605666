// One round of a call that may ask. In: what the client answered and what earlier rounds sealed. Out: answers for the handler,
// or the questions that are open. A handler that waits for an open question is left behind and run again from the top in the
// next round, with all answers so far; in both protocol eras.

import { isMap } from '../../schema/document.js';
import type {
  ElicitAnswer,
  ElicitForm,
  ElicitUrl,
  Root,
  SampleAnswer,
  SampleRequest,
} from '../../schema/support-client.js';
import type { Asking, Desk, Question, Request, SealedState, StateOwner } from '../call/ports.js';
import { ProtocolProblem } from '../call/protocol-problem.js';
import { ToolError } from '../call/tool-error.js';
import { type Ask, toModelAsk, toRootsAsk, toUserAsk, type UserAsk } from './ask.js';
import { canonical } from './canonical.js';
import { can, canElicit, capabilityMissing } from './capabilities.js';
import { badQuestion } from './form.js';
import { createOnce } from './once.js';
import { type Failing, forever, makeFailing, quietly } from './pending.js';
import { type Open, printRelay, type Relayed, RelayQuestion, readRelayed } from './relay.js';

/** The questions of one round, and what the handler may do with them. */
export interface Questions {
  /** Fulfilled when the handler waits for at least one open question: the round is over. It never is where nothing is asked. */
  readonly suspended: Promise<void>;
  /** The open questions with the state to carry; undefined where there are none. May throw a ToolError (too much to carry). */
  asking(): Asking | undefined;
  elicit(key: string, request: ElicitForm | ElicitUrl): Promise<ElicitAnswer>;
  sample(key: string, request: SampleRequest): Promise<SampleAnswer>;
  roots(key?: string): Promise<readonly Root[]>;
  once<T>(key: string, run: () => T | Promise<T>): Promise<T>;
  /** Whether the round has ended with open questions: whatever the handler still does will be done again. */
  isOver(): boolean;
  /** The answer, or undefined: then the question is among the open ones. */
  answerOf<T>(ask: Ask<T>): T | undefined;
}

export interface QuestionsInput {
  /** `tool:acme/jira/get-issue`. */
  readonly subject: string;
  /** What the thing is called in texts. */
  readonly name: string;
  /** As the client sent them, in every round the same. */
  readonly args: unknown;
  readonly request: Request;
  readonly desk: Desk;
  /** Answers count only with a state, and a state counts once. */
  readonly single: boolean;
  /** For tools: what the model brought back. Without it nothing can be passed on. */
  readonly relayed?: Relayed | undefined;
}

/** Keys of our own questions begin with it. */
export const reservedPrefix = 'toolwright/';
/** Characters of a state that a model can be trusted to copy. */
const longestCopied = 4000;

const own = (map: unknown, key: string): unknown => (isMap(map) && Object.hasOwn(map, key) ? map[key] : undefined);

/** Throws a ProtocolProblem where the state that came with the request is not of this call. */
export function createQuestions(input: QuestionsInput): Questions {
  const { subject, name, args, request, desk, single, relayed } = input;
  const owner: StateOwner = { principal: request.principal, subject, args, single };
  const relayOwner = { ...owner, subject: `relay:${subject}`, args: relayed?.args };
  const isNested = (request.depth ?? 0) > 0;
  const state = request.state === undefined ? undefined : desk.seal.open(request.state, owner);
  const copied = relayed?.state === undefined ? undefined : openCopied(relayed.state, desk, relayOwner);
  const answers = new Map(Object.entries({ ...copied?.answers, ...state?.answers }));
  const seen = new Map<string, string>();
  const open = new Map<string, Question>();
  const relays = new Map<string, Open>();
  const answered = new Map<string, unknown>();
  const once = createOnce({ ...copied?.once, ...state?.once }, arm);
  let relaying: Failing | undefined;
  let made: Asking | undefined;
  let isOver = false;
  let turn = 0;
  let suspend = (): void => undefined;
  const suspended = new Promise<void>(resolve => {
    suspend = resolve;
  });

  /** Branches that run at the same time ask together: those of this turn of the event loop and of the next. */
  function arm(): void {
    if (open.size === 0 && relays.size === 0) return;
    turn += 1;
    const mine = turn;
    setImmediate(() => setImmediate(() => mine === turn && !once.isBusy() && settle()));
  }

  function settle(): void {
    if (open.size > 0) {
      isOver = true;
      suspend();
      return;
    }
    const waiting = relaying;
    relaying = undefined;
    try {
      waiting?.reject(new RelayQuestion(printRelayed()));
    } catch (error) {
      waiting?.reject(error);
    }
    relays.clear();
  }

  function printRelayed(): string {
    const carried: SealedState = { answers: Object.fromEntries(answers), once: once.results() };
    const isNeeded = single || answers.size > 0 || Object.keys(carried.once).length > 0;
    const sealed = isNeeded ? desk.seal.close(carried, relayOwner) : undefined;
    if (sealed !== undefined && sealed.length > longestCopied) throw capabilityMissing('elicitation', name);
    return printRelay({ name, open: [...relays.values()], answered: Object.fromEntries(answered), state: sealed });
  }

  function checkSame({ key, question }: Ask<unknown>): void {
    const signature = canonical(question);
    const before = seen.get(key);
    if (before !== undefined && before !== signature) {
      throw badQuestion(key, 'the same key stands for two different questions');
    }
    seen.set(key, signature);
  }

  function answerOf<T>(ask: Ask<T>): T | undefined {
    checkSame(ask);
    const { key, question } = ask;
    const isTrusted = !single || state !== undefined;
    for (const raw of [answers.get(key), isTrusted ? own(request.answers, key) : undefined]) {
      if (raw === undefined) continue;
      const reading = ask.read(raw);
      if ('answer' in reading) {
        answers.set(key, raw);
        open.delete(key);
        return reading.answer;
      }
      open.set(key, withNote(question, reading.problem));
    }
    if (!open.has(key)) open.set(key, question);
    arm();
    return undefined;
  }

  function relay(ask: UserAsk): ElicitAnswer | Promise<never> {
    if (relayed === undefined) throw capabilityMissing('elicitation', name);
    checkSame(ask);
    const raw = single && copied === undefined ? undefined : own(relayed.answers, ask.key);
    const reading = raw === undefined ? undefined : readRelayed(raw, ask);
    if (reading !== undefined && 'answer' in reading) {
      answered.set(ask.key, raw);
      return reading.answer;
    }
    relays.set(ask.key, { ask, problem: reading?.problem });
    relaying ??= makeFailing();
    arm();
    return relaying.promise;
  }

  /** A handler whose round is over goes no further. */
  function ask<T>(key: string, answer: () => T | undefined | Promise<T>): Promise<T> {
    return quietly(async () => {
      if (once.isInside()) throw badQuestion(key, 'it is asked inside ctx.once, which only runs once: ask before it');
      return isOver ? forever<T>() : ((await answer()) ?? forever<T>());
    });
  }

  return {
    suspended,
    isOver: () => isOver,
    answerOf,
    asking() {
      if (open.size === 0) return undefined;
      isOver = true;
      const carried = { answers: Object.fromEntries(answers), once: once.results() };
      made ??= { questions: Object.fromEntries(open), state: desk.seal.close(carried, owner) };
      return made;
    },
    elicit: (key, given) =>
      ask(key, () => {
        const asked = toUserAsk(key, given);
        if (key.startsWith(reservedPrefix)) throw badQuestion(key, `keys that begin with ${reservedPrefix} are taken`);
        if (isNested) throw questionInCall(name, key);
        const mode = asked.url === undefined ? 'form' : 'url';
        return canElicit(request.client, mode) ? answerOf(asked) : relay(asked);
      }),
    sample: (key, given) =>
      ask(key, () => {
        const asked = toModelAsk(key, given);
        if (can(request.client, 'sampling') && !isNested) return answerOf(asked);
        if (typeof given.fallback === 'string') return fallbackOf(given.fallback);
        throw isNested ? questionInCall(name, key) : capabilityMissing('sampling', name);
      }),
    roots: (key = `${reservedPrefix}roots`) =>
      ask(key, () => {
        const asked = toRootsAsk(key);
        if (!can(request.client, 'roots')) return desk.roots ?? [];
        if (isNested) throw questionInCall(name, key);
        return answerOf(asked);
      }),
    once: (key, run) => quietly(() => (isOver ? forever() : once.run(key, run))),
  };
}

function fallbackOf(text: string): SampleAnswer {
  return { text, content: [{ type: 'text', text }], model: undefined, stopReason: undefined };
}

/** A user who is asked again is told why. */
function withNote(question: Question, problem: string): Question {
  if (question.kind !== 'elicit') return question;
  const message = `${String(question.params['message'])}\n\nPlease answer again: ${problem}.`;
  return { kind: 'elicit', params: { ...question.params, message } };
}

function questionInCall(name: string, key: string): ToolError {
  return new ToolError(`${name} asks the question ${JSON.stringify(key)}, which is not possible inside ctx.call`, {
    code: 'QUESTION_IN_CALL',
    status: 409,
    suggestedFix: 'Ask in the calling tool, and hand the answer over as an argument.',
    meta: { key },
  });
}

/** A model that copied the state wrongly can start over; a protocol error would tell it nothing. */
function openCopied(sealed: string, desk: Desk, owner: StateOwner): SealedState {
  try {
    return desk.seal.open(sealed, owner);
  } catch (error) {
    if (!(error instanceof ProtocolProblem)) throw error;
    throw new ToolError('_state is not the one that came with the question, or it has expired', {
      code: 'BAD_STATE',
      status: 409,
      suggestedFix: 'Copy _state exactly and repeat the same arguments, or call again without _answers and _state.',
    });
  }
}
