// The disk as Node tells of it: what it gets wrong is mended before anybody reads it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { nodeDisk, reasonOf } from '../../../generator/compile/apply-disk.js';

vi.mock('node:fs', async original => {
  const fs = await original<typeof import('node:fs')>();
  const fail = (code: string): never => {
    throw Object.assign(new Error(code), { code });
  };
  // As on a read-only file system: asked for all folders at once, Node says that the one above is missing.
  const mkdirSync = (_: string, options?: { recursive?: boolean }): never =>
    fail(options?.recursive ? 'ENOENT' : 'EROFS');
  return { ...fs, mkdirSync };
});

it('P11 a read-only file system is reported as one, even when a folder cannot be made', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-disk-'));
  try {
    nodeDisk.makeFolder(join(folder, 'a/b'));
    expect.unreachable();
  } catch (error) {
    expect(reasonOf(error)).toBe('the file system is read-only (EROFS)');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
