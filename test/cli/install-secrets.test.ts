// What `install --dry-run` and `uninstall --dry-run` show goes to terminals and logs: no value of a variable is in it, however short.
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { hideValues, type Variable } from '../../generator/clients/print-change.js';
import { openHome } from './install-home.js';

const world = openHome();
const { run, put } = world;

afterAll(() => world.remove());

describe('P25 short secrets in `--dry-run`', () => {
  it.each([
    ['cursor', '.cursor/mcp.json', '{}\n', '"JIRA_TOKEN": "***'],
    ['codex', '.codex/config.toml', '', 'JIRA_TOKEN = "***'],
    ['goose', '.config/goose/config.yaml', 'mine: 7\n', 'JIRA_TOKEN: '],
  ])('`install --dry-run` hides short secrets for %s, and nothing else', (client, path, start, hidden) => {
    world.renew();
    put(path, start);
    const token = ['project-management', '--env'];
    for (const value of ['7', 'x', '$&', 'q\nz', '*']) {
      const { stdout } = run('install', client, ...token, `JIRA_TOKEN=${value}`, '--dry-run');
      const shown = stdout.slice(stdout.indexOf('JIRA_TOKEN'));
      expect(shown).toContain('*** (new)');
      expect(shown.replaceAll('***', '')).not.toMatch(/[7x$&qz*]/);
      expect(stdout).toContain(hidden);
      expect(stdout).toMatch(/jira|--stdio/);
      run('install', client, ...token, `JIRA_TOKEN=${value}`);
      const out = run('uninstall', client, 'project-management', '--dry-run').stdout;
      expect(out).toContain(hidden);
      expect(out).toContain('***');
    }
  });

  it('`hideValues` hides values written in other ways and leaves the rest of the text', () => {
    const env: readonly Variable[] = [['T', '5']];
    expect(hideValues('{"T": 5, "n": 5, "AT": "5", "T": "55"}', env)).toBe('{"T": ***, "n": 5, "AT": "5", "T": "55"}');
    expect(hideValues("a:\n  T: '5' # mine\n  b: 5\n", env)).toBe("a:\n  T: '***' # mine\n  b: 5\n");
    expect(hideValues('T = "5"\nx = 5\n', env)).toBe('T = "***"\nx = 5\n');
    expect(hideValues('{"T":\n  "5"}', env)).toBe('{"T":\n  "***"}');
    expect(hideValues('T: |-\n  a\n  b\nc: a\n', [['T', 'a\nb']])).toBe('T: ***\nc: a\n');
    expect(hideValues('T: ""\n', [['T', '']])).toBe('T: ""\n');
  });

  it('`uninstall --dry-run` hides a number that somebody wrote without quotes', () => {
    world.renew();
    const file = put('.cursor/mcp.json', '{}\n');
    run('install', 'cursor', 'project-management', '--env', 'JIRA_TOKEN=1');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"JIRA_TOKEN": "1"', '"JIRA_TOKEN": 987'));
    const { stdout } = run('uninstall', 'cursor', 'project-management', '--dry-run');
    expect(stdout).toContain('"JIRA_TOKEN": ***');
  });
});
