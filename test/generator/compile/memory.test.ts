// The one memory of check and generate: what it gives back is what was put in, whatever happens to its file; or nothing.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Memory, openMemory } from '../../../cli/memory/memory.js';

let home: string;
const pack = '/packs/é demo';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toolwright-memory-'));
  vi.stubEnv('TOOLWRIGHT_CACHE', home);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

function fileOf(): string {
  const [name = ''] = readdirSync(join(home, 'memory-1'));
  return join(home, 'memory-1', name);
}

const awkward = ['', 'a\nb\r\n\u2028', '"\\', 'é漢😀\ud800', '__proto__'];

function fill(memory: Memory): void {
  for (const [index, text] of awkward.entries()) memory.set(`key-${index}`, [{ [text]: text, list: [index, null] }]);
  memory.keepResult('run', { ok: true, text: awkward }, () => ({}));
  memory.save();
}

function readAll(memory = openMemory(pack)): readonly unknown[] {
  return [...awkward.map((_, index) => memory.get(`key-${index}`)), memory.recallResult('run')];
}

it('P11 the memory returns what was kept only to the same pack and compiler', () => {
  const first = openMemory(pack);
  fill(first);
  const kept = readAll(first);
  expect(kept).not.toContain(undefined);
  expect(readAll()).toEqual(kept);
  const others = [openMemory('/packs/other'), openMemory(pack, 'another build')];
  for (const other of others) expect(new Set(readAll(other))).toEqual(new Set([undefined]));
  expect(openMemory(pack).recallResult('another run')).toBeUndefined();
});

it('P11 the memory is readable by its owner alone and keeps nothing when it is off', () => {
  fill(openMemory(pack));
  expect([statSync(fileOf()).mode & 0o777, statSync(join(home, 'memory-1')).mode & 0o777]).toEqual([0o600, 0o700]);
  vi.stubEnv('TOOLWRIGHT_CACHE', 'off');
  const off = openMemory(pack);
  off.set('a', [1]);
  off.keepResult('run', 1, () => expect.unreachable());
  off.save();
  expect([off.get('a'), off.recallResult('run')]).toEqual([undefined, undefined]);
});

it('P11 a remembered result counts only as long as its fingerprints, and none is kept without them', () => {
  const file = join(home, 'file');
  const memory = openMemory(pack);
  memory.keepResult('missing', 1, () => ({ [file]: 'none: ENOENT' }));
  memory.keepResult('changed meanwhile', 2, () => undefined);
  memory.save();
  const names = ['missing', 'changed meanwhile'];
  expect(names.map(name => openMemory(pack).recallResult(name))).toEqual([1, undefined]);
  writeFileSync(file, '');
  expect(names.map(name => openMemory(pack).recallResult(name))).toEqual([undefined, undefined]);
});

it('P11 the memory finds damage in any byte and loses only what was hit', () => {
  const memory = openMemory(pack);
  fill(memory);
  const kept = readAll(memory);
  const bytes = readFileSync(fileOf());
  const newline = 0x0a;
  // The first line says whose memory it is; a byte elsewhere can make one entry of two, or give one the name of another.
  const mayLose = (at: number): number => (at <= bytes.indexOf(newline) ? kept.length : 2);
  for (let at = 0; at < bytes.length; at += 1) {
    for (const other of [newline, 0x20, (bytes[at] ?? 0) ^ 1]) {
      if (other === bytes[at]) continue;
      const damaged = Buffer.from(bytes);
      damaged[at] = other;
      writeFileSync(fileOf(), damaged);
      const left = readAll().flatMap((value, index) => (value === undefined ? [] : [[index, value]]));
      expect(left).toEqual(left.map(([index]) => [index, kept[Number(index)]]));
      expect(kept.length - left.length).toBeGreaterThan(0);
      expect(kept.length - left.length).toBeLessThanOrEqual(mayLose(at));
    }
    writeFileSync(fileOf(), bytes.subarray(0, at));
    for (const [index, value] of readAll().entries()) if (value !== undefined) expect(value).toEqual(kept[index]);
  }
  for (const text of ['', '\n', '{}\n', ' \n', `${'x'.repeat(100)}\n`]) {
    writeFileSync(fileOf(), text);
    fill(openMemory(pack));
    expect(readAll()).toEqual(kept);
  }
});

it('P11 a memory file that cannot be read or written does not fail a command', () => {
  fill(openMemory(pack));
  const file = fileOf();
  rmSync(file);
  mkdirSync(file);
  const memory = openMemory(pack);
  fill(memory);
  expect(readAll(memory)).not.toContain(undefined);
  expect(new Set(readAll())).toEqual(new Set([undefined]));
});

it('P11 the memory forgets what has not been used for long and keeps what was used last', () => {
  const large = 'x'.repeat(100_000);
  for (let round = 0; round < 100; round += 1) {
    const memory = openMemory(pack);
    memory.get('constant');
    memory.set('constant', [large]);
    memory.set(`once-${round}`, [large]);
    memory.save();
  }
  const memory = openMemory(pack);
  expect([memory.get('constant'), memory.get('once-99'), memory.get('once-0')]).toEqual([[large], [large], undefined]);
  expect(statSync(fileOf()).size).toBeLessThan(6_000_000);
});

it('P11 two commands at once lose at most what one of them found out', () => {
  const [one, other] = [openMemory(pack), openMemory(pack)];
  one.set('one', [1]);
  other.set('other', [2]);
  one.save();
  other.save();
  expect([openMemory(pack).get('one'), openMemory(pack).get('other')]).toEqual([undefined, [2]]);
});
