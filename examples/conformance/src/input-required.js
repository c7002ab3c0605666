// Calls that need input. In 2026-07-28 the client gets the open questions as the result and calls again with answers;
// each function is then run from the top, so everything before the last question may run several times.

const object = properties => ({ type: 'object', properties, required: Object.keys(properties) });

const nameQuestion = { message: 'What is your name?', schema: object({ name: { type: 'string' } }) };
const greetingQuestion = { prompt: 'Generate a greeting', maxTokens: 50 };
const confirmQuestion = { message: 'Please confirm', schema: object({ ok: { type: 'boolean' } }) };

export async function elicitation(_, ctx) {
  const { content } = await ctx.elicit('user_name', nameQuestion);
  return `Hello, ${content.name}!`;
}

export async function sampling(_, ctx) {
  const question = { prompt: 'What is the capital of France?', maxTokens: 100 };
  const { text } = await ctx.sample('capital_question', question);
  return `Sampling response: ${text}`;
}

export async function listRoots(_, ctx) {
  const roots = await ctx.roots('client_roots');
  return `Roots: ${roots.map(({ uri }) => uri).join(', ')}`;
}

export async function requestState(_, ctx) {
  await ctx.elicit('confirm', confirmQuestion);
  return 'state-ok';
}

export async function tamperedState(_, ctx) {
  await ctx.elicit('confirm', confirmQuestion);
  return 'integrity-ok';
}

/** Questions that are open at the same time are asked together. */
export async function multipleInputs(_, ctx) {
  const [name, greeting, roots] = await Promise.all([
    ctx.elicit('user_name', nameQuestion),
    ctx.sample('greeting', greetingQuestion),
    ctx.roots('client_roots'),
  ]);
  return `${greeting.text} ${name.content.name} (${roots.length} roots)`;
}

export async function multiRound(_, ctx) {
  const first = await ctx.elicit('step1', {
    message: 'Step 1: What is your name?',
    schema: object({ name: { type: 'string' } }),
  });
  const second = await ctx.elicit('step2', {
    message: 'Step 2: What is your favorite color?',
    schema: object({ color: { type: 'string' } }),
  });
  return `${first.content.name} likes ${second.content.color}`;
}

/** Asks only what the client said it can answer. */
export async function capabilities(_, ctx) {
  const can = ctx.client.capabilities ?? {};
  await Promise.all([
    can.elicitation && ctx.elicit('user_name', nameQuestion),
    can.sampling && ctx.sample('greeting', greetingQuestion),
    can.roots && ctx.roots('client_roots'),
  ]);
  return 'Done.';
}

export async function prompt(_, ctx) {
  const { content } = await ctx.elicit('user_context', {
    message: 'What context should the prompt use?',
    schema: object({ context: { type: 'string' } }),
  });
  return {
    messages: [{ role: 'user', content: { type: 'text', text: `Use the following context: ${content.context}` } }],
  };
}
