// What generated types cost a compiler: counted in instantiations, which do not depend on the machine.

import { expect, it } from 'vitest';
import {
  compile,
  complaints,
  declarationsOf,
  programOf,
  type Texts,
  writeProject,
} from '../../generator/compile/declarations-pack.js';

const toolCount = 200;

function toolFile(number: number): string {
  return `description: Tool number ${number}.
parameters:
  issueKey: { type: string, description: The key }
  kind: { type: string, enum: [bug, task, story] }
  limit: { type: integer, default: 10 }
  tags: { type: array, items: string }
  filter: { type: object, properties: { from: string, to: { type: string, required: false } } }
  choice: { anyOf: [{ type: string }, { type: object, properties: { id: { type: integer } } }] }
  note: { type: string, required: false }
  pair: { type: array, prefixItems: [{ type: string }, { type: number }] }
output:
  title: string
  rows: { type: array, items: { type: object, properties: { id: integer, name: string } } }
errors:
  GONE: { message: Gone }
options:
  size: { type: integer, default: 5 }
`;
}

function handlerFile(number: number): string {
  return `import { tools } from '../../generated/index.js';
export default tools.tool${number}(async ({ issueKey, limit, tags, filter, note }, ctx) => {
  if (note === undefined) throw ctx.errors.GONE(issueKey, { meta: { tags } });
  ctx.log.info('called', { from: filter.from });
  return { title: issueKey + ctx.app.name, rows: tags.map((name, id) => ({ id: id + limit + ctx.options.size, name })) };
});
`;
}

function countInstantiations(files: Texts): number {
  const { folder, remove } = writeProject(files);
  try {
    const program = compile(folder);
    expect(complaints(program)).toEqual([]);
    return program.getInstantiationCount();
  } finally {
    remove();
  }
}

it('P14 a tool and its handler cost at most 50 instantiations', () => {
  const numbers = Array.from({ length: toolCount }, (_, index) => index + 1);
  const context = { 'src/context.ts': 'export const create = () => ({ name: "x" });\n' };
  const pack = {
    'toolwright.yaml': 'context: src/context.ts#create\n',
    ...Object.fromEntries(numbers.map(number => [`mcp/tools/tool-${number}.yaml`, toolFile(number)])),
  };
  const handlers = Object.fromEntries(numbers.map(number => [`src/tools/tool-${number}.ts`, handlerFile(number)]));
  const generated = declarationsOf(programOf(pack));
  const empty = countInstantiations({
    ...context,
    'src/empty.ts': "import type { ToolContext } from 'toolwright/support';\nexport type { ToolContext };\n",
  });
  const whole = countInstantiations({ ...context, ...handlers, ...generated });
  expect(whole).toBeGreaterThan(empty);
  expect((whole - empty) / toolCount).toBeLessThanOrEqual(50);
}, 120_000);
