// In: a name that a client sent and nobody has. Out: the problem that it gets, with the name that it may have meant.
import { nearest } from '../../schema/nearest.js';
import { ProtocolProblem, protocolCodes } from '../call/protocol-problem.js';

/** Anyone who sends a megabyte as a name does not need to read it again. */
const mostChars = 200;
/** Searching more names costs more than the hint is worth. */
const mostNames = 1000;

/** W80: `names` are those that exist. */
export function unknownName(kind: 'tool' | 'prompt', name: string, names: Iterable<string>): ProtocolProblem {
  const didYouMean = nearest(name, [...names].slice(0, mostNames));
  const data = { name: clip(name), ...(didYouMean === undefined ? {} : { didYouMean }) };
  return new ProtocolProblem(protocolCodes.invalidParams, `Unknown ${kind}: ${clip(name)}`, data);
}

export function clip(text: string): string {
  return text.length > mostChars ? `${text.slice(0, mostChars)}...` : text;
}
