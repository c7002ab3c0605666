// In: a tool without usable generated validators. Out: validators made by ajv now, equal to the generated ones.
import type { Tool } from '../load/program.js';
import type { Validate, Validators } from './ports.js';
import { ToolError } from './tool-error.js';
import { type Compile, loadCompiler, type Role } from './validator-compiler.js';

/**
 * Compiles the validators of one tool. Throws a ToolError (NEEDS_GENERATE) where the process may not make code from texts.
 *
 * @example const { input } = await compileValidators(tool);
 */
export async function compileValidators(
  tool: Pick<Tool, 'item' | 'inputSchema' | 'outputSchema'>,
): Promise<Validators> {
  const start = await loadCompiler(() => ({ optimize: false }));
  const compile = start();
  const input = compileRole(tool, 'input', compile);
  return tool.outputSchema === undefined ? { input } : { input, output: compileRole(tool, 'output', compile) };
}

function compileRole(tool: Parameters<typeof compileValidators>[0], role: Role, compile: Compile): Validate {
  const validate = compileOrExplain(tool, role, compile);
  // ajv's own keyword makes it answer with a promise, which would pass for a valid value.
  if (Object.hasOwn(validate, '$async')) throw unusable(tool.item, role, '"$async" is no keyword of JSON Schema');
  return validate as Validate;
}

function compileOrExplain(tool: Parameters<typeof compileValidators>[0], role: Role, compile: Compile) {
  try {
    return compile(role === 'input' ? tool.inputSchema : tool.outputSchema, role);
  } catch (cause) {
    if (cause instanceof EvalError) throw needsGenerate(tool.item, cause);
    const message = cause instanceof Error ? cause.message : String(cause);
    // ajv adds the name under which it knows the schema, which tells an author nothing.
    throw unusable(tool.item, role, message.replace(/ from id \S*$/, ''), cause);
  }
}

function unusable(item: string, role: Role, reason: string, cause?: unknown): Error {
  return new Error(`the ${role} schema of ${item} cannot be compiled: ${reason}`, { cause });
}

function needsGenerate(item: string, cause: unknown): ToolError {
  return new ToolError(`${item} has no generated validators of its present definition, and none can be made here`, {
    code: 'NEEDS_GENERATE',
    status: 500,
    suggestedFix: 'Run `toolwright generate` and start the server again: this process may not make code from texts.',
    cause,
  });
}
