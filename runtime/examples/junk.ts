// In: the input schema of a tool, and arguments that it takes. Out: arguments that it surely refuses (M48).
import { isMap } from '../../schema/document.js';
import { makeValueCheck } from '../../schema/json-schema/values.js';
import type { Tool } from '../load/program.js';

export interface Junk {
  /** What is wrong with it, as in `refuses ...`. */
  readonly what: string;
  readonly args: unknown;
}

/** No schema has it by accident. */
const unknownName = 'toolwright_unknown_argument';

/**
 * Only what the schema itself refuses: a tool may take anything that its schema takes.
 *
 * @example await makeJunk(tool, { a: 'x' })
 */
export async function makeJunk(
  { inputSchema: schema, filling }: Pick<Tool, 'inputSchema' | 'filling'>,
  sample: Readonly<Record<string, unknown>>,
): Promise<readonly Junk[]> {
  const properties = isMap(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const [first] = Object.keys(properties);
  const candidates: Junk[] = [
    { what: 'an argument that it does not have', args: { ...sample, [unknownName]: 1 } },
    ...(required.length === 0 ? [] : [{ what: 'a call without its required arguments', args: {} }]),
    // A list of lists is not JSON in a string that could be repaired, and hardly anybody's argument.
    ...(first === undefined ? [] : [{ what: `a wrong type of ${first}`, args: { ...sample, [first]: [[{}]] } }]),
  ];
  let isUsable = true;
  const check = makeValueCheck(schema, filling.input, () => {
    isUsable = false;
  });
  const junk: Junk[] = [];
  for (const candidate of candidates) {
    const violations = await check(candidate.args);
    if (isUsable && violations.length > 0) junk.push(candidate);
  }
  return [...junk, { what: 'arguments that are not an object', args: ['junk'] }];
}
