// examples/github: what was imported and improved by hand holds together, without the document and without a network.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyExample, run } from '../slow/e2e/ports/originals.js';

const main = join(import.meta.dirname, '../../dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-github-'));
let pack: string;

beforeAll(() => {
  pack = copyExample('github', folder);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('examples/github', () => {
  it('I4 its twenty tools are those that its record knows, under the names that they have now', () => {
    const { sources } = JSON.parse(readFileSync(join(pack, 'toolwright.import.json'), 'utf8'));
    const recorded = Object.keys(sources.github.items).filter(name => name.startsWith('tool '));
    const files = readdirSync(join(pack, 'mcp/tools')).map(file => `tool ${file.replace('.yaml', '')}`);
    expect(recorded).toHaveLength(20);
    expect(recorded).toEqual(files.toSorted());
  });

  it('I1 nothing is wrong with it, and its code is up to date', { timeout: 60_000 }, () => {
    run(pack, 'check', '--strict');
    run(pack, 'generate', '--check');
    run(pack, 'typecheck');
  });

  it('I1 its examples pass against the stand-in, which ends with them', { timeout: 60_000 }, () => {
    const words = ['stand-in.mjs', process.execPath, main, 'test', '--reporter', 'json'];
    // What somebody has set for the real service is not for tests.
    const env = { ...process.env, GITHUB_TOKEN: 'the-real-token', GITHUB_URL: 'https://api.github.com' };
    const { status, stdout } = spawnSync(process.execPath, words, { cwd: pack, env, encoding: 'utf8' });
    const { ok, tests } = JSON.parse(stdout) as { ok: boolean; tests: readonly { status: string }[] };
    expect([status, ok]).toEqual([0, true]);
    expect(tests.length).toBeGreaterThan(40);
    expect(tests.filter(one => one.status !== 'passed')).toEqual([]);
  });

  it('I1 a command that fails beside the stand-in fails with its status', () => {
    const words = ['stand-in.mjs', process.execPath, '-e', 'process.exit(7)'];
    expect(spawnSync(process.execPath, words, { cwd: pack }).status).toBe(7);
  });
});
