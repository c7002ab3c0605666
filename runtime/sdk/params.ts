// What the params of each request must look like. Checked here and not by the SDK, whose answer to wrong ones is -32603.
import { isMap } from '../../schema/document.js';
import type { LogLevel } from '../call/ports.js';
import { logLevels } from '../protocol/envelope.js';
import type { CompletionQuery } from '../surface/surface.js';

type Fields = Readonly<Record<string, unknown>>;

/** A Standard Schema without a library behind it: what the SDK's setRequestHandler takes. */
export interface ParamsSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: T; readonly output: T };
    readonly validate: (
      value: unknown,
    ) => { readonly value: T } | { readonly issues: readonly { readonly message: string }[] };
  };
}

function schemaOf<T>(read: (params: Fields) => T | string): ParamsSchema<T> {
  const validate: ParamsSchema<T>['~standard']['validate'] = params => {
    const value = read(isMap(params) ? params : {});
    return typeof value === 'string' ? { issues: [{ message: value }] } : { value };
  };
  return { '~standard': { version: 1, vendor: 'toolwright', validate } };
}

const listParams = schemaOf<{ readonly cursor?: string }>(({ cursor }) => {
  if (cursor === undefined) return {};
  return typeof cursor === 'string' ? { cursor } : 'cursor must be a string';
});

const namedParams = schemaOf<{ readonly name: string; readonly args: Fields }>(params => {
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string') return 'name must be a string';
  return isMap(args) ? { name, args } : 'arguments must be an object';
});

const uriParams = schemaOf<{ readonly uri: string }>(({ uri }) =>
  typeof uri === 'string' ? { uri } : 'uri must be a string',
);

const levelParams = schemaOf<{ readonly level: LogLevel }>(params => {
  const level = logLevels.find(name => name === params['level']);
  return level === undefined ? `level must be one of ${logLevels.join(', ')}` : { level };
});

const completeParams = schemaOf<CompletionQuery>(({ ref, argument, context }) => {
  const named = isMap(argument) ? argument : {};
  const { name, value } = named;
  if (typeof name !== 'string' || typeof value !== 'string') return 'argument needs a name and a value';
  const others = isMap(context) && context['arguments'] !== undefined ? context['arguments'] : {};
  if (!isMap(others) || !Object.values(others).every(other => typeof other === 'string')) {
    return 'context.arguments must be an object of strings';
  }
  const given = { argument: { name, value }, context: others as Readonly<Record<string, string>> };
  if (isMap(ref) && ref['type'] === 'ref/prompt' && typeof ref['name'] === 'string') {
    return { ref: { type: 'ref/prompt', name: ref['name'] }, ...given };
  }
  if (isMap(ref) && ref['type'] === 'ref/resource' && typeof ref['uri'] === 'string') {
    return { ref: { type: 'ref/resource', uri: ref['uri'] }, ...given };
  }
  return 'ref must name a prompt or a resource';
});

/** By the kind of request. */
export const paramsOf = {
  list: { params: listParams },
  named: { params: namedParams },
  uri: { params: uriParams },
  level: { params: levelParams },
  complete: { params: completeParams },
} as const;
