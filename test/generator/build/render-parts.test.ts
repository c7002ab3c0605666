// The module that loads the code of a built server, run by itself.
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { renderParts } from '../../../generator/build/render-parts.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-parts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeBuild(where: string): void {
  const entries = { modules: new Map(), validators: new Map() };
  const text = renderParts({ packs: [{ files: 'files', ...entries }], hasSourceMaps: false, manifest: undefined });
  mkdirSync(join(where, 'code'), { recursive: true });
  writeFileSync(join(where, 'parts.cjs'), text);
  for (const name of ['one', 'two']) writeFileSync(join(where, `code/${name}.mjs`), 'export default 1;\n');
}

it('P20 a built server notices that its folder was replaced, even if the new one has the same inode number', async () => {
  const where = join(folder, 'server');
  writeBuild(where);
  const { load }: { load(file: string): Promise<unknown> } = createRequire(import.meta.url)(join(where, 'parts.cjs'));
  expect(await load('./code/one.mjs')).toMatchObject({ default: 1 });
  const { ino } = statSync(where);
  rmSync(where, { recursive: true });
  // Most file systems take a free number soon.
  for (let times = 0; times < 100; times++) {
    mkdirSync(where);
    if (statSync(where).ino === ino) break;
    renameSync(where, join(folder, `other${times}`));
  }
  writeBuild(where);
  await expect(load('./code/two.mjs')).rejects.toThrow('built anew');
});
