// What the system does not allow: one line that names the file and the reason, exit code 1, and nothing is half written. That is no
// bug of ours, whatever the command.
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeSystemError } from '../../cli/terminal/report-error.js';
import { runUnprivileged, unprivileged } from '../harness/unprivileged.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-permissions-'));
chmodSync(folder, 0o755);
const made: string[] = [];

afterAll(() => {
  for (const path of made) chmodSync(path, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

interface World {
  readonly home: string;
  readonly pack: string;
  run(...words: readonly string[]): {
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  };
  /** Files by their paths from the folder of both; all belong to whoever runs the commands. */
  put(path: string, text: string): string;
  forbid(path: string, mode: number): string;
}

let count = 0;
const makeWorld = (): World => {
  count += 1;
  const root = join(folder, String(count));
  const [home, pack] = [join(root, 'home'), join(root, 'pack')];
  const own = (path: string): string => {
    if (unprivileged.uid !== undefined) chownSync(path, unprivileged.uid, unprivileged.gid ?? -1);
    return path;
  };
  const make = (path: string): void => {
    if (path === folder) return;
    make(dirname(path));
    mkdirSync(path, { recursive: true });
    own(path);
  };
  const put = (path: string, text: string): string => {
    const file = join(root, path);
    make(dirname(file));
    writeFileSync(file, text);
    return own(file);
  };
  make(home);
  put('pack/toolwright.yaml', 'description: P\n');
  put('pack/mcp/tools.yaml', 'a: { description: A }\n');
  put('pack/mcp/servers/main.yaml', 'description: M\n');
  return {
    home,
    pack,
    put,
    run(...words) {
      const env = { ...process.env, HOME: home, XDG_STATE_HOME: '', XDG_CONFIG_HOME: '', TOOLWRIGHT_CACHE: 'off' };
      const { status, stdout, stderr } = runUnprivileged(words, { cwd: pack, env });
      return { status, stdout, stderr };
    },
    forbid(path, mode) {
      const full = join(root, path);
      made.push(full);
      make(dirname(full));
      chmodSync(full, mode);
      return full;
    },
  };
};
const refused = (path: string) => ({
  status: 1,
  stdout: '',
  stderr: `toolwright: ${path}: permission denied (EACCES)\n`,
});
const filesIn = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => entry.name);

describe.skipIf(process.platform === 'win32')('commands without permission', () => {
  it('P22 `docs` reports a read-only pack and leaves the README as it was', () => {
    const { put, forbid, run } = makeWorld();
    const text = '<!-- toolwright:tools -->\n<!-- /toolwright -->\n';
    const readme = put('pack/README.md', text);
    forbid('pack', 0o555);
    expect(run('docs')).toEqual(refused(readme));
    expect(readFileSync(readme, 'utf8')).toBe(text);
  });

  it('P11 `generate` reports a folder that cannot be listed as a diagnostic and takes no stub for missing', () => {
    const { pack, forbid, run } = makeWorld();
    run('generate');
    const codesOf = (stdout: string): readonly string[] =>
      (JSON.parse(stdout) as { diagnostics: { code: string; file: string }[] }).diagnostics.map(
        ({ code, file }) => `${code} ${file}`,
      );
    const closed = forbid('pack/generated/tools', 0o000);
    for (const words of [['generate'], ['generate', '--check'], ['typecheck']]) {
      const { status, stdout, stderr } = run(...words, '--format', 'json');
      expect([status, stderr, codesOf(stdout)[0]]).toEqual([1, '', 'read/failed generated/tools']);
    }
    chmodSync(closed, 0o755);
    rmSync(join(pack, 'src'), { recursive: true });
    forbid('pack', 0o555);
    const { status, stdout } = run('generate', '--format', 'json');
    expect([status, codesOf(stdout)]).toEqual([1, ['generate/write-failed src/tools']]);
  });

  it('P22 `init` reports a package.json that cannot be read and writes nothing', () => {
    const { put, forbid, run, home } = makeWorld();
    put('home/package.json', '{}');
    const file = forbid('home/package.json', 0o000);
    expect(run('init', '--yes', '--cwd', home)).toEqual(refused(file));
    expect(filesIn(home)).toEqual(['package.json']);
  });

  it('P25 `install` reports a read-only folder of the project and records nothing', () => {
    const { put, forbid, run, home } = makeWorld();
    const file = put('pack/.cursor/mcp.json', '{}');
    forbid('pack/.cursor', 0o555);
    expect(run('install', 'cursor', '--project')).toEqual(refused(file));
    expect(readFileSync(file, 'utf8')).toBe('{}');
    expect(filesIn(home)).toEqual([]);
  });

  it('P25 `install` does not touch a file that it could not restore', () => {
    const { put, forbid, run, home } = makeWorld();
    const settings = put('home/.config/zed/settings.json', '{}');
    put('home/.local/state/other', '');
    forbid('home/.local/state', 0o555);
    const { status, stderr } = run('install', 'zed');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^toolwright: .*\/\.local\/state\/toolwright.*: permission denied \(EACCES\)\n$/);
    expect(readFileSync(settings, 'utf8')).toBe('{}');
    expect(filesIn(home).toSorted()).toEqual(['other', 'settings.json']);
  });

  it.each([
    ['that it made', undefined],
    ['that was there', '{ }'],
  ])(
    'P25 `uninstall` reports a read-only folder with a file %s, and works once the folder is writable',
    (_, before) => {
      const { put, forbid, run, home } = makeWorld();
      if (before !== undefined) put('home/.cursor/mcp.json', before);
      expect(run('install', 'cursor').status).toBe(0);
      const file = join(home, '.cursor/mcp.json');
      const installed = readFileSync(file, 'utf8');
      forbid('home/.cursor', 0o555);
      expect(run('uninstall', 'cursor')).toEqual(refused(file));
      expect(readFileSync(file, 'utf8')).toBe(installed);
      forbid('home/.cursor', 0o755);
      expect(run('uninstall', 'cursor').status).toBe(0);
      expect(filesIn(home)).toEqual(before === undefined ? [] : ['mcp.json']);
      if (before !== undefined) expect(readFileSync(file, 'utf8')).toBe(before);
    },
  );
});

describe('`describeSystemError`', () => {
  const error = (fields: object): Error => Object.assign(new Error('x'), fields);

  it.each([
    ['EACCES', 'permission denied'],
    ['EPERM', 'not permitted'],
    ['EROFS', 'the file system is read-only'],
    ['ENOSPC', 'no space is left on the disk'],
    ['ENOTDIR', 'a folder above it is a file'],
    ['EISDIR', 'there is a folder with this name'],
    ['EMFILE', 'too many files are open'],
    ['EBUSY', 'another program is using it'],
    ['EXDEV', 'it lies on another file system'],
  ])('P22 `describeSystemError` explains %s in words, with the file', (code, words) => {
    expect(describeSystemError(error({ code, path: '/a\u001b', syscall: 'open' }))).toBe(`/a\\x1b: ${words} (${code})`);
  });

  it('P22 `describeSystemError` describes a full disk without a file', () => {
    expect(describeSystemError(error({ code: 'ENOSPC', syscall: 'write' }))).toBe(
      'no space is left on the disk (ENOSPC)',
    );
  });

  it.each([
    [{}],
    [{ code: 'ENOENT', path: '/a', syscall: 'open' }],
    [{ code: 'EACCES', syscall: 'kill' }],
    [{ code: 'ERR_INVALID_ARG_TYPE', path: '/a' }],
  ])('P22 `describeSystemError` leaves what may be our mistake to the report of bugs: %j', fields => {
    expect(describeSystemError(error(fields))).toBeUndefined();
    expect(describeSystemError(fields)).toBeUndefined();
  });
});
