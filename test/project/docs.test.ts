// The pages a reader trusts are compared with what the program does.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkPack } from '../../runtime/index.js';
import { codes } from '../../schema/codes.js';
import { formatDiagnostics } from '../../schema/print/diagnostics.js';
import { differenceOf } from '../harness/docs/compare-output.js';
import { memoryFolder } from '../harness/memory-folder.js';
import { listTestTitles } from './test-titles.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = (name: string): string => readFileSync(join(root, name), 'utf8');

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

describe('README.md', () => {
  const blocks = [...page('README.md').matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, kind, text = '']) => ({
    kind,
    text,
  }));

  it('README.md opens with the two commands', () => {
    expect(blocks[0]?.text).toMatch(/^npm run demo .*\nnpm test .*\n$/);
  });

  it('README.md has at most 140 lines', () => {
    expect(page('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(140);
  });

  it('README.md shows what `check` really prints about its example', async () => {
    const manifest = blocks.find(({ kind }) => kind === 'yaml')?.text ?? '';
    const shown = blocks.find(({ kind, text }) => kind === 'text' && text.includes('[schema/'))?.text ?? '';
    const files = { 'mcp/tools/get-weather.yaml': manifest, 'toolwright.yaml': 'name: weather\n' };
    const { diagnostics } = await checkPack(memoryFolder(files));
    const [only, ...others] = diagnostics.filter(({ severity }) => severity === 'error');
    if (only === undefined) throw new Error('the example has no mistake');
    expect(others).toEqual([]);
    const printed = formatDiagnostics([only], { format: 'text', textOf: () => manifest });
    expect(differenceOf(shown, printed)).toBeUndefined();
  });
});

describe('ARCHITECTURE.md', () => {
  it('ARCHITECTURE.md names stages that exist, in the order that test/project/layering.test.ts enforces', () => {
    const named = [...page('ARCHITECTURE.md').matchAll(/^\| \d+ \| `([^`]+)` \|/gm)].map(([, stage = '']) => stage);
    expect(named.filter(stage => !existsSync(join(root, `${stage}.ts`)) && !existsSync(join(root, stage)))).toEqual([]);
    const loading = named.flatMap(stage =>
      stage.startsWith('runtime/load/') ? [stage.slice('runtime/load/'.length)] : [],
    );
    const [, enforced = ''] = /const stages = \[([^\]]*)\]/.exec(page('test/project/layering.test.ts')) ?? [];
    expect(loading).toEqual([...enforced.matchAll(/'([a-z]+)'/g)].map(([, stage]) => stage));
  });
});

describe('the catalogue of codes', () => {
  it('the catalogue has no code that nothing reports', () => {
    const sources = ['schema', 'runtime', 'generator', 'cli']
      .flatMap(filesBelow)
      .filter(path => path.endsWith('.ts') && !path.startsWith('schema/codes'));
    const text = sources.map(page).join('\n');
    expect(Object.keys(codes).filter(code => !text.includes(`'${code}'`))).toEqual([]);
  });

  it('the catalogue has sentences for cause and fix', () => {
    const poor = Object.entries(codes).filter(
      ([, { cause, fix }]) => !/^[A-Z`{a-z-].*[.]$/s.test(cause) || !/[.]$/.test(fix),
    );
    expect(poor.map(([code]) => code)).toEqual([]);
  });
});

describe('docs/features.md', () => {
  /** What this version of the language promises; later issues add theirs. */
  const promised = [
    'W1 W2 W3 W4 W5 W6 W8 W9 W10 W11 W12 W13 W14 W15 W16 W17 W18 W19 W20 W21 W22 W23 W25 W26 W28 W29 W31',
    'W67 W68 W70 W72 J49 J50 J51 J52 J53 J55 J70 J71 J72 J73 P1 P2 P3 P18 P19',
    'P10 P11 P12 P13 P14 P15 P16 P17 M27 M29',
    'W73 W74 W75 W76 W77 W78 J76 J80 J81 J83 J84 M11 M12 M16 M19 M20 M21 M25 M28 M33 M34 M35 M36 M38 M45 M48',
    'J56 J57 J58 J59 J62 J63 J65 W80 W81 W82 W83 W85 J85 W88 W97 W60 W61b W62 W63',
    'C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12 C13 C14 C15',
  ].flatMap(line => line.split(' '));

  it('every promised feature has a test that carries its id', () => {
    // `fix-P5` names a finding, not a feature.
    const ids = new Set(listTestTitles().flatMap(({ text }) => text.match(/(?<!fix-)\b[WMJCP]\d+b?\b/g) ?? []));
    expect(promised.filter(id => !ids.has(id))).toEqual([]);
    const known = new Set(page('docs/features.md').match(/\b[WMJCP]\d+b?\b/g));
    expect([...ids].filter(id => !known.has(id))).toEqual([]);
  });
});
