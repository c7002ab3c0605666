// Where the tasks of a server are kept.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { taskFolder } from '../../cli/memory/state-folder.js';

const home = { pack: '/packs/jira', server: 'main' };
const stateOf = (env: Record<string, string>, platform: NodeJS.Platform) => {
  const folder = taskFolder(env, home, platform);
  return folder && dirname(dirname(folder));
};

it('T2 tasks are kept where the system keeps the state of programs, or where TOOLWRIGHT_STATE says', () => {
  const all = { TOOLWRIGHT_STATE: '/chosen', XDG_STATE_HOME: '/xdg', LOCALAPPDATA: '/local' };
  const { TOOLWRIGHT_STATE: _, ...system } = all;
  for (const platform of ['linux', 'darwin', 'win32'] as const) expect(stateOf(all, platform)).toBe('/chosen');
  expect(stateOf(system, 'linux')).toBe('/xdg/toolwright');
  expect(stateOf(system, 'win32')).toBe(join('/local', 'toolwright'));
  expect(stateOf(system, 'darwin')).toBe('/xdg/toolwright');
  expect(stateOf({}, 'linux')).toBe(join(homedir(), '.local/state/toolwright'));
  expect(stateOf({ TOOLWRIGHT_STATE: '', XDG_STATE_HOME: 'relative' }, 'linux')).toBe(
    join(homedir(), '.local/state/toolwright'),
  );
});

it('T2 each server of each pack has a folder of its own, whatever way leads to the pack', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-state-')));
  try {
    mkdirSync(join(root, 'pack'));
    symlinkSync(join(root, 'pack'), join(root, 'link'));
    const of = (pack: string, server: string) =>
      taskFolder({ TOOLWRIGHT_STATE: root }, { pack: join(root, pack), server });
    expect(of('pack', 'main')).toMatch(/tasks[\\/]main-[0-9a-f]{32}$/);
    expect(of('link', 'main')).toBe(of('pack', 'main'));
    expect(of('missing', 'a/b c')).toMatch(/a-b-c-[0-9a-f]{32}$/);
    const folders = [
      of('pack', 'main'),
      of('pack', 'other'),
      of('missing', 'main'),
      of('pack', 'ma/in'),
      of('pack', 'ma-in'),
    ];
    expect(new Set(folders).size).toBe(5);
  } finally {
    rmSync(root, { recursive: true });
  }
});
