import { readFileSync } from 'node:fs';
import { tools } from '../../generated/index.js';
import { describeKey, findKey, type Schema } from '../schema-keys.js';

/** Relative to this module, here and in dist/; written out so that builds of servers find and copy them. */
const files = {
  pack: new URL('../../../schema/pack.schema.json', import.meta.url),
  server: new URL('../../../schema/server.schema.json', import.meta.url),
  tool: new URL('../../../schema/tool.schema.json', import.meta.url),
  prompt: new URL('../../../schema/prompt.schema.json', import.meta.url),
  resource: new URL('../../../schema/resource.schema.json', import.meta.url),
  schema: new URL('../../../schema/schema.schema.json', import.meta.url),
  overlay: new URL('../../../schema/overlay.schema.json', import.meta.url),
};

/** Tell which keys a kind of manifest has, or which keys may stand below one of them. */
export default tools.describeSchema(async ({ kind, field }, ctx) => {
  const schema = JSON.parse(readFileSync(files[kind], 'utf8')) as Schema;
  const key = findKey(schema, field?.split('.') ?? []);
  if (key === undefined) throw ctx.errors.UNKNOWN_FIELD(`a ${kind} has no key ${JSON.stringify(field)}`);
  return {
    kind,
    ...(field === undefined ? {} : { field }),
    schema: `toolwright/schema/${kind}.schema.json`,
    ...describeKey(schema, key),
  };
});
