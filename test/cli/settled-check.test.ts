// What check remembers between runs: a report holds as long as nothing that it came from is touched.
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkRemembered } from '../../cli/check/check.js';
import { openMemory, shortName } from '../../cli/memory/memory.js';
import { type CheckReport, checkPack } from '../../runtime/packs/check.js';
import { writeFiles } from '../harness/files.js';

/** Longer than the ticks of any clock that this could run on. */
const aWhile = 150;

let home: string;
let pack: string;
let overlay: string;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'toolwright-checked-'));
  pack = join(home, 'pack');
  overlay = join(home, 'overlay');
  vi.stubEnv('TOOLWRIGHT_CACHE', join(home, 'cache'));
  put('toolwright.yaml', 'version: 1.0.0\n');
  put('mcp/tools/get-issue.yaml', 'description: {file: docs/a.md}\nparameters:\n  key: {type: strin}\n');
  put('mcp/tools/other.yaml', 'description: {file: docs/b/missing.md}\n');
  put('mcp/tools/loop.yaml', 'description: {file: docs/loop.md}\n');
  put('docs/a.md', 'See {{tool:nothing}}\n');
  put('elsewhere/tools.yaml', 'far: {description: Far}\n');
  symlinkSync('loop.md', join(pack, 'docs/loop.md'));
  symlinkSync('../elsewhere/tools.yaml', join(pack, 'mcp/tools.yaml'));
  put('../overlay/tools/get-issue.yaml', 'title: Patched\nparameters: {}\n');
  await sleep(aWhile);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  writeFiles(pack, { [path]: text });
}

function check(overlays: readonly string[] = [overlay], build = 'build'): Promise<CheckReport> {
  return checkRemembered(pack, overlays, build);
}

const keyOf = (overlays: readonly string[]): string => `run:${shortName(JSON.stringify(['check', ...overlays]))}`;

/** Changes what is remembered. */
function change(
  edit: (fingerprints: Record<string, string>, report: CheckReport) => readonly unknown[],
  overlays = [overlay],
): void {
  const memory = openMemory(pack, 'build');
  const key = keyOf(overlays);
  const [name, fingerprints, report] = memory.get(key) as [string, Record<string, string>, CheckReport];
  memory.set(key, [name, ...edit(fingerprints, report)]);
  memory.save();
}

/** Marks what is remembered, so that it can be told from what was found out anew. */
function mark(overlays = [overlay]): void {
  change((fingerprints, report) => [fingerprints, { ...report, version: 'remembered' }], overlays);
}

const isRemembered = ({ version }: CheckReport): boolean => version === 'remembered';

describe('remembered checks', () => {
  it('P11 a check is remembered with its report, whatever is wrong with the pack', async () => {
    const first = await check();
    const plain = await checkPack(pack, { overlays: [overlay] });
    expect(first.diagnostics.map(({ code }) => code).sort()).toEqual([
      'link/unknown-tool',
      'overlay/refused',
      'read/not-a-file',
      'read/not-found',
      'validate/value',
    ]);
    expect(await check()).toEqual(plain);
    mark();
    expect(await check()).toEqual({ ...plain, version: 'remembered' });
  });

  it('P11 a remembered check counts only for the same overlays and the same build, and not when the cache is off', async () => {
    await check();
    mark();
    expect(isRemembered(await check([]))).toBe(false);
    expect(isRemembered(await check([overlay, join(home, 'none')]))).toBe(false);
    expect(isRemembered(await check())).toBe(true);
    vi.stubEnv('TOOLWRIGHT_CACHE', 'off');
    expect(isRemembered(await check())).toBe(false);
    vi.stubEnv('TOOLWRIGHT_CACHE', join(home, 'cache'));
    expect(isRemembered(await check([overlay], 'another'))).toBe(false);
  });

  it('P11 a remembered check notices by content what had just been written', async () => {
    for (const letter of ['a', 'b', 'a', 'b']) {
      put('mcp/tools/get-issue.yaml', `description: Text ${letter}\n`);
      expect(isRemembered(await check())).toBe(false);
      mark();
      expect(isRemembered(await check())).toBe(true);
      let isCompared = false;
      // Nothing is left of the old text where only its stamp is the same.
      change((fingerprints, report) => {
        const text = JSON.stringify(fingerprints);
        isCompared = text.includes('bytes:');
        return [JSON.parse(text.replaceAll(/bytes:[\w-]{8}/g, 'bytes:ABCDEFGH')), report];
      });
      expect(isRemembered(await check())).toBe(!isCompared);
    }
  });

  it.each<readonly [string, () => void]>([
    ['a manifest', () => appendFileSync(join(pack, 'mcp/tools/get-issue.yaml'), '# x\n')],
    ['a manifest, with as many bytes', () => put('mcp/tools/other.yaml', 'description: {file: docs/b/missinG.md}\n')],
    ['a new manifest', () => put('mcp/tools/new.yaml', 'description: New.\n')],
    ['a new kind', () => put('mcp/prompts.yaml', '{}\n')],
    ['a manifest, gone', () => unlinkSync(join(pack, 'mcp/tools/other.yaml'))],
    ['toolwright.yaml', () => appendFileSync(join(pack, 'toolwright.yaml'), '# x\n')],
    ['package.json, new', () => put('package.json', '{"name": "named"}\n')],
    ['a text', () => appendFileSync(join(pack, 'docs/a.md'), 'More.\n')],
    ['a text that was missing', () => put('docs/b/missing.md', 'Here.\n')],
    ['a link to itself, gone', () => unlinkSync(join(pack, 'docs/loop.md'))],
    ['what a link leads to', () => put('elsewhere/tools.yaml', 'far: {description: Farther}\n')],
    ['the root, gone', () => rmSync(join(pack, 'mcp'), { recursive: true })],
    ['a patch', () => put('../overlay/tools/get-issue.yaml', 'title: Patched again\n')],
    ['a new patch', () => put('../overlay/prompts.yaml', '{}\n')],
    ['all patches, gone', () => rmSync(overlay, { recursive: true })],
    ['rights', () => chmodSync(join(pack, 'mcp/tools/other.yaml'), 0o600)],
  ])('P11 a remembered check ends with a change: %s', async (_, touch) => {
    await check();
    mark();
    expect(isRemembered(await check())).toBe(true);
    touch();
    expect(await check()).toEqual(await checkPack(pack, { overlays: [overlay] }));
  });

  it('P11 a remembered check ends when a missing overlay appears', async () => {
    const later = join(pack, 'elsewhere/later');
    expect((await check([later])).diagnostics.map(({ code }) => code)).toContain('overlay/not-found');
    mark([later]);
    expect(isRemembered(await check([later]))).toBe(true);
    mkdirSync(later);
    expect(isRemembered(await check([later]))).toBe(false);
  });
});
