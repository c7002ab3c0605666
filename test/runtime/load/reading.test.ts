// Files of others are read in one way only, which refuses what is not a file, and what has no end.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readBytes, readUtf8 } from '../../../runtime/load/read-file.js';
import { type Kind, plant } from './odd-files.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('fix-A8 reading in the sources', () => {
  /** Files that come with the package or are its own making, what was typed, and where nothing may be imported. */
  const exceptions = [
    'cli/built-server/entry.ts', // the lists of a built server, beside it
    'cli/init/init.ts', // the version of the package
    'cli/main.ts', // the same
    'cli/schema/schema.ts', // schemas of the package
    'cli/terminal/read-stdin.ts', // stdin
    'generator/build/server-content.ts', // the runtime of built servers
    'generator/build/render-parts.ts', // a line of code that is printed
    'generator/compile/pack-schemas.ts', // schemas of the package
    'generator/render/templates.ts', // templates of the package
    'runtime/backends/sql/wasm-lock.ts', // its own record beside a database, and /proc
    'runtime/server/stored/definitions-hash.ts', // imports nothing; looks at what it reads first
    'runtime/load/own-package.ts', // the package's own package.json
    'runtime/serve/guard-files.ts', // names what is guarded, and reads nothing
    'runtime/backends/exec/process-groups.ts', // what the system says of its processes
    'runtime/worker/node-absent.ts', // stands for what a worker lacks
  ];

  it('fix-A8 the sources read files of others only through runtime/load/read-file', () => {
    const files = ['cli', 'generator', 'runtime'].flatMap(room =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
        .filter(path => path.endsWith('.ts'))
        .map(path => `${room}/${path.replaceAll('\\', '/')}`),
    );
    const code = (file: string): string =>
      readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const reads =
      /\b(?:readFileSync|createReadStream|openAsBlob)\b|\breadFile\b[^;]*from 'node:fs\/promises'|\b(?:fs|promises)\.readFile\b/;
    expect(files.filter(file => reads.test(code(file))).sort()).toEqual([...exceptions].sort());
    expect(files.length).toBeGreaterThan(300);
  });
});

describe.runIf(process.platform !== 'win32')('fix-A8 `readBytes` and `readUtf8`', () => {
  it('fix-A8 `readBytes` reads regular files up to its limit and names what it refuses', () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright reader '));
    const path = join(folder, 'file');
    writeFileSync(path, 'grüße');
    expect(readUtf8(path)).toBe('grüße');
    expect(() => readBytes(path, 3)).toThrow(expect.objectContaining({ code: 'EFBIG', path }));
    for (const length of [0, 65_535, 65_536, 65_537, 200_000]) {
      writeFileSync(path, 'x'.repeat(length));
      expect(readBytes(path).length).toBe(length);
    }
    const codes = { pipe: 'ENOTFILE', endless: 'ENOTFILE', huge: 'EFBIG', folder: 'EISDIR' } as const;
    for (const [kind, code] of Object.entries(codes)) {
      plant(kind as Kind, path);
      expect(() => readBytes(path)).toThrow(expect.objectContaining({ code, path }));
    }
    rmSync(folder, { recursive: true });
  });
});
