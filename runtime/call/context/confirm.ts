// `confirm: true` (C6). In: a call as the client sent it. Out: whether it may run, with the arguments that the tool itself takes;
// else what to answer. Where the client can ask, only the user can agree; where it cannot, the model must ask and say so by
// `confirmed: true`, which is not among the tool's own arguments: lists for such clients have it (see relayed-input.ts).
import { isMap } from '../../../schema/document.js';
import { visible } from '../../../schema/print/visible.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';
import type { Request, ServedTool } from '../ports.js';
import { toUserAsk } from './ask.js';
import { canElicit } from './can-elicit.js';
import { type Questions, reservedPrefix } from './questions.js';
import { isDestructive, ownArguments, relayResult } from './relay.js';

const confirmKey = `${reservedPrefix}confirm`;

export interface Confirmation {
  readonly proceed: boolean;
  /** Without `confirmed`, `_answers` and `_state`. */
  readonly args: unknown;
  /** In place of a run. Absent while the user is being asked: then `questions.asking()` has the question. */
  readonly result?: CallToolResult | undefined;
}

/**
 * Asks the user before anything runs, where the tool says `confirm: true`; any other call proceeds at once.
 *
 * @example
 * const { proceed, args, result } = await confirmCall(served, sent, request, questions);
 * if (!proceed) return result === undefined ? { asking: questions.asking() } : { result };
 */
export async function confirmCall(
  served: ServedTool,
  args: unknown,
  request: Request,
  questions: Questions,
): Promise<Confirmation> {
  const rest = ownArguments(served, args, request);
  if (served.tool.definition.confirm !== true) return { proceed: true, args: rest };
  const isNested = (request.depth ?? 0) > 0;
  if (!isNested && canElicit(request.client, 'form')) {
    const ask = toUserAsk(confirmKey, { message: printConfirmation(served, rest) });
    const answer = questions.answerOf(ask);
    if (answer === undefined) return { proceed: false, args: rest };
    if (answer.action === 'accept') return { proceed: true, args: rest };
    return {
      proceed: false,
      args: rest,
      result: relayResult(served, `${served.name} did not run: the user declined.`),
    };
  }
  const confirmed = isMap(args) && Object.hasOwn(args, 'confirmed') ? args['confirmed'] : undefined;
  if (confirmed === true || confirmed === 'true') return { proceed: true, args: rest };
  const text = isNested
    ? `${served.name} did not run: it needs the user's agreement. A tool that calls it must have asked, and say so by confirmed: true.`
    : [
        `${served.name} did not run: it needs the user's agreement first, and this client cannot ask for it.`,
        `Tell the user what it would do, and ask: ${printConfirmation(served, rest)}`,
        `Only if the user agrees, call ${served.name} again with the same arguments and "confirmed": true.`,
      ].join('\n\n');
  const result = relayResult(served, text);
  return { proceed: false, args: rest, result: isNested ? { ...result, isError: true } : result };
}

const mostShown = 20;
const longestShown = 200;

/** What the user agrees to. Arguments come from a model: nothing in them may hide or look like our own words. */
function printConfirmation({ tool, name }: ServedTool, args: unknown): string {
  const title = tool.title === undefined || tool.title === name ? name : `${tool.title} (${name})`;
  const entries = isMap(args) ? Object.entries(args) : [];
  const lines = entries
    .slice(0, mostShown)
    .map(([key, value]) => `- ${visible(shorten(key))}: ${shorten(printValue(value))}`);
  if (entries.length > mostShown) lines.push(`- and ${entries.length - mostShown} more`);
  return [
    `Allow ${title} to run${lines.length === 0 ? '?' : ' with these arguments?'}`,
    ...lines,
    ...(isDestructive(tool) ? ['It may not be possible to undo this.'] : []),
  ].join('\n');
}

function printValue(value: unknown): string {
  return visible(JSON.stringify(value) ?? 'null');
}

function shorten(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}... (${text.length} characters)`;
}
