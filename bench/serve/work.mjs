// The work that every contender does: `count` tools that add two numbers, with an optional enum and a list of texts, and a
// structured answer; five prompts of one argument.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const serverInfo = { name: 'bench', version: '1.0.0' };
export const labels = ['red', 'green', 'blue'];

export function toolsOf(count) {
  return Array.from({ length: count }, (_, index) => ({
    name: index === 0 ? 'add' : `add_${index}`,
    description: `Adds two numbers and returns their sum, variant ${index}.`,
  }));
}

export const prompts = Array.from({ length: 5 }, (_, index) => ({
  name: `ask_${index}`,
  description: `Asks about a topic, variant ${index}.`,
}));

const properties = {
  a: { type: 'number', description: 'First number' },
  b: { type: 'number', description: 'Second number' },
  label: { type: 'string', enum: labels, description: 'Colour of the answer' },
  tags: { type: 'array', items: { type: 'string' }, description: 'Words to file it under' },
};
export const inputSchema = { type: 'object', properties, required: ['a', 'b'], additionalProperties: false };
export const outputSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };

/** The same as source text, for contenders that take zod. */
export const zodInput = `z.object({
  a: z.number().describe('First number'),
  b: z.number().describe('Second number'),
  label: z.enum(${JSON.stringify(labels)}).optional().describe('Colour of the answer'),
  tags: z.array(z.string()).optional().describe('Words to file it under'),
})`;
export const zodOutput = 'z.object({ sum: z.number() })';

/** What a handler of a contender returns that takes whole results. */
export const wholeResult = `({ a, b }) => {
  const sum = { sum: a + b };
  return { content: [{ type: 'text', text: JSON.stringify(sum) }], structuredContent: sum };
}`;

/** Writes `{path: text}` below a folder. */
export function writeFiles(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
