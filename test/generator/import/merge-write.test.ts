// An import on a real disk: all of its files or none, whatever stops it, and the next run goes on from there.
import { lstatSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeChanges } from '../../../generator/author/change-book.js';
import { type Disk, nodeDisk } from '../../../generator/compile/apply-disk.js';
import { type ImportPlan, planImport } from '../../../generator/import/plan-import.js';
import { nodeFolder } from '../../../runtime/load/folder.js';
import { load } from '../../../runtime/load/load.js';
import { readTree, writeFiles } from '../../harness/files.js';
import { address, source, tell, tool } from './merge-world.js';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function makePack(files: Readonly<Record<string, string>> = { 'toolwright.yaml': '# mine\n' }): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-import-'));
  folders.push(folder);
  return writeFiles(folder, files);
}

function api(version: number, count = 20): ReturnType<typeof source> {
  const tools = Array.from({ length: count }, (_, index) =>
    tool(`t${index}`, {
      title: `T ${index}`,
      description: `Version ${version}`,
      http: { backend: 'shop', method: 'GET', path: `/${index}` },
    }),
  );
  return source(tools, { backends: { shop: { type: 'http', url: `https://x.example/v${version}` } } });
}

function planHere(pack: string, imported: ReturnType<typeof source>, prune = false): ImportPlan {
  const folder = nodeFolder(pack);
  return planImport({ folder, loaded: load(folder), imported, source: { address }, options: { prune } });
}

async function importHere(pack: string, imported: ReturnType<typeof source>): Promise<void> {
  const planned = planHere(pack, imported);
  expect(planned.diagnostics).toEqual([]);
  expect(await writeChanges(planned.changes, pack)).toEqual([]);
}

const withoutRest = (pack: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(readTree(pack)).filter(([path]) => !path.endsWith('.tmp')));

/** After so many steps nothing is written any more, as in a process that was killed. */
function dyingDisk(steps: number): Disk {
  let left = steps;
  const step = (): void => {
    if (left-- <= 0) throw new Killed();
  };
  return {
    ...nodeDisk,
    write(path, text, rights) {
      step();
      nodeDisk.write(path, text, rights);
    },
    rename(from, to) {
      step();
      nodeDisk.rename(from, to);
    },
    link(from, to) {
      step();
      nodeDisk.link(from, to);
    },
    remove(path) {
      step();
      nodeDisk.remove(path);
    },
  };
}

class Killed extends Error {}

describe('an import on disk', () => {
  it('I1: an import that is killed after any step is finished by the next one', async () => {
    const whole = makePack();
    await importHere(whole, api(1));
    const first = readTree(whole);
    await importHere(whole, api(2));
    const second = readTree(whole);
    for (let steps = 0; steps < 72; steps += 3) {
      for (const before of [{ 'toolwright.yaml': '# mine\n' }, first]) {
        const pack = makePack(before);
        const imported = before === first ? api(2) : api(1);
        const planned = planHere(pack, imported);
        await writeChanges(planned.changes, pack, { disk: dyingDisk(steps) }).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
        const again = planHere(pack, imported);
        expect(again.diagnostics).toEqual([]);
        expect(await writeChanges(again.changes, pack)).toEqual([]);
        expect(withoutRest(pack)).toEqual(before === first ? second : first);
        expect(planHere(pack, imported).changes).toEqual([]);
      }
    }
  });

  it('I1: a file that is saved between plan and writing keeps everything from being written', async () => {
    const pack = makePack();
    await importHere(pack, api(1));
    const planned = planHere(pack, api(2));
    writeFileSync(join(pack, 'mcp/tools/t7.yaml'), 'description: saved\n');
    const before = readTree(pack);
    const failures = await writeChanges(planned.changes, pack);
    expect(failures).toMatchObject([{ code: 'generate/changed-meanwhile', file: 'mcp/tools/t7.yaml' }]);
    expect(readTree(pack)).toEqual(before);
  });

  it('I1: a file that appears between plan and writing keeps everything from being written', async () => {
    const pack = makePack();
    const planned = planHere(pack, api(1));
    writeFiles(pack, { 'mcp/tools/t7.yaml': 'description: mine\n' });
    const before = readTree(pack);
    expect(await writeChanges(planned.changes, pack)).toMatchObject([{ code: 'generate/changed-meanwhile' }]);
    expect(readTree(pack)).toEqual(before);
  });

  it('I1: a read-only folder keeps everything from being written', async () => {
    const pack = makePack();
    await importHere(pack, api(1));
    const before = readTree(pack);
    const disk: Disk = {
      ...nodeDisk,
      write(path, text, rights) {
        if (path.includes('tools')) throw Object.assign(new Error('read-only'), { code: 'EACCES' });
        nodeDisk.write(path, text, rights);
      },
    };
    const failures = await writeChanges(planHere(pack, api(2)).changes, pack, { disk });
    expect(failures).toMatchObject([{ code: 'generate/write-failed', file: 'mcp/tools' }]);
    expect(readTree(pack)).toEqual(before);
  });

  it('I1: a disk that is full keeps everything from being written', async () => {
    const pack = makePack();
    await importHere(pack, api(1));
    const before = readTree(pack);
    let count = 0;
    const disk: Disk = {
      ...nodeDisk,
      write(path, text, rights) {
        if (count++ === 15) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        nodeDisk.write(path, text, rights);
      },
    };
    expect(await writeChanges(planHere(pack, api(2)).changes, pack, { disk })).toMatchObject([
      { code: 'generate/write-failed' },
    ]);
    expect(readTree(pack)).toEqual(before);
  });

  it('I1: a link to a file in the pack stays a link, and what it leads to is edited', async () => {
    const pack = makePack();
    await importHere(pack, api(1));
    const file = join(pack, 'mcp/tools/t3.yaml');
    writeFiles(pack, { 'shared/t3.yaml': readTree(pack)['mcp/tools/t3.yaml'] ?? '' });
    rmSync(file);
    symlinkSync('../../shared/t3.yaml', file);
    await importHere(pack, api(2));
    const { 'mcp/tools/t3.yaml': link, 'shared/t3.yaml': target } = readTree(pack);
    expect([link, target?.includes('Version 2')]).toEqual([undefined, true]);
    expect(planHere(pack, api(2)).changes).toEqual([]);
  });

  it('I1: an import that is undone leaves a link a link, and says what it could not put back', async () => {
    const pack = makePack();
    await importHere(pack, api(1));
    writeFiles(pack, { 'shared/t0.yaml': readTree(pack)['mcp/tools/t0.yaml'] ?? '' });
    rmSync(join(pack, 'mcp/tools/t0.yaml'));
    symlinkSync('../../shared/t0.yaml', join(pack, 'mcp/tools/t0.yaml'));
    const before = readTree(pack);
    const failing = (limit: number): Disk => {
      let writes = 0;
      return {
        ...nodeDisk,
        write(path, text, rights) {
          if (++writes > limit) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
          nodeDisk.write(path, text, rights);
        },
        rename(from, to) {
          if (to.endsWith('toolwright.import.json')) throw Object.assign(new Error('gone'), { code: 'EIO' });
          nodeDisk.rename(from, to);
        },
      };
    };
    const { changes } = planHere(pack, api(2));
    expect(changes.map(({ path }) => path)).toContain('mcp/tools/t0.yaml');
    expect(await writeChanges(changes, pack, { disk: failing(Number.POSITIVE_INFINITY) })).toHaveLength(1);
    expect(readTree(pack)).toEqual(before);
    expect(lstatSync(join(pack, 'mcp/tools/t0.yaml')).isSymbolicLink()).toBe(true);
    const failures = await writeChanges(changes, pack, { disk: failing(changes.length) });
    expect(failures.map(({ file }) => file)).toContain('shared/t0.yaml');
  });

  it('I1: a link that leads out of the pack is not followed', async () => {
    const pack = makePack();
    const outside = makePack({ 't3.yaml': 'description: theirs\n' });
    await importHere(pack, api(1));
    rmSync(join(pack, 'mcp/tools/t3.yaml'));
    symlinkSync(join(outside, 't3.yaml'), join(pack, 'mcp/tools/t3.yaml'));
    const planned = planHere(pack, api(2));
    expect(planned.changes.every(({ path }) => path !== 'mcp/tools/t3.yaml')).toBe(true);
    expect(readTree(outside)).toEqual({ 't3.yaml': 'description: theirs\n' });
  });

  it('I1: what a killed process has left beside files is swept by the next import', async () => {
    const pack = makePack();
    await importHere(pack, api(1));
    writeFiles(pack, { 'mcp/tools/.toolwright-999999999-3.tmp': 'half' });
    await importHere(pack, api(2));
    expect(Object.keys(readTree(pack)).filter(path => path.endsWith('.tmp'))).toEqual([]);
  });

  it('I1: an item of a megabyte and a combined file of a thousand items are edited', async () => {
    const pack = makePack();
    const large = (title: string): ReturnType<typeof source> =>
      source([
        tool('large', {
          title,
          description: 'x: '.repeat(300_000),
          http: { backend: 'shop', method: 'GET', path: '/l' },
        }),
      ]);
    await importHere(pack, large('One'));
    writeFileSync(join(pack, 'mcp/tools/large.yaml'), `${readTree(pack)['mcp/tools/large.yaml']}# mine\n`);
    await importHere(pack, large('Two'));
    expect(readTree(pack)['mcp/tools/large.yaml']).toMatch(/title: Two\n[\s\S]*# mine\n$/);
    const many = makePack();
    await importHere(many, api(1, 1000));
    const files = Object.entries(readTree(many)).filter(([path]) => path.startsWith('mcp/tools/'));
    const combined = files.map(
      ([path, text]) => `${path.slice('mcp/tools/'.length, -'.yaml'.length)}:\n${text.replaceAll(/^(?=.)/gm, '  ')}`,
    );
    rmSync(join(many, 'mcp/tools'), { recursive: true });
    writeFiles(many, { 'mcp/tools.yaml': `# all\n${combined.join('')}` });
    const planned = planHere(many, api(2, 1000));
    expect(planned.diagnostics).toEqual([]);
    expect(await writeChanges(planned.changes, many)).toEqual([]);
    expect(readTree(many)['mcp/tools.yaml']?.match(/Version 2/g)).toHaveLength(1000);
    expect(tell(planHere(many, api(2, 1000))).every(line => line.startsWith('unchanged'))).toBe(true);
  }, 60_000);
});
