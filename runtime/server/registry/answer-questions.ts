// In: the questions of a handler and the callbacks of the caller. Out: answers in the shapes of the protocol.
import { isMap } from '../../../schema/document.js';
import type { ClientCapabilities, Root } from '../../../schema/support/mcp/client.js';
import type { Asking, Question } from '../../call/ports.js';
import { copyArguments } from './copy-arguments.js';
import type { InvokeOptions, QuestionInfo, SampleReply } from './registry.js';

type Callbacks = Pick<InvokeOptions, 'elicit' | 'sample' | 'roots'>;

/** What the caller can do: one capability for each callback. */
export function capabilitiesOf({ elicit, sample, roots }: Callbacks): ClientCapabilities {
  return {
    ...(elicit === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    ...(sample === undefined ? {} : { sampling: { tools: {} } }),
    ...(roots === undefined ? {} : { roots: {} }),
  };
}

/** All questions of one round, at once. Throws what a callback throws. */
export async function answerQuestions(
  { questions }: Asking,
  callbacks: Callbacks,
  about: Omit<QuestionInfo, 'key'>,
): Promise<Readonly<Record<string, unknown>>> {
  const answers = Object.entries(questions).map(
    async ([key, question]) => [key, asSent(await answer(question, callbacks, { ...about, key }))] as const,
  );
  return Object.fromEntries(await Promise.all(answers));
}

/** The answers of a client are JSON, and so are those of a callback. */
function asSent(reply: unknown): unknown {
  const copied = copyArguments(reply);
  if ('problem' in copied) throw new TypeError(`the answer cannot be sent as JSON: ${copied.problem}`);
  return copied.value;
}

async function answer(question: Question, { elicit, sample, roots }: Callbacks, info: QuestionInfo): Promise<unknown> {
  switch (question.kind) {
    case 'elicit':
      return (await elicit?.(question.params, info)) ?? { action: 'cancel' };
    case 'sample': {
      if (sample === undefined) throw new Error('there is no sample callback');
      return toSampleResult(await sample(question.params, info));
    }
    case 'roots':
      return { roots: await listRoots(roots, info) };
    default:
      return question satisfies never;
  }
}

function toSampleResult(reply: SampleReply): unknown {
  if (!isMap(reply)) {
    return { role: 'assistant', content: { type: 'text', text: String(reply) }, model: '', stopReason: 'endTurn' };
  }
  return { role: 'assistant', model: '', ...reply };
}

async function listRoots(roots: Callbacks['roots'], info: QuestionInfo): Promise<readonly Root[]> {
  return typeof roots === 'function' ? await roots(info) : (roots ?? []);
}
