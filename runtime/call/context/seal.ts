// What clients carry between the rounds of a call, so that servers need not remember. In: a state and its owner. Out: a
// string that only this server (or one with the same key) can read, that opens for the same owner only, and not forever.

import { createHash, randomBytes } from 'node:crypto';
import { type Diagnostic, diagnose, type Outcome, startOf } from '../../../schema/diagnostics.js';
import { isMap } from '../../../schema/document.js';
import { canonicalJson } from '../../../schema/json-text.js';
import type { Seal, SealedState, StateOwner } from '../ports.js';
import { ProtocolError, protocolCodes } from '../protocol-error.js';
import { ToolError } from '../tool-error.js';
import { boxBytes, makeBox, nonceOf, secretOf } from './sealed-box.js';

/** Characters of a key that an operator sets. */
const shortestKey = 16;
/** Bytes of a state before it is sealed: answers and results are meant to be short. */
const largestState = 256 * 1024;
const longestSealed = Math.ceil(((largestState + boxBytes) * 4) / 3);
/** States of destructive tools that are remembered as used; each for as long as it would be valid. */
const mostUsed = 10_000;

export interface SealOptions {
  /** TOOLWRIGHT_STATE_KEY: the same for all replicas. Without it a random one, known to this process only. */
  readonly key?: string | undefined;
  readonly ttlSeconds?: number | undefined;
  /** In milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * The key as an operator set it; an empty one counts as none.
 *
 * @example const { value: key, diagnostics } = readStateKey(env['TOOLWRIGHT_STATE_KEY']);
 */
export function readStateKey(text: string | undefined): Outcome<string | undefined> {
  const key = text?.trim() ?? '';
  if (key === '') return { value: undefined, diagnostics: [] };
  if (key.length >= shortestKey) return { value: key, diagnostics: [] };
  const params = { length: key.length, least: shortestKey };
  const diagnostics: readonly Diagnostic[] = [diagnose('runtime/state-key', params, startOf('TOOLWRIGHT_STATE_KEY'))];
  return { value: undefined, diagnostics };
}

/**
 * Seals with AES-256-GCM: answers of users may be private, so that clients cannot even read them. A state that opens once
 * only is remembered in this process: one from before its start is refused, since an earlier process may have used it. Replicas do not
 * tell each other.
 *
 * @example const seal = createSeal({ key, now: Date.now });
 */
export function createSeal({ key, ttlSeconds = 900, now }: SealOptions): Seal {
  if (key !== undefined && key.length < shortestKey) throw new RangeError('the key of a seal is too short');
  const box = makeBox(key === undefined ? randomBytes(32) : secretOf('state', key));
  const used = createUsedOnce(now);
  const startedAt = now();
  return {
    close(state, owner) {
      const text = JSON.stringify({ answers: state.answers, once: state.once, until: now() + ttlSeconds * 1000 });
      const plain = Buffer.from(text, 'utf8');
      if (plain.length > largestState) throw tooLarge(plain.length);
      return box.close(plain, bindingOf(owner)).toString('base64url');
    },
    open(sealed, owner) {
      const bytes = decode(sealed);
      const plain = box.open(bytes, bindingOf(owner));
      if (plain === undefined) throw notOurs();
      const { until, ...state } = readState(plain.toString('utf8'));
      if (until <= now()) throw notOurs();
      if (owner.single && until - ttlSeconds * 1000 < startedAt) throw notOurs();
      if (owner.single && !used.take(nonceOf(bytes).toString('base64'), until)) throw notOurs();
      return state;
    },
  };
}

/** Every reason looks the same from outside: anyone who forges states learns nothing. */
function notOurs(): ProtocolError {
  return new ProtocolError(protocolCodes.invalidParams, 'Invalid or expired requestState', {
    reason: 'invalid_request_state',
  });
}

function tooLarge(bytes: number): ToolError {
  return new ToolError(
    `The answers and results so far have ${bytes} bytes; at most ${largestState} can be kept while a question is open`,
    {
      code: 'STATE_TOO_LARGE',
      status: 413,
      suggestedFix: 'Ask for less at a time, and let ctx.once return no more than is needed later.',
    },
  );
}

function decode(sealed: string): Buffer {
  if (typeof sealed !== 'string' || sealed.length > longestSealed) throw notOurs();
  const bytes = Buffer.from(sealed, 'base64url');
  // Decoding skips what is not base64; only the very text that was given out counts.
  if (bytes.toString('base64url') !== sealed) throw notOurs();
  return bytes;
}

function readState(text: string): SealedState & { readonly until: number } {
  // It was ours a moment ago, but perhaps of another version of this code.
  const value: unknown = JSON.parse(text);
  if (!isMap(value)) throw notOurs();
  const { answers, once, until } = value;
  if (!isMap(answers) || !isMap(once) || typeof until !== 'number') throw notOurs();
  return { answers, once, until };
}

/** Whom, what and which arguments, in one digest that is part of what the seal proves. */
function bindingOf({ principal, subject, args }: StateOwner): Buffer {
  try {
    // A client that sends no arguments in one round and empty ones in the next means the same.
    const owner = canonicalJson([principal, subject, args ?? {}]);
    return createHash('sha256').update(owner).digest();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ProtocolError(protocolCodes.invalidParams, 'The arguments are nested too deep');
  }
}

interface UsedOnce {
  /** True the first time. */
  take(nonce: string, until: number): boolean;
}

/**
 * Remembers what was used, oldest first. Where there are too many, the oldest are forgotten, and with them everything that
 * is as old is refused: rather ask a slow user again than run something twice.
 */
function createUsedOnce(now: () => number): UsedOnce {
  const seen = new Map<string, number>();
  let refusedUntil = 0;
  return {
    take(nonce, until) {
      for (const [old, end] of seen) {
        if (end > now() && seen.size < mostUsed) break;
        if (end > now()) refusedUntil = Math.max(refusedUntil, end);
        seen.delete(old);
      }
      if (until <= refusedUntil || seen.has(nonce)) return false;
      seen.set(nonce, until);
      return true;
    },
  };
}
