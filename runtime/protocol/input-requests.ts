// In: questions of a call. Out: the protocol's requests for them, and which capabilities of a client these need.
import { isMap } from '../../schema/document.js';
import type { Question } from '../call/ports.js';

export interface InputRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** As 2026-07-28 embeds it into a result, and as a client of 2025 gets it. */
export function toInputRequest(question: Question): InputRequest {
  switch (question.kind) {
    case 'elicit': {
      const mode = question.params['mode'] ?? (question.params['url'] === undefined ? 'form' : 'url');
      return { method: 'elicitation/create', params: { ...question.params, mode } };
    }
    case 'sample':
      return { method: 'sampling/createMessage', params: question.params };
    case 'roots':
      return { method: 'roots/list' };
    default:
      return question satisfies never;
  }
}

/**
 * The capabilities that a request needs and a client has not declared, in the protocol's shape; undefined where all are there.
 *
 * @example findUndeclared({ method: 'roots/list' }, {}) // { roots: {} }
 */
export function findUndeclared({ method, params }: InputRequest, declared: unknown): object | undefined {
  const [name, member] = neededFor(method, params);
  const own = isMap(declared) ? declared[name] : undefined;
  if (own === undefined) return { [name]: member === undefined ? {} : { [member]: {} } };
  if (member === undefined || !isMap(own) || own[member] !== undefined) return undefined;
  // Who says nothing about forms and addresses takes forms.
  if (member === 'form' && own['url'] === undefined) return undefined;
  return { [name]: { [member]: {} } };
}

function neededFor(
  method: string,
  params: InputRequest['params'],
): readonly [capability: string, member: string | undefined] {
  switch (method) {
    case 'elicitation/create':
      return ['elicitation', params?.['mode'] === 'url' ? 'url' : 'form'];
    case 'sampling/createMessage':
      return [
        'sampling',
        params?.['tools'] === undefined && params?.['toolChoice'] === undefined ? undefined : 'tools',
      ];
    default:
      return ['roots', undefined];
  }
}
