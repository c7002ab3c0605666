// The work of one round of questions, once there is one. In: what the client answered and what earlier rounds sealed. Out: answers
// for the handler, or the questions that are open.
import { isMap } from '../../../schema/document.js';
import { canonicalJson } from '../../../schema/json-text.js';
import type { ElicitAnswer } from '../../../schema/support/mcp/client.js';
import { isPlainObject } from '../plain-json.js';
import type { Asking, Question, SealedState, TaskRun } from '../ports.js';
import { ToolError } from '../tool-error.js';
import type { Ask, UserAsk } from './ask.js';
import { capabilityMissing } from './capabilities.js';
import { openEarlier } from './earlier.js';
import { badQuestion } from './form.js';
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
  const { name, request, services, single, relayed } = input;
  const { owner, relayOwner, isCopied, isTrusted, known } = openEarlier(input);
  const { task } = request;
  const answers = new Map(Object.entries(known.answers));
  const seen = new Map<string, string>();
  const open = new Map<string, Question>();
  const relays = new Map<string, Open>();
  const answered = new Map<string, unknown>();
  const once = createOnce(known.once, arm, task);
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
    const kept = question.kind === 'roots' ? request.roots : undefined;
    for (const raw of [answers.get(key), isTrusted ? own(request.answers, key) : undefined, kept?.answer]) {
      if (raw === undefined) continue;
      const reading = ask.read(raw);
      if ('answer' in reading) {
        answers.set(key, raw);
        open.delete(key);
        if (kept?.isAsked) Object.assign(kept, { answer: raw, isAsked: false });
        return reading.answer;
      }
      open.set(key, withNote(question, reading.problem));
    }
    if (!open.has(key)) open.set(key, question);
    if (kept !== undefined) kept.isAsked = true;
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
      // What a task has so far is in its store.
      const sealed = task === undefined ? services.seal.close(carried, owner) : '';
      made ??= { questions: Object.fromEntries(open), state: sealed };
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

// In: side effects by key, and the results of those that ran in earlier rounds. Out: each effect run once, its result kept.

export interface Once {
  /** Runs it, or gives what it gave before. */
  run<T>(key: string, effect: () => T | Promise<T>): Promise<T>;
  /** What it gave in this round or an earlier one; undefined where it did not run, or gave nothing. */
  recall(key: string): unknown;
  /** Whether an effect is under way, whose result would be lost. */
  isBusy(): boolean;
  /** Whether this very moment belongs to an effect, as far as can be told: until it first waits for something. */
  isInside(): boolean;
  /** All results so far, in the form that `stored` takes. */
  results(): Readonly<Record<string, unknown>>;
}

/**
 * `onIdle` is called when the last effect under way has ended. In a run of a task what an effect gave is kept before anybody sees it: what
 * was kept never runs again. An effect that fails is not kept, and one that was under way when its run ended may have happened.
 */
function createOnce(stored: Readonly<Record<string, unknown>>, onIdle: () => void, task: TaskRun | undefined): Once {
  // A result may be nothing, which JSON cannot say: so that each is a list of one or none.
  const results = new Map<string, unknown>(Object.entries(stored));
  const running = new Map<string, Promise<unknown>>();
  let isInside = false;
  const start = async (key: string, effect: () => unknown): Promise<unknown> => {
    // A run that throws at once must find itself among the running.
    await undefined;
    try {
      // Another run has taken over: this one goes no further, and asks nothing either, until its signal ends it.
      if (task !== undefined && !(await task.mayBegin())) return await forever<never>();
      const result = await enter(effect);
      const kept = result === undefined ? [] : [toOnceJson(key, result)];
      if (task !== undefined && !(await task.keep(key, kept))) return await forever<never>();
      results.set(key, kept);
      return kept[0];
    } finally {
      running.delete(key);
      if (running.size === 0) onIdle();
    }
  };
  const enter = (effect: () => unknown): unknown => {
    isInside = true;
    try {
      return effect();
    } finally {
      isInside = false;
    }
  };
  return {
    async run<T>(key: string, effect: () => T | Promise<T>) {
      if (typeof key !== 'string' || key === '') throw notJson('', 'needs a key that is a string');
      const done = results.get(key);
      // What was sealed was made here; the handler promises to ask for the same under the same key.
      if (Array.isArray(done)) return structuredClone(done[0]) as T;
      const started = running.get(key) ?? start(key, effect);
      running.set(key, started);
      return structuredClone(await started) as T;
    },
    recall(key) {
      const done = results.get(key);
      return Array.isArray(done) ? structuredClone(done[0]) : undefined;
    },
    isBusy: () => running.size > 0,
    isInside: () => isInside,
    results: () => Object.fromEntries(results),
  };
}

function notJson(key: string, reason: string): ToolError {
  return new ToolError(`ctx.once(${JSON.stringify(key)}) ${reason}`, { code: 'BAD_ONCE', status: 500, meta: { key } });
}

/** The result as it will come back in a later round, so that handlers never see a difference. */
export function toOnceJson(key: string, value: unknown): unknown {
  const fault = findFault(value, '', new Set());
  if (fault !== undefined) throw notJson(key, `must return JSON, but ${fault}`);
  return JSON.parse(JSON.stringify(value));
}

function findFault(value: unknown, path: string, around: Set<object>): string | undefined {
  const here = path === '' ? 'its result' : path;
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `${here} is ${value}`;
    case 'object':
      break;
    default:
      return `${here} is a ${typeof value}`;
  }
  if (value === null) return undefined;
  if (around.has(value)) return `${here} contains itself`;
  if (!Array.isArray(value) && !isPlainObject(value))
    return `${here} is a ${value.constructor?.name ?? 'class instance'}`;
  around.add(value);
  for (const [step, member] of Object.entries(value)) {
    const fault = findFault(member, `${path}/${step}`, around);
    if (fault !== undefined) return fault;
  }
  around.delete(value);
  return undefined;
}
