// Files that a stranger may have put into a clone: whatever lies where a file is expected, every command ends, with a clear line, and
// without filling the memory.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCommands } from '../../harness/commands.js';
import { writeFiles } from '../../harness/files.js';
import { type Kind, plant } from '../../runtime/load/odd-files.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe.runIf(process.platform !== 'win32')('fix-A8 hostile files in a clone', () => {
  let all = '';
  let base = '';
  const commands = openCommands();

  beforeAll(async () => {
    all = mkdtempSync(join(tmpdir(), 'toolwright reading ü '));
    base = join(all, 'base');
    const files: Readonly<Record<string, string>> = {
      'package.json': '{ "name": "clone", "version": "1.0.0", "type": "module" }\n',
      'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "strict": true, "skipLibCheck": true } }\n',
      'toolwright.yaml': 'description: Of a stranger.\n',
      'mcp/servers/main.yaml': 'description: M\n',
      'mcp/tools/a.yaml': 'description: A\n',
      'README.md': '# R\n<!-- toolwright:tools -->\n<!-- /toolwright:tools -->\n',
    };
    writeFiles(base, files);
    mkdirSync(join(base, 'node_modules'));
    symlinkSync(root, join(base, 'node_modules/toolwright'));
    symlinkSync(join(root, 'node_modules/typescript7'), join(base, 'node_modules/typescript'));
    expect(await run(base, 'generate')).toMatchObject({ status: 0 });
  });

  afterAll(() => {
    commands.close();
    rmSync(all, { recursive: true, force: true });
  });

  const run = (cwd: string, ...words: readonly string[]) => {
    const home = join(all, 'home');
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', TOOLWRIGHT_CACHE: 'off' };
    return commands.run(words, { cwd, env });
  };

  const generate = ['generate --check', 'generate', 'doctor', 'check'];
  const places: readonly (readonly [place: string, commands: readonly string[]])[] = [
    ['generated/.toolwright.json', [...generate, 'typecheck', 'build']],
    ['generated/.toolwright.pending.json', generate],
    ['generated/.toolwright.lock', generate],
    ['generated/tools.d.ts', [...generate, 'typecheck', 'rename tool a b --dry-run']],
    ['generated/tools/a.mjs', [...generate, 'call a', 'build']],
    ['tsconfig.json', [...generate, 'typecheck', 'build', 'call a']],
    ['package.json', [...generate, 'typecheck', 'build', 'list', 'install cursor --print', 'call a']],
    ['src/tools/a.ts', [...generate, 'typecheck', 'build', 'call a', 'rename tool a b --dry-run']],
    ['src/tsconfig.json', ['typecheck', 'build', 'call a']],
    ['README.md', ['docs --check', 'docs']],
    ['docs/index.html', ['docs --html --check', 'docs --html', 'docs --html --force']],
    [
      '.cursor/mcp.json',
      ['install cursor --project --dry-run', 'install cursor --project', 'uninstall cursor --project', 'doctor'],
    ],
    ['../home/.cursor/mcp.json', ['install cursor --dry-run', 'install cursor', 'uninstall cursor', 'doctor']],
    ['.env.test', ['test']],
    ['toolwright.lock', ['lock --check', 'doctor', 'inspect main']],
    ['toolwright.yaml', ['check', 'generate --check', 'list']],
    ['mcp/tools/a.yaml', ['check', 'generate --check', 'explain a']],
    ['dist/main.cjs', ['build']],
  ];
  const kinds: readonly Kind[] = ['pipe', 'endless', 'huge', 'folder'];
  const rows = places.flatMap(([place, words]) => kinds.map(kind => [place, kind, words] as const));

  it.each(rows)(
    'fix-A8 every command ends with a clear line when %s is a %s',
    async (place, kind, lines) => {
      const pack = join(all, 'pack');
      rmSync(pack, { recursive: true, force: true });
      rmSync(join(all, 'home'), { recursive: true, force: true });
      mkdirSync(join(all, 'home'));
      cpSync(base, pack, { recursive: true, verbatimSymlinks: true });
      plant(kind, join(pack, place));
      for (const line of lines) {
        const { status, stdout, stderr } = await run(pack, ...line.split(' '));
        // null: it did not end.
        expect({ line, status, stderr }).toMatchObject({ line, status: expect.toBeOneOf([0, 1, 2]) });
        expect(stderr).not.toMatch(/bug in toolwright|^ +at |heap/m);
        if (status !== 0) expect(`${stdout}${stderr}`.trim()).not.toBe('');
        // A command that ends its process does not say.
        expect(commands.megabytes ?? 0).toBeLessThan(1200);
      }
    },
    120_000,
  );
});
