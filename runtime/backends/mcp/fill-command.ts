// In: the command of a server as the manifest has it, and the configuration. Out: the command that is started.
import { makeFillText } from '../../../schema/backend/fill.js';
import { parseText } from '../../../schema/backend/text.js';
import type { McpBackendDefinition } from '../../../schema/definitions.js';
import type { Command } from '../../../schema/support/mcp/backends.js';

type Config = Readonly<Record<string, unknown>>;

/**
 * A list alone stands for several words, in a word it is joined by commas; what is not set drops its word or variable.
 *
 * @example fillCommand({ type: 'mcp', command: ['play', { if: 'CAPS', args: ['--caps={config.CAPS}'] }] }, { CAPS: ['pdf', 'vision'] })
 * // { command: 'play', args: ['--caps=pdf,vision'], env: {}, cwd: undefined }
 */
export function fillCommand({ command, cwd, env = {} }: McpBackendDefinition, config: Config): Command {
  const joined = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : value]),
  );
  const textOf = (text: string): string | undefined => {
    const value = makeFillText(text)({ args: {}, config: joined });
    return value === undefined ? undefined : String(value);
  };
  const wordsOf = (text: string): readonly string[] => {
    const [first, ...others] = parseText(text).parts;
    const isAlone = typeof first === 'object' && others.length === 0;
    const list = isAlone ? config[first.name] : undefined;
    if (Array.isArray(list)) return list.map(String);
    const word = textOf(text);
    return word === undefined ? [] : [word];
  };
  const [program = '', ...args] = (command ?? []).flatMap(word =>
    typeof word === 'string' ? wordsOf(word) : isSet(config[word.if]) ? word.args.flatMap(wordsOf) : [],
  );
  const variables = Object.entries(env).flatMap(([name, text]) => {
    const value = textOf(text);
    return value === undefined ? [] : [[name, value] as const];
  });
  const folder = cwd === undefined ? undefined : textOf(cwd);
  return {
    command: program,
    args,
    env: Object.fromEntries(variables),
    ...(folder === undefined ? {} : { cwd: folder }),
  };
}

/** What is off or empty is as if nobody had set it. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0);
}
