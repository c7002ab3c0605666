// In: a prompt and the arguments of a client. Out: its messages, or the questions that its handler asks first.
import { isMap } from '../../schema/document.js';
import { readList } from '../../schema/template/list-argument.js';
import type { Desk, Outcome, Request, ServedPrompt } from '../call/ports.js';
import { ProtocolProblem, protocolCodes } from '../call/protocol-problem.js';
import { redactionOf } from '../call/redact.js';
import type { HandlerRef, Prompt } from '../load/program.js';
import type { Wire } from '../packs/list-entries.js';
import { explainFailure, problemOf } from './failure.js';
import { type MakeMessages, makeMessages } from './prompt-messages.js';
import { toPromptAnswer } from './prompt-result.js';
import { isCancelled, runHandler } from './run-handler.js';
import type { PromptAnswer } from './surface.js';

/** What the messages of a prompt need beside its arguments. */
export interface PromptCall {
  readonly request: Request;
  readonly desk: Desk;
  /** The name on the wire of a tool that the text mentions. */
  toolName(item: string): string;
}

export type GetPrompt = (args: unknown, call: PromptCall) => Promise<Outcome<PromptAnswer>>;

/** Templates are parsed when the prompt is first asked for, once. */
export function makeGetPrompt(served: ServedPrompt): GetPrompt {
  const { prompt, name, host } = served;
  let messages: MakeMessages | undefined;
  const answer = async (
    args: PromptArguments,
    { request, desk, toolName }: PromptCall,
  ): Promise<Outcome<PromptAnswer>> => {
    const description = desk.render(prompt.description);
    if (prompt.handler !== undefined)
      return await runPrompt(served, prompt.handler, { args, request, desk, description });
    messages ??= makeMessages(prompt, host);
    return { result: { ...described(description), messages: messages({ args, toolName }) } };
  };
  return async (given, call) => {
    const args = readArguments(prompt, name, given);
    try {
      return await answer(args, call);
    } catch (error) {
      const failing = { name, host, desk: call.desk };
      if (prompt.definition.onError !== 'message' || error instanceof ProtocolProblem || isCancelled(error)) {
        throw problemOf(error, failing);
      }
      const content = { type: 'text', text: explainFailure(error, failing) };
      return { result: { ...described(call.desk.render(prompt.description)), messages: [{ role: 'user', content }] } };
    }
  };
}

/** Strings, and lists where arguments are declared as lists. */
type PromptArguments = Readonly<Record<string, string | readonly unknown[]>>;

interface Run {
  readonly args: PromptArguments;
  readonly request: Request;
  readonly desk: Desk;
  readonly description: string;
}

async function runPrompt(
  { name, host }: ServedPrompt,
  handler: HandlerRef,
  { args, request, desk, description }: Run,
): Promise<Outcome<PromptAnswer>> {
  const outcome = await runHandler({ host, handler, name, subject: `prompt:${name}`, args }, request, desk);
  if ('asking' in outcome) return outcome;
  return { result: toPromptAnswer(outcome.result, description, redactionOf(host)) };
}

function described(description: string): Wire {
  return description === '' ? {} : { description };
}

/** W76: the declared ones that were given. Others are left out: clients keep some of an older version of the prompt. */
function readArguments({ arguments: list }: Prompt, name: string, given: unknown): PromptArguments {
  if (given !== undefined && given !== null && !isMap(given)) {
    throw new ProtocolProblem(protocolCodes.invalidParams, `The arguments of ${name} are not an object`);
  }
  const values = given ?? {};
  const args: [string, PromptArguments[string]][] = [];
  const missing: string[] = [];
  const wrong: string[] = [];
  for (const { name: argument, required, type } of list) {
    const value = Object.hasOwn(values, argument) ? values[argument] : undefined;
    if (typeof value === 'string') args.push([argument, type === 'list' ? readList(value) : value]);
    else if (value !== undefined) wrong.push(argument);
    else if (required === true) missing.push(argument);
  }
  if (missing.length > 0) {
    const message = `${name} needs ${missing.length === 1 ? 'the argument' : 'the arguments'} ${missing.join(', ')}`;
    throw new ProtocolProblem(protocolCodes.invalidParams, message, { missing });
  }
  if (wrong.length > 0) {
    const message = `Arguments of prompts must be strings, and ${wrong.join(', ')} of ${name} ${wrong.length === 1 ? 'is' : 'are'} not`;
    throw new ProtocolProblem(protocolCodes.invalidParams, message, { wrong });
  }
  return Object.fromEntries(args);
}
