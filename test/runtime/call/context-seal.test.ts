// The state that clients carry: nobody else can read, change, prolong, repeat or borrow it.
import { describe, expect, it } from 'vitest';
import { createSeal, readStateKey } from '../../../runtime/call/context/seal.js';
import type { Seal, StateOwner } from '../../../runtime/call/ports.js';
import { ProtocolError } from '../../../runtime/call/protocol-error.js';
import { isToolError } from '../../../runtime/call/tool-error.js';

const owner: StateOwner = { principal: 'alice', subject: 'tool:acme/t', args: { a: 1, b: [2] }, single: false };
const state = { answers: { size: { action: 'accept', content: { size: 'M' } } }, once: { order: [7] } };
const key = 'a key that all replicas know';

/** A refusal says the same whatever the reason was. */
function refusalOf(seal: Seal, sealed: string, as: StateOwner = owner): unknown {
  try {
    seal.open(sealed, as);
  } catch (error) {
    if (error instanceof ProtocolError) return [error.code, error.message, error.data];
    throw error;
  }
  return 'opened';
}
const refused = [-32602, 'Invalid or expired requestState', { reason: 'invalid_request_state' }];

describe('a sealed state', () => {
  it('C6 a sealed state opens for its owner, also on another replica with the same key', () => {
    const sealed = createSeal({ key, now: Date.now }).close(state, owner);
    expect(createSeal({ key, now: Date.now }).open(sealed, owner)).toEqual(state);
  });

  it('C6 a sealed state does not open with another key or with the random key of another process', () => {
    const sealed = createSeal({ key, now: Date.now }).close(state, owner);
    expect(refusalOf(createSeal({ key: `${key}!`, now: Date.now }), sealed)).toEqual(refused);
    const random = createSeal({ now: Date.now });
    expect(refusalOf(createSeal({ now: Date.now }), random.close(state, owner))).toEqual(refused);
    expect(random.open(random.close(state, owner), owner)).toEqual(state);
  });

  it('C6 a sealed state does not show answers and looks different each time', () => {
    const seal = createSeal({ key, now: Date.now });
    const secret = { answers: { password: { action: 'accept', content: { word: 'xyzzy-xyzzy' } } }, once: {} };
    const first = seal.close(secret, owner);
    expect(Buffer.from(first, 'base64url').toString('latin1')).not.toContain('xyzzy');
    expect(seal.close(secret, owner)).not.toBe(first);
    expect(first).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  it('C6 a sealed state belongs to one principal, one subject and the same arguments', () => {
    const seal = createSeal({ key, now: Date.now });
    const sealed = seal.close(state, owner);
    const others: readonly Partial<StateOwner>[] = [
      { principal: 'bob' },
      { principal: '' },
      { subject: 'tool:acme/u' },
      { subject: 'prompt:acme/t' },
      { args: { a: 1, b: [3] } },
      { args: { a: 1 } },
      { args: { a: '1', b: [2] } },
      { args: undefined },
    ];
    for (const other of others) expect(refusalOf(seal, sealed, { ...owner, ...other })).toEqual(refused);
    // The order of keys says nothing; no arguments are empty arguments.
    expect(seal.open(sealed, { ...owner, args: { b: [2], a: 1 } })).toEqual(state);
    expect(seal.open(seal.close(state, { ...owner, args: undefined }), { ...owner, args: {} })).toEqual(state);
  });

  it('C6 parts of the owner of a state cannot be shifted into each other', () => {
    const seal = createSeal({ key, now: Date.now });
    const sealed = seal.close(state, { ...owner, principal: 'a', subject: 'b' });
    expect(refusalOf(seal, sealed, { ...owner, principal: 'a","b', subject: '' })).toEqual(refused);
  });

  it('C6 a sealed state cannot be changed in any place, shortened or prolonged', () => {
    const seal = createSeal({ key, now: Date.now });
    const sealed = seal.close(state, owner);
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      expect(refusalOf(seal, sealed.slice(0, at) + other + sealed.slice(at + 1))).toEqual(refused);
    }
    for (const forged of ['', 'A', sealed.slice(0, -1), sealed.slice(0, 20), `${sealed}A`, `${sealed}-TAMPERED`]) {
      expect(refusalOf(seal, forged)).toEqual(refused);
    }
    // What decoders skip over is no less a change.
    for (const forged of [`${sealed}=`, `${sealed}\n`, ` ${sealed}`, `${sealed}!`, 'A'.repeat(1_000_000), '\0', '💥']) {
      expect(refusalOf(seal, forged)).toEqual(refused);
    }
    expect(refusalOf(seal, undefined as never)).toEqual(refused);
    expect(refusalOf(seal, {} as never)).toEqual(refused);
    expect(seal.open(sealed, owner)).toEqual(state);
  });

  it('C6 a sealed state expires', () => {
    let now = 1_000_000;
    const seal = createSeal({ key, ttlSeconds: 60, now: () => now });
    const sealed = seal.close(state, owner);
    now += 59_999;
    expect(seal.open(sealed, owner)).toEqual(state);
    now += 1;
    expect(refusalOf(seal, sealed)).toEqual(refused);
  });

  it('C6 a sealed state of a destructive tool opens once', () => {
    const seal = createSeal({ key, now: Date.now });
    const once = { ...owner, single: true };
    const [first, second] = [seal.close(state, once), seal.close(state, once)];
    expect(seal.open(first, once)).toEqual(state);
    expect(refusalOf(seal, first, once)).toEqual(refused);
    expect(seal.open(second, once)).toEqual(state);
  });

  it('fix-A7 a state of a destructive tool does not open after a restart, but others do, and on replicas that ran before', () => {
    let time = 1000;
    const now = () => time;
    const key = 'the same key for all of them';
    const first = createSeal({ key, now });
    const replica = createSeal({ key, now });
    const single = { ...owner, single: true };
    const state = { answers: { size: 'M' }, once: {} };
    time += 10;
    const [used, unused, plain] = [first.close(state, single), first.close(state, single), first.close(state, owner)];
    expect(first.open(used, single)).toEqual(state);
    time += 10;
    const restarted = createSeal({ key, now });
    expect(() => restarted.open(used, single)).toThrow('Invalid or expired requestState');
    // Nobody knows whether it was used, so that the user is asked again.
    expect(() => restarted.open(unused, single)).toThrow('Invalid or expired requestState');
    expect(restarted.open(plain, owner)).toEqual(state);
    expect(replica.open(unused, single)).toEqual(state);
    expect(restarted.open(restarted.close(state, single), single)).toEqual(state);
  });

  it('C6 a used state stays used, however many others are used after it', () => {
    let now = 0;
    const seal = createSeal({ key, ttlSeconds: 1000, now: () => now });
    const once = { ...owner, single: true };
    const used = seal.close(state, once);
    const waiting = seal.close(state, once);
    seal.open(used, once);
    for (let index = 0; index < 10_001; index += 1) {
      now += 1;
      seal.open(seal.close({ answers: {}, once: {} }, once), once);
    }
    expect(refusalOf(seal, used, once)).toEqual(refused);
    // Its age is that of what was forgotten: rather asked again than run twice.
    expect(refusalOf(seal, waiting, once)).toEqual(refused);
    expect(seal.open(seal.close(state, once), once)).toEqual(state);
  });

  it('C6 a sealed state holds names that mean something to JavaScript', () => {
    const seal = createSeal({ key, now: Date.now });
    const odd = { answers: Object.fromEntries([['__proto__', { action: 'decline' }]]), once: {} };
    const opened = seal.open(seal.close(odd, owner), owner);
    expect(Object.entries(opened.answers)).toEqual([['__proto__', { action: 'decline' }]]);
  });

  it('C6 a sealed state that would be too large is a clear error', () => {
    const seal = createSeal({ key, now: Date.now });
    const close = (length: number): string => seal.close({ answers: { x: 'x'.repeat(length) }, once: {} }, owner);
    const sealed = close(250_000);
    expect(seal.open(sealed, owner).answers['x']).toHaveLength(250_000);
    let problem: unknown;
    try {
      close(270_000);
    } catch (error) {
      problem = error;
    }
    expect(isToolError(problem) && problem.code).toBe('STATE_TOO_LARGE');
    expect(String(problem)).toContain('262144');
  });

  it('C6 arguments nested beyond reason are a protocol error, not a crash', () => {
    let deep: unknown = 1;
    for (let index = 0; index < 100_000; index += 1) deep = [deep];
    const seal = createSeal({ key, now: Date.now });
    expect(() => seal.close(state, { ...owner, args: { deep } })).toThrow('nested too deep');
  });
});

describe('TOOLWRIGHT_STATE_KEY', () => {
  it('C6 a short TOOLWRIGHT_STATE_KEY is an error that does not show it, and an empty one is ignored', () => {
    const { value, diagnostics } = readStateKey('too-short');
    expect(value).toBeUndefined();
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['runtime/state-key', 'error']]);
    expect(diagnostics[0]?.message).not.toContain('too-short');
    expect(readStateKey(' ')).toEqual({ value: undefined, diagnostics: [] });
    expect(readStateKey(undefined)).toEqual({ value: undefined, diagnostics: [] });
    expect(readStateKey(`${key}\n`)).toEqual({ value: key, diagnostics: [] });
    expect(() => createSeal({ key: 'short', now: Date.now })).toThrow(RangeError);
  });
});
