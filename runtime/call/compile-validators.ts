// In: a tool without usable generated validators. Out: validators made now, equal to the generated ones.
import type { ValidateFunction } from 'ajv';
import type { JsonSchema } from '../../schema/definitions.js';
import { type Compile, countedCode, loadCompiler, passesOf } from '../../schema/json-schema/compile-ajv.js';
import { isCommon } from '../../schema/json-schema/engine.js';
import { countSchemas } from '../../schema/json-schema/walk.js';
import type { Compiled } from '../../schema/support/validator.js';
import { boundValidator, inTurn, makeValidator, Steps } from '../../schema/support.js';
import type { Tool } from '../load/program.js';
import type { Validate, Validators } from './ports.js';
import { ToolError } from './tool-error.js';

type Source = Pick<Tool, 'item' | 'inputSchema' | 'outputSchema' | 'filling'>;
type Role = 'input' | 'output';

/**
 * Makes the validators of one tool. ajv is loaded only for schemas with unusual keywords; for these it throws a ToolError
 * (NEEDS_GENERATE) where the process may not make code from texts.
 *
 * @example const { input } = await compileValidators(tool);
 */
export async function compileValidators(tool: Source): Promise<Validators> {
  const { inputSchema, outputSchema, filling } = tool;
  const steps = new Steps(countSchemas(inputSchema) + countSchemas(outputSchema));
  let compile: Compile | undefined;
  const makeOne = async (schema: JsonSchema, role: Role): Promise<Validate> => {
    if (isCommon(schema)) return makeValidator(() => schema, filling[role]);
    // One compiler for all: names are unique among them.
    const use = compile ?? (await loadCompiler(countedCode))(steps);
    compile = use;
    const [first, second] = passesOf(filling[role]);
    const makePass = (fills: boolean): Validate =>
      boundValidator(
        steps,
        compileRole(tool, role, () => use(schema, fills, 'first')),
        compileRole(tool, role, () => use(schema, fills, 'all')),
      );
    return second === undefined ? makePass(first) : inTurn(makePass(first), makePass(second));
  };
  const input = await makeOne(inputSchema, 'input');
  return outputSchema === undefined ? { input } : { input, output: await makeOne(outputSchema, 'output') };
}

function compileRole({ item }: Source, role: Role, compile: () => ValidateFunction): Compiled {
  const validate = compileOrExplain(item, role, compile);
  // ajv's own keyword makes it answer with a promise, which would pass for a valid value.
  if (Object.hasOwn(validate, '$async')) throw unusable(item, role, '"$async" is not a JSON Schema keyword');
  return validate as Compiled;
}

function compileOrExplain(item: string, role: Role, compile: () => ValidateFunction): ValidateFunction {
  try {
    return compile();
  } catch (cause) {
    if (cause instanceof EvalError) throw needsGenerate(item, cause);
    const message = cause instanceof Error ? cause.message : String(cause);
    // ajv adds the name under which it knows the schema, which tells an author nothing.
    throw unusable(item, role, message.replace(/ from id \S*$/, ''), cause);
  }
}

function unusable(item: string, role: Role, reason: string, cause?: unknown): Error {
  return new Error(`the ${role} schema for ${item} cannot be compiled: ${reason}`, { cause });
}

function needsGenerate(item: string, cause: unknown): ToolError {
  return new ToolError(`${item} has no generated validators for its current definition, and none can be created here`, {
    code: 'NEEDS_GENERATE',
    status: 500,
    suggestedFix: 'Run `toolwright generate` and start the server again: this process may not make code from texts.',
    cause,
  });
}
