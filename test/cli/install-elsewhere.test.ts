// Taking out what is not where it was looked for: it is said where it is.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openHome } from './install-home.js';

const world = openHome();
const { run, put } = world;
const text = (file: string): string => readFileSync(file, 'utf8');
const python = '{"mcpServers":{"main":{"command":"python","args":["other.py"]}}}';

afterAll(() => world.remove());

let count = 0;
/** A pack with a server `main`. */
const makePack = (): string => {
  count += 1;
  const folder = join(world.folder, `pack ${count}`);
  mkdirSync(join(folder, 'mcp/servers'), { recursive: true });
  writeFileSync(join(folder, 'toolwright.yaml'), '');
  writeFileSync(join(folder, 'mcp/tools.yaml'), 'a: { description: A }\n');
  writeFileSync(join(folder, 'mcp/servers/main.yaml'), 'description: M\n');
  return folder;
};

describe('P25 `toolwright uninstall` with an entry elsewhere', () => {
  const files = (pack: string) => [join(world.path, '.cursor/mcp.json'), join(pack, '.cursor/mcp.json')] as const;

  it.each([
    ['of the project', ['--project'], []],
    ['of the user', [], ['--project']],
  ])('`uninstall` says where the entry %s is and how to remove it', (_, there, asked) => {
    world.renew();
    const pack = makePack();
    const file = files(pack)[there.length > 0 ? 1 : 0];
    expect(run('install', 'cursor', 'main', '--cwd', pack, ...there).status).toBe(0);
    const before = text(file);
    const words = ['toolwright', 'uninstall', 'cursor', 'main', ...there, '--cwd', `'${pack}'`];
    expect(run('uninstall', 'cursor', 'main', '--cwd', pack, ...asked)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`  hint: ${file} has it: run ${words.join(' ')}\n`),
    });
    const told = run('uninstall', 'cursor', '--cwd', pack, ...asked, '--format', 'json');
    expect(told.status).toBe(1);
    expect(JSON.parse(told.stdout)).toMatchObject({ op: 'refuse', hint: expect.stringContaining(file) });
    expect(text(file)).toBe(before);
    expect(run('uninstall', 'cursor', 'main', '--cwd', pack, ...there).status).toBe(0);
    expect(run('uninstall', 'cursor', 'main', '--cwd', pack, ...asked).status).toBe(0);
  });

  it('`uninstall` names our entry elsewhere even if the place asked for has an entry that is not ours', () => {
    world.renew();
    const pack = makePack();
    put('.cursor/mcp.json', python);
    run('install', 'cursor', '--cwd', pack, '--project');
    const { status, stderr } = run('uninstall', 'cursor', '--cwd', pack);
    expect(status).toBe(1);
    expect(stderr).toContain('it runs python other.py');
    expect(stderr).toContain(`${files(pack)[1]} has it: run toolwright uninstall cursor --project`);
  });

  it('`uninstall` does not mention an entry elsewhere that is not ours, cannot be read or is not in the named file', () => {
    world.renew();
    const pack = makePack();
    const file = put('.cursor/mcp.json', python);
    expect(run('uninstall', 'cursor', '--cwd', pack, '--project').status).toBe(0);
    writeFileSync(file, '{');
    expect(run('uninstall', 'cursor', '--cwd', pack, '--project').status).toBe(0);
    rmSync(file);
    run('install', 'cursor', '--cwd', pack);
    expect(run('uninstall', 'cursor', '--cwd', pack, '--file', join(pack, 'none.json')).status).toBe(0);
  });
});

describe('P25 `toolwright uninstall` with a broken pack', () => {
  it('`uninstall` removes nothing and fails when the pack cannot be read, because it cannot know which server is meant', () => {
    world.renew();
    const pack = makePack();
    const file = put('.cursor/mcp.json', '{}');
    run('install', 'cursor', '--cwd', pack);
    const installed = text(file);
    writeFileSync(join(pack, 'toolwright.yaml'), 'tools: [\n');
    const { status, stderr } = run('uninstall', 'cursor', '--cwd', pack);
    expect(status).toBe(1);
    expect(stderr).not.toContain('has no server');
    expect(text(file)).toBe(installed);
    expect(run('uninstall', 'cursor', 'main', '--cwd', pack).status).toBe(0);
    expect(text(file)).toBe('{}');
  });
});
