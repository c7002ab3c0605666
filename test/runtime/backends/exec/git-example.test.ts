// examples/git in repositories that are odd: without commits, detached, bare, large, with names that nobody would choose.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRegistry } from '../../../../runtime/index.js';

const root = join(import.meta.dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-git-'));
const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'a@b',
};
const env = { ...process.env, ...identity, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

function git(repository: string, ...words: readonly string[]): void {
  const { status, stderr } = spawnSync('git', words, { cwd: join(folder, repository), env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`);
}

const names = ['a b.txt', 'grün 日本.txt', '-rf', ':(top)x', '*.txt', '--output=stolen'];

beforeAll(() => {
  git('.', 'init', '-q', '-b', 'main', 'empty');
  git('.', 'init', '-q', '-b', 'main', 'odd');
  for (const name of names) writeFileSync(join(folder, 'odd', name), `text of ${name}\n`);
  writeFileSync(join(folder, 'odd', 'new\nline'), 'x\n');
  writeFileSync(join(folder, 'odd', 'large'), 'a line\n'.repeat(40_000));
  writeFileSync(join(folder, 'odd', 'image'), Buffer.from([0, 1, 2, 255, 254, 10]));
  git('odd', 'add', '-A');
  git('odd', 'commit', '-q', '-m', 'first: ünï "q"');
  git('odd', 'branch', 'feature/ü');
  git('odd', 'checkout', '-q', '--detach');
  git('.', 'clone', '-q', '--bare', 'odd', 'bare');
  git('.', 'init', '-q', '-b', 'main', 'super');
  git('super', '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../odd', 'sub');
  git('super', 'commit', '-q', '-m', 'with a submodule');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The lines of an answer, its text, or the code of its error. */
async function answer(repository: string, tool: string, args: object = {}): Promise<unknown> {
  await using registry = await createRegistry(join(root, 'examples/git'), {
    env: { PATH: process.env['PATH'], REPO: join(folder, repository) },
    report: () => undefined,
  });
  const done = await registry.invoke(tool, args);
  if (!done.ok) return done.error.code;
  const { structuredContent, content } = done.result;
  const [first] = content;
  return (structuredContent as { items?: unknown } | undefined)?.items ?? (first?.type === 'text' ? first.text : '');
}

describe('examples/git', () => {
  it('B3 its examples pass', { timeout: 60_000 }, () => {
    const words = [join(root, 'dist/cli/main.js'), 'test', '--reporter', 'json'];
    const { status, stdout } = spawnSync(process.execPath, words, {
      cwd: join(root, 'examples/git'),
      env: { ...env, REPO: join(folder, 'odd') },
      encoding: 'utf8',
    });
    const { tests } = JSON.parse(stdout) as { tests: readonly { status: string }[] };
    expect({ status, others: tests.filter(one => one.status !== 'passed') }).toEqual({ status: 0, others: [] });
    expect(tests.length).toBeGreaterThan(15);
  });

  it('B3 a repository without commits has a status, and no history', async () => {
    expect(await answer('empty', 'status')).toEqual(['## No commits yet on main']);
    expect(await answer('empty', 'branches')).toBe('');
    expect(await answer('empty', 'log')).toBe('UNKNOWN_REVISION');
    expect(await answer('empty', 'diff')).toBe('UNKNOWN_REVISION');
    expect(await answer('empty', 'grep', { pattern: 'x' })).toBe('');
  });

  it('B3 a detached, a bare and a nested repository answer', async () => {
    expect(await answer('odd', 'status')).toEqual(['## HEAD (no branch)']);
    expect(await answer('bare', 'log')).toEqual([
      expect.stringMatching(/^[0-9a-f]+ \d{4}-\d\d-\d\d Ada: first: ünï "q"$/),
    ]);
    expect(await answer('bare', 'show', { revision: 'HEAD:a b.txt' })).toBe('text of a b.txt');
    expect(await answer('bare', 'status')).toBe('NO_REPOSITORY');
    expect(await answer('super', 'diff')).toBe('');
    expect(await answer('super', 'show', { revision: 'HEAD', paths: ['sub'] })).toContain('Subproject commit');
  });

  it.each(names)('B3 a file that is called %s can be found, shown and blamed', async name => {
    expect(await answer('odd', 'grep', { pattern: `text of ${name}`, literal: true })).toEqual([
      `${name}:1:text of ${name}`,
    ]);
    expect(await answer('odd', 'show', { revision: `HEAD:${name}` })).toBe(`text of ${name}`);
    expect(await answer('odd', 'log', { paths: [name] })).toHaveLength(1);
    expect(await answer('odd', 'show', { revision: 'HEAD', paths: [name], summary: true })).toMatch(/ 1 file changed/);
    expect(await answer('odd', 'blame', { path: name })).toEqual([expect.stringContaining(`text of ${name}`)]);
  });

  it('B3 what is large is limited, and a binary file is text that clients can read', async () => {
    expect(await answer('odd', 'blame', { path: 'large', line: 39_999 })).toHaveLength(2);
    expect(await answer('odd', 'blame', { path: 'large' })).toHaveLength(40);
    expect(await answer('odd', 'grep', { pattern: 'a line' })).toHaveLength(50);
    expect(String(await answer('odd', 'show', { revision: 'HEAD:large' }))).toContain('characters were cut');
    expect(await answer('odd', 'show', { revision: 'HEAD:image' })).toBe('\0\u0001\u0002\ufffd\ufffd');
  });

  it('B3 the settings of a repository run no program', async () => {
    const mark = join(folder, 'mark');
    const settings = {
      'core.fsmonitor': `touch ${mark}; false`,
      'diff.external': `touch ${mark}`,
      'gpg.program': mark,
    };
    git('.', 'clone', '-q', 'odd', 'armed');
    for (const [key, value] of Object.entries({
      ...settings,
      'log.showSignature': 'true',
      'diff.x.textconv': `touch ${mark};`,
    }))
      git('armed', 'config', key, value);
    writeFileSync(join(folder, 'armed/.gitattributes'), '* diff=x\n');
    writeFileSync(join(folder, 'armed/a b.txt'), 'changed\n');
    const calls = {
      status: {},
      diff: {},
      log: {},
      show: { revision: 'HEAD' },
      blame: { path: 'a b.txt' },
      grep: { pattern: 'text' },
      branches: {},
    };
    for (const [tool, args] of Object.entries(calls)) {
      expect([tool, await answer('armed', tool, args)]).toEqual([tool, expect.not.stringMatching(/^[A-Z_]+$/)]);
      expect([tool, existsSync(mark)]).toEqual([tool, false]);
    }
  });
});
