// What becomes of a client's file besides its text: its rights, its other names, its comments; and what is shown of it.
import { chmodSync, chownSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openBackups } from '../../generator/clients/backups.js';
import { changeFile } from '../../generator/clients/change-file.js';
import { writeText } from '../../generator/clients/client-file.js';
import { type Disk, nodeDisk } from '../../generator/compile/apply-disk.js';
import { openHome } from './install-home.js';

const world = openHome();
const { run, put } = world;
const install = (...args: readonly string[]) => run('install', 'cursor', 'project-management', ...args);
const uninstall = (...args: readonly string[]) => run('uninstall', 'cursor', 'project-management', ...args);
const text = (file: string): string => readFileSync(file, 'utf8');
const isRoot = process.getuid?.() === 0;

afterAll(() => world.remove());

describe('fix-A15 mode, owner and links of files', () => {
  it.each([0o600, 0o640, 0o664, 0o666, 0o644])(
    'fix-A15 `install` and `uninstall` keep a file mode of %o exactly, whatever the umask is',
    mode => {
      world.renew();
      const file = put('.cursor/mcp.json', '{}\n');
      chmodSync(file, mode);
      for (const step of [install, uninstall]) {
        expect(step()).toMatchObject({ status: 0 });
        expect(statSync(file).mode & 0o7777).toBe(mode);
      }
    },
  );

  it.runIf(isRoot)("fix-A15 `install` run by root leaves a user's file and folders to the user", () => {
    world.renew();
    const file = put('.cursor/mcp.json', '{}\n');
    for (const path of [world.path, dirname(file), file]) chownSync(path, 12_345, 12_346);
    expect(install()).toMatchObject({ status: 0 });
    const made = ['.cursor/mcp.json', '.local', '.local/state/toolwright/clients'].map(path => join(world.path, path));
    // Also where there was none.
    expect(run('install', 'kiro', 'project-management')).toMatchObject({ status: 0 });
    made.push(join(world.path, '.kiro/settings'), join(world.path, '.kiro/settings/mcp.json'));
    for (const path of made) {
      const { uid, gid } = statSync(path);
      expect({ path, uid, gid }).toEqual({ path, uid: 12_345, gid: 12_346 });
    }
  });

  it.runIf(isRoot)('fix-A15 a file whose owner cannot be kept is left alone', async () => {
    world.renew();
    const file = put('settings.json', 'a\n');
    const rights: Disk = {
      ...nodeDisk,
      // As for anybody but root.
      write: (path, content, asked) =>
        nodeDisk.write(path, content, asked?.uid === 12_345 ? { ...asked, uid: -2 } : asked),
    };
    chownSync(file, 12_345, 12_346);
    const change = changeFile(file, { locks: join(world.path, 'locks'), disk: rights }, async one =>
      one.replace('b\n'),
    );
    await expect(change).rejects.toMatchObject({ code: 'EOWNER' });
    expect(text(file)).toBe('a\n');
    expect(readdirSync(world.path).sort()).toEqual(['locks', 'settings.json']);
  });

  it('fix-A15 `install` and `uninstall` leave a read-only file alone and say why', () => {
    world.renew();
    const file = put('.cursor/mcp.json', '{}\n');
    chmodSync(file, 0o444);
    const { status, stderr } = install();
    expect(status).toBe(1);
    expect(stderr).toContain(`${file}: it is read-only. It was not changed.`);
    expect(stderr).toContain('hint: make it writable');
    expect(text(file)).toBe('{}\n');
    chmodSync(file, 0o644);
    install();
    const installed = text(file);
    chmodSync(file, 0o444);
    expect(uninstall()).toMatchObject({ status: 1, stderr: expect.stringContaining('it is read-only') });
    expect(text(file)).toBe(installed);
  });

  it('fix-A15 `install` says that other names of the file keep the old text', () => {
    world.renew();
    const file = put('.cursor/mcp.json', '{}\n');
    linkSync(file, join(world.path, 'dotfile.json'));
    expect(install()).toMatchObject({ status: 0, stderr: expect.stringContaining('had one more name (hard links)') });
    expect(text(join(world.path, 'dotfile.json'))).toBe('{}\n');
    expect(text(file)).toContain('jira');
  });
});

describe('fix-A15 comments beside the only entry', () => {
  it.each([
    ['cursor', '{\n  "mcpServers": {\n    // my servers\n    "mine": 1\n    /* the end */\n  }\n}\n'],
    ['vscode', '{\n  "servers": { // my servers\n    "mine": 1, }\n}\n'],
    ['goose', 'extensions: # mine\n  # more to come\n  mine: 1\nother: 1\n'],
    ['codex', '# first\n[mcp_servers.mine]\ncommand = "x"\n\n# last\n[other]\na = 1\n'],
  ])('fix-A15 comments stay in the file of %s when ours was the only entry', (client, before) => {
    world.renew();
    const file = join(world.path, 'settings');
    const own = (...args: readonly string[]) => run(args[0] ?? '', client, 'project-management', '--file', file);
    writeFileSync(file, before);
    expect(own('install')).toMatchObject({ status: 0 });
    // Somebody removes the other entry: now ours is alone, and the file is no longer what we wrote.
    const changed = text(file).replace(/ *"mine": 1,?\n?| {2}mine: 1\n|\[mcp_servers\.mine\]\ncommand = "x"\n/, '');
    writeFileSync(file, changed);
    expect(own('uninstall')).toMatchObject({ status: 0 });
    for (const comment of before.match(/(?:\/\/|#) ?[a-z ]+|\/\*.*\*\//g) ?? []) expect(text(file)).toContain(comment);
    expect(text(file)).not.toContain('jira');
    expect(own('install')).toMatchObject({ status: 0 });
  });
});

describe('fix-A15 escapes in `--dry-run`', () => {
  it('fix-A15 `--dry-run` escapes characters that would act on a terminal', () => {
    world.renew();
    const odd = '\u001b[2J \u009b31m \u202e \u200b \u0007 x';
    const file = put('.cursor/mcp.json', `{\r\n\t// ${odd}\r\n\t"mcpServers":\r{}\r\n}\r\n`);
    const shown = [install('--dry-run')];
    install();
    writeFileSync(file, text(file).replace('{', '{ '));
    shown.push(uninstall('--dry-run'));
    for (const { stdout } of shown) {
      expect(stdout).toContain('\\x1b[2J \\x9b31m \\u202e \\u200b \\x07 x');
      expect(stdout).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u202e]|\r(?!\n)/);
      expect(stdout).toContain('\t"mcpServers":\\r{');
    }
  });
});

describe('fix-A15 writes to the disk', () => {
  /** Notes what is done to files, without the folder they are in. */
  function noting(notes: string[], steps = Number.POSITIVE_INFINITY): Disk {
    let left = steps;
    const step = (what: string, path: string, half?: () => void): void => {
      notes.push(`${what} ${path.replace(/\.[0-9a-f]{8}\.tmp$/, '.tmp').slice(path.lastIndexOf('/') + 1)}`);
      if (left-- > 0) return;
      if (left === -1) half?.();
      throw new Error('killed');
    };
    return {
      ...nodeDisk,
      write(path, content, rights) {
        step('write', path, () => nodeDisk.write(path, content.slice(0, content.length / 2), rights));
        nodeDisk.write(path, content, rights);
      },
      sync(path) {
        step('sync', path);
        nodeDisk.sync(path);
      },
      syncFolder(path) {
        step('sync folder', path);
        nodeDisk.syncFolder(path);
      },
      rename(from, to) {
        step('rename to', to);
        nodeDisk.rename(from, to);
      },
      link(from, to) {
        step('link to', to);
        nodeDisk.link(from, to);
      },
      remove(path) {
        step('remove', path);
        nodeDisk.remove(path);
      },
      makeFolder(path, owner) {
        step('make', path);
        nodeDisk.makeFolder(path, owner);
      },
    };
  }

  it('fix-A15 `writeText` syncs the text before the rename, and the rename before it returns', () => {
    world.renew();
    const notes: string[] = [];
    writeText(put('home/settings.json', 'a\n'), 'b\n', { disk: noting(notes) });
    expect(notes).toEqual([
      'write settings.json.tmp',
      'sync settings.json.tmp',
      'rename to settings.json',
      'sync folder home',
    ]);
  });

  it('fix-A15 an install that is cut off at any step leaves an old or a new file, and the next run cleans up', async () => {
    world.renew();
    let deaths = 0;
    for (let steps = 0; ; steps++) {
      const home = join(world.path, `cut ${steps}`);
      mkdirSync(home);
      const file = join(home, 'settings.json');
      const isNew = steps % 3 === 2;
      if (!isNew) writeFileSync(file, 'old\n');
      const locks = join(home, 'state');
      const change = (disk: Disk): Promise<unknown> =>
        changeFile(file, { locks, disk, wait: 2000 }, async seen => {
          if (seen.text === 'new\n') return;
          const owner = { pack: home, args: ['x'] };
          const step = { server: 's', before: seen.text, after: 'new\n', owner };
          openBackups(locks, disk).put(file, step, () => seen.replace('new\n'));
        });
      const notes: string[] = [];
      let isDead = false;
      await change(noting(notes, steps)).catch((error: Error) => {
        expect(error.message).toBe('killed');
        isDead = true;
      });
      const now = readdirSync(home).includes('settings.json') ? text(file) : undefined;
      expect([isNew ? undefined : 'old\n', 'new\n']).toContain(now);
      // The lock names this process, which lives on.
      for (const name of readdirSync(home).includes('state') ? readdirSync(locks) : [])
        if (name.endsWith('.lock')) nodeDisk.remove(join(locks, name));
      await change(nodeDisk);
      expect(text(file)).toBe('new\n');
      expect(readdirSync(home).sort()).toEqual(['settings.json', 'state']);
      const original = openBackups(locks).original(file, 's', 'new\n');
      if (now !== 'new\n') expect(original).toEqual({ text: isNew ? undefined : 'old\n' });
      if (!isDead) break;
      deaths++;
    }
    expect(deaths).toBeGreaterThan(10);
  });
});
