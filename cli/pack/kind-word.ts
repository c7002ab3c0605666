// In: the word that a person typed for a kind. Out: the kind.
import { type Kind, kinds } from '../../schema/definitions.js';
import { didYouMean } from '../../schema/nearest.js';
import { UsageError } from '../terminal/usage-error.js';

export function kindOf(word: string): Kind {
  const kind = kinds.find(one => one === word);
  if (kind !== undefined) return kind;
  const hint = didYouMean(word, kinds);
  throw new UsageError(
    `"${word}" is not a kind of item: write ${kinds.join(', ')}${hint === undefined ? '' : ` (${hint})`}`,
  );
}
