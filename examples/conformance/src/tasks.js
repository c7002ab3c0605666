// Tools that run as tasks. A task that waits for an answer holds nothing: it is run again from the top with it.
import { setTimeout as sleep } from 'node:timers/promises';
import { ProtocolError, ToolError } from 'toolwright';

const object = properties => ({ type: 'object', properties, required: Object.keys(properties) });
const nameQuestion = message => ({ message, schema: object({ name: { type: 'string' } }) });
const confirmQuestion = message => ({ message, schema: object({ confirm: { type: 'boolean' } }) });

export function greet({ name }) {
  return `Hello, ${name}!`;
}

export async function slowCompute({ seconds, label }, ctx) {
  // Who cancels a task does not wait for the rest of it.
  await sleep(seconds * 1000, undefined, { signal: ctx.signal });
  return `computed ${label}`;
}

export async function failingJob(_, ctx) {
  await sleep(1000, undefined, { signal: ctx.signal });
  throw new ToolError('it did not work');
}

export function protocolErrorJob() {
  throw new ProtocolError(-32603, 'the job broke');
}

export async function confirmDelete({ filename }, ctx) {
  const { action, content } = await ctx.elicit('confirm', confirmQuestion(`Delete ${filename}?`));
  return action === 'accept' && content.confirm ? `deleted ${filename}` : `kept ${filename}`;
}

export async function multiInput(_, ctx) {
  const answers = await Promise.all([
    ctx.elicit('first', nameQuestion('First name?')),
    ctx.elicit('second', nameQuestion('Second name?')),
  ]);
  return answers.map(({ content }) => content?.name ?? 'nobody').join(' and ');
}

export async function greetAsked(_, ctx) {
  const { content } = await ctx.elicit('user_name', nameQuestion('Who are you?'));
  return `Hello, ${content?.name ?? 'nobody'}!`;
}
