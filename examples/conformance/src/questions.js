// Questions to the model and to the user. A key names a question, so that its answer is found when the call is run again.

const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });

const report = ({ action, content = {} }) =>
  `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;

export async function sampling({ prompt }, ctx) {
  const { text } = await ctx.sample('answer', { prompt, maxTokens: 100 });
  return `LLM response: ${text}`;
}

export async function missingCapability(_, ctx) {
  const { text } = await ctx.sample('answer', { prompt: 'pong?', maxTokens: 100 });
  return text;
}

export async function elicitation({ message }, ctx) {
  const { action, content = {} } = await ctx.elicit('response', {
    message,
    schema: object({ response: { type: 'string', description: "User's response" } }),
  });
  return `User response: action=${action}, content=${JSON.stringify(content)}`;
}

export async function elicitationDefaults(_, ctx) {
  const properties = {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  };
  const message = 'Please review the defaults';
  return report(await ctx.elicit('defaults', { message, schema: object(properties, []) }));
}

export async function elicitationEnums(_, ctx) {
  const options = ['option1', 'option2', 'option3'];
  const titled = noun =>
    ['First', 'Second', 'Third'].map((title, index) => ({ const: `value${index + 1}`, title: `${title} ${noun}` }));
  const properties = {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled('Choice') } },
  };
  const message = 'Please choose';
  return report(await ctx.elicit('choices', { message, schema: object(properties, []) }));
}
