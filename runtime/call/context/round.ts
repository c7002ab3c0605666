// The work of one round of questions, once there is one. In: what the client answered and what earlier rounds sealed. Out: answers
// for the handler, or the questions that are open.

import { isMap } from '../../../schema/document.js';
import { canonicalJson } from '../../../schema/json-text.js';
import type { ElicitAnswer } from '../../../schema/support/mcp/client.js';
import type { Asking, Question, SealedState, StateOwner } from '../ports.js';
import { ProtocolProblem } from '../protocol-problem.js';
import { ToolError } from '../tool-error.js';
import type { Ask, UserAsk } from './ask.js';
import { capabilityMissing } from './capabilities.js';
import { badQuestion } from './form.js';
import { createOnce, type Once } from './once.js';
import type { QuestionsInput } from './questions.js';
import { type Open, printRelay, RelayQuestion, readRelayed } from './relay.js';

export interface Round {
  readonly once: Once;
  isOver(): boolean;
  asking(): Asking | undefined;
  /** The answer, or undefined: then the question is among the open ones. */
  answerOf<T>(ask: Ask<T>): T | undefined;
  /** The answer that the model brought back, or a promise that fails with the text to pass on. */
  relay(ask: UserAsk): ElicitAnswer | Promise<never>;
}

/** Characters of a state that a model can be trusted to copy. */
const longestCopied = 4000;

const own = (map: unknown, key: string): unknown => (isMap(map) && Object.hasOwn(map, key) ? map[key] : undefined);

/** `suspend` is called when the handler waits for open questions. Throws where the state is not of this call. */
export function startRound(input: QuestionsInput, suspend: () => void): Round {
  const { subject, name, args, request, services, single, relayed } = input;
  const owner: StateOwner = { principal: request.principal, subject, args, single };
  const relayOwner = { ...owner, subject: `relay:${subject}`, args: relayed?.args };
  const state = request.state === undefined ? undefined : services.seal.open(request.state, owner);
  // A later round of a call has what the model brought back in its own state, and a used one opens no more.
  const isCopied = relayed?.state !== undefined;
  const copied = isCopied && state === undefined ? openCopied(relayed.state, input, relayOwner) : undefined;
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
    const sealed = isNeeded ? services.seal.close(carried, relayOwner) : undefined;
    if (sealed !== undefined && sealed.length > longestCopied) throw capabilityMissing('elicitation', name);
    return printRelay({ name, open: [...relays.values()], answered: Object.fromEntries(answered), state: sealed });
  }

  function checkSame({ key, question }: Ask<unknown>): void {
    const signature = canonicalJson(question);
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
    const raw = single && !isCopied ? undefined : own(relayed.answers, ask.key);
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

  return {
    once,
    answerOf,
    relay,
    isOver: () => isOver,
    asking() {
      if (open.size === 0) return undefined;
      isOver = true;
      const carried = { answers: Object.fromEntries(answers), once: once.results() };
      made ??= { questions: Object.fromEntries(open), state: services.seal.close(carried, owner) };
      return made;
    },
  };
}

/** A user who is asked again learns why. */
function withNote(question: Question, problem: string): Question {
  if (question.kind !== 'elicit') return question;
  const message = `${String(question.params['message'])}\n\nPlease answer again: ${problem}.`;
  return { kind: 'elicit', params: { ...question.params, message } };
}

/** A model that copied the state wrongly can start over; a protocol error would tell it nothing. */
function openCopied(sealed: string, { services }: QuestionsInput, owner: StateOwner): SealedState {
  try {
    return services.seal.open(sealed, owner);
  } catch (error) {
    if (!(error instanceof ProtocolProblem)) throw error;
    throw new ToolError('_state is not the one that came with the question, or it has expired', {
      code: 'BAD_STATE',
      status: 409,
      suggestedFix: 'Copy _state exactly and repeat the same arguments, or call again without _answers and _state.',
    });
  }
}

/** A promise that can only fail. */
interface Failing {
  readonly promise: Promise<never>;
  reject(problem: unknown): void;
}

function makeFailing(): Failing {
  let reject = (_problem: unknown): void => undefined;
  const promise = new Promise<never>((_, fail) => {
    reject = fail;
  });
  return { promise, reject };
}

/** What nobody waits for must not end the process when it fails. */
export function quietly<T>(run: () => Promise<T>): Promise<T> {
  const promise = run();
  promise.catch(() => undefined);
  return promise;
}

/** A question that stays open: what waits for it is left behind. */
export function forever<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}
