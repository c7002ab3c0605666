// Files of clients that somebody else writes, too: whatever the client, a person or another run writes meanwhile, nothing is lost by us.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { changeFile } from '../../../generator/clients/change-file.js';
import { command, openHome } from '../../cli/install-home.js';
import { talkTo } from '../../cli/terminal.js';

const world = openHome();
const { put } = world;
const text = (file: string): string => readFileSync(file, 'utf8');

const pack = join(world.folder, 'asking');
mkdirSync(join(pack, 'mcp/servers'), { recursive: true });
writeFileSync(join(pack, 'toolwright.yaml'), 'config: { API_KEY: { type: string, secret: true } }\n');
writeFileSync(join(pack, 'mcp/servers/desk.yaml'), 'description: D\n');
writeFileSync(join(pack, 'mcp/tools.yaml'), 'a: { description: A }\n');

afterAll(() => world.remove());

const envOf = () => ({ ...process.env, HOME: world.path, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' });

async function start(...words: readonly string[]): Promise<{ readonly status: number; readonly stderr: string }> {
  const child = spawn(process.execPath, [command, ...words], {
    cwd: pack,
    env: envOf(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', part => {
    stderr += part;
  });
  const [status] = await once(child, 'close');
  return { status, stderr };
}

/** A client that rewrites its file again and again, each time with one more key. */
async function client(
  file: string,
  how: 'rename' | 'in place',
  { edits, pause }: { edits: number; pause: number },
): Promise<void> {
  const script = [
    "const { readFileSync, renameSync, writeFileSync, openSync, closeSync } = require('node:fs');",
    'const [file, how, edits, pause] = process.argv.slice(1);',
    'const rest = ms => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);',
    'for (let edit = 0; edit < Number(edits); edit++) {',
    "  const value = JSON.parse(readFileSync(file, 'utf8'));",
    '  value[`edit${edit}`] = edit;',
    '  const text = JSON.stringify(value, null, 2);',
    "  if (how === 'rename') {",
    '    writeFileSync(`${file}.own`, text);',
    '    renameSync(`${file}.own`, file);',
    '  } else {',
    // As many clients do: the file is empty for a moment, then half.
    "    closeSync(openSync(file, 'w'));",
    '    rest(1);',
    '    writeFileSync(file, text.slice(0, text.length / 2));',
    '    rest(1);',
    '    writeFileSync(file, text);',
    '  }',
    '  rest(Number(pause));',
    '}',
  ];
  const child = spawn(process.execPath, ['-e', script.join('\n'), file, how, `${edits}`, `${pause}`], {
    stdio: 'inherit',
  });
  const [status] = await once(child, 'close');
  expect(status).toBe(0);
}

describe('fix-A2 files that change during an install', () => {
  it('fix-A2 what a client writes while a person is asked stays', async () => {
    world.renew();
    const file = put('.claude.json', '{"numStartups":1,"oauthAccount":{"token":"OLD"},"projects":{}}');
    const now = '{"numStartups":2,"oauthAccount":{"token":"NEW-LOGIN"},"projects":{"/a":{"history":["hi"]}}}';
    const answer = (): string => {
      writeFileSync(`${file}.own`, now);
      renameSync(`${file}.own`, file);
      return 'sesame\r';
    };
    const line = `"${process.execPath}" "${command}" install claude-code desk --cwd "${pack}"`;
    const talk = await talkTo(line, [['API_KEY', answer]], { env: { HOME: world.path, XDG_STATE_HOME: '' } });
    expect(talk).toMatchObject({ status: 0, next: 1 });
    const { mcpServers, ...rest } = JSON.parse(text(file));
    expect(rest).toEqual(JSON.parse(now));
    expect(mcpServers.desk.env).toEqual({ API_KEY: 'sesame' });
    // What was replaced is what comes back.
    expect(await start('uninstall', 'claude-code', 'desk')).toMatchObject({ status: 0 });
    expect(text(file)).toBe(now);
  });

  it('fix-A2 twenty installs at once leave twenty entries, and as many uninstalls restore the file', async () => {
    world.renew();
    const file = put('.cursor/mcp.json', '{ "mine": 1 }\n');
    const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
    const installs = names.map(name => start('install', 'cursor', 'desk', '--name', name, '--yes'));
    for (const { status, stderr } of await Promise.all(installs))
      expect({ status, stderr }).toMatchObject({ status: 0 });
    const { mcpServers, mine } = JSON.parse(text(file));
    expect(Object.keys(mcpServers).sort()).toEqual([...names].sort());
    expect(mine).toBe(1);
    const uninstalls = names.map(name => start('uninstall', 'cursor', 'desk', '--name', name));
    for (const { status, stderr } of await Promise.all(uninstalls))
      expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(text(file)).toBe('{ "mine": 1 }\n');
    expect(readdirSync(join(world.path, '.cursor'))).toEqual(['mcp.json']);
  }, 120_000);

  it.each([
    ['rename', 300, 2],
    ['in place', 300, 2],
    ['rename', 25, 120],
  ] as const)(
    'fix-A2 a client that writes all the time (%s, %i times every %i ms) loses nothing',
    async (how, edits, pause) => {
      world.renew();
      const file = put('.cursor/mcp.json', '{}\n');
      let isOver = false;
      const writing = client(file, how, { edits, pause }).finally(() => {
        isOver = true;
      });
      for (let round = 0; !isOver || round < 2; round++) {
        const [verb, ...more] = round % 2 === 0 ? ['install', '--yes'] : ['uninstall'];
        expect(await start(verb ?? '', 'cursor', 'desk', '--name', `s${round % 4}`, ...more)).toMatchObject({
          status: 0,
        });
      }
      await writing;
      const kept = Object.keys(JSON.parse(text(file))).filter(key => key.startsWith('edit'));
      expect(kept.length).toBe(edits);
    },
    120_000,
  );

  it('fix-A2 a change between reading and writing is noticed, and the edit is made on the new text', async () => {
    world.renew();
    const file = put('settings.json', 'a\n');
    const locks = join(world.path, 'locks');
    const seen: (string | undefined)[] = [];
    await changeFile(file, { locks }, async one => {
      seen.push(one.text);
      if (seen.length < 3) writeFileSync(file, `${one.text}${seen.length}\n`);
      one.replace(`${one.text}ours\n`);
    });
    expect(seen).toEqual(['a\n', 'a\n1\n', 'a\n1\n2\n']);
    expect(text(file)).toBe('a\n1\n2\nours\n');
    // A file that appears, or goes, is a change, too.
    const other = join(world.path, 'new.json');
    let tries = 0;
    await changeFile(other, { locks }, async one => {
      if (++tries === 1) writeFileSync(other, 'theirs\n');
      one.replace(`${one.text ?? ''}ours\n`);
    });
    expect(text(other)).toBe('theirs\nours\n');
    expect(readdirSync(locks)).toEqual([]);
    expect(existsSync(join(world.path, 'settings.json'))).toBe(true);
  });

  it('fix-A2 a file that never comes to rest is left alone, with a message', async () => {
    world.renew();
    const file = put('settings.json', 'a\n');
    const refused = await changeFile(file, { locks: join(world.path, 'locks'), wait: 300 }, async one => {
      writeFileSync(file, `${one.text}more\n`);
      one.replace('ours\n');
    });
    expect(refused).toMatchObject({
      problem: 'another program keeps changing it',
      hint: expect.stringContaining('close'),
    });
    expect(text(file)).not.toContain('ours');
  });
});
