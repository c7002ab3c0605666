// In: a value, and what it belongs to. Out: one line of text without its end, and back. Sealed where there is a key.

import { parseJson } from '../../../schema/json-text.js';
import { makeBox, secretOf } from '../../call/context/sealed-box.js';

export interface Vault {
  readonly isSealed: boolean;
  close(value: unknown, belongs: string): string;
  /** Undefined: it is torn, or sealed with another key or for something else. */
  open(line: string, belongs: string): unknown;
}

/**
 * What was written without a key opens with one, too: somebody who sets one has tasks already.
 *
 * @example const vault = makeVault(readStateKey(env['TOOLWRIGHT_STATE_KEY']).value);
 */
export function makeVault(key: string | undefined): Vault {
  const box = key === undefined ? undefined : makeBox(secretOf('tasks', key));
  return {
    isSealed: box !== undefined,
    close(value, belongs) {
      const text = JSON.stringify(value);
      return box === undefined ? text : box.close(Buffer.from(text), Buffer.from(belongs)).toString('base64url');
    },
    open(line, belongs) {
      if (line.startsWith('{')) return parseJson(line);
      const plain = box?.open(Buffer.from(line, 'base64url'), Buffer.from(belongs));
      return plain === undefined ? undefined : parseJson(plain.toString('utf8'));
    },
  };
}
