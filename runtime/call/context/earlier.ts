// What a call knows of its earlier rounds. In: a request with what the client or the model brought back, or the journal of a task. Out:
// answers and results of `ctx.once`, and to whom the next state belongs.
import type { SealedState, StateOwner } from '../ports.js';
import { ProtocolError } from '../protocol-error.js';
import { ToolError } from '../tool-error.js';
import type { QuestionsInput } from './questions.js';

export interface Earlier {
  readonly owner: StateOwner;
  /** Of a state that the model carries. */
  readonly relayOwner: StateOwner;
  /** The model brought one back. */
  readonly isCopied: boolean;
  /** Answers that came with the request itself count. */
  readonly isTrusted: boolean;
  readonly known: SealedState;
}

/** Throws where a state is not of this call. */
export function openEarlier(input: QuestionsInput): Earlier {
  const { subject, args, request, services, single, relayed } = input;
  const owner: StateOwner = { principal: request.principal, subject, args, single };
  const relayOwner = { ...owner, subject: `relay:${subject}`, args: relayed?.args };
  const isCopied = relayed?.state !== undefined;
  // T1: states were opened when the call became a task (`openJournal`), and some open only once.
  const { task } = request;
  if (task !== undefined) return { owner, relayOwner, isCopied, isTrusted: true, known: task.journal };
  const state = request.state === undefined ? undefined : services.seal.open(request.state, owner);
  // A later round of a call has what the model brought back in its own state, and a used one opens no more.
  const copied = isCopied && state === undefined ? openCopied(relayed.state, input, relayOwner) : undefined;
  const known = {
    answers: { ...copied?.answers, ...state?.answers },
    once: { ...copied?.once, ...state?.once },
  };
  return { owner, relayOwner, isCopied, isTrusted: !single || state !== undefined, known };
}

/** T1: what a task begins with, and how that is carried where it asks before it begins. */
export interface OpenJournal {
  readonly journal: SealedState;
  /** For the client, as for any call. Throws a ToolError where it is too much. */
  seal(journal: SealedState): string;
}

/**
 * Opens what came with a call that becomes a task, once: runs of the task have it in their journal.
 *
 * @throws ProtocolError or ToolError where a state is not of this call: the call itself would have failed so.
 */
export function openJournal(input: QuestionsInput): OpenJournal {
  const { known, isTrusted, owner } = openEarlier(input);
  const { answers } = input.request;
  return {
    journal: { answers: isTrusted ? { ...answers, ...known.answers } : known.answers, once: known.once },
    seal: journal => input.services.seal.close(journal, owner),
  };
}

/** A model that copied the state wrongly can start over; a protocol error would tell it nothing. */
function openCopied(sealed: string, { services }: QuestionsInput, owner: StateOwner): SealedState {
  try {
    return services.seal.open(sealed, owner);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new ToolError('_state is not the one that came with the question, or it has expired', {
      code: 'BAD_STATE',
      status: 409,
      suggestedFix: 'Copy _state exactly and repeat the same arguments, or call again without _answers and _state.',
    });
  }
}
