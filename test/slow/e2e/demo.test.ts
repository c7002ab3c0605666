// `npm run demo` as people see it: how much it prints, how wide, in colour, and whether what it shows was really run.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-demo-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Shown {
  /** As printed, with colours where there are any. */
  readonly text: string;
  readonly lines: readonly string[];
  /** The command lines of every Node process that was started, as typed after `toolwright`. */
  readonly ran: readonly string[];
}

function runDemo(env: Readonly<Record<string, string>>): Shown {
  const log = join(folder, `log-${readdirSync(folder).length}`);
  const hook = join(folder, 'hook.cjs');
  writeFileSync(
    hook,
    'require("node:fs").appendFileSync(process.env.DEMO_LOG, JSON.stringify(process.argv.slice(1)) + "\\n");',
  );
  const { NO_COLOR: _, FORCE_COLOR: __, ...rest } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/demo.mjs'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...rest, DEMO_LOG: log, NODE_OPTIONS: `--require ${JSON.stringify(hook)}`, ...env },
  });
  expect([status, stderr]).toEqual([0, '']);
  const ran = readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): readonly string[] => JSON.parse(line))
    .filter(([script]) => script?.endsWith('main.js'))
    .map(([, ...args]) => args.map(arg => (arg.includes(' ') ? `'${arg}'` : arg)).join(' '));
  return { text: stdout, lines: stripVTControlCharacters(stdout).trimEnd().split('\n'), ran };
}

/** What a reader sees as words: whatever the demo prints whole where there is room. */
const wordsOf = (lines: readonly string[]): readonly string[] => lines.join(' ').split(/\s+/).filter(isStable);
const isStable = (word: string): boolean => !/^\d+(?:\.\d+)?$/.test(word);

describe('`npm run demo`', () => {
  it('the demo prints at most 90 lines of at most 80 columns, and runs every command that it shows', () => {
    // With CI set, as build servers do: their logs are files, not terminals.
    const { text, lines, ran } = runDemo({ COLUMNS: '80', CI: 'true' });
    expect(text).toBe(stripVTControlCharacters(text));
    expect(lines.length).toBeLessThanOrEqual(90);
    expect(lines.filter(line => line.length > 80)).toEqual([]);
    const typed = lines.flatMap(line => (line.startsWith('$ toolwright ') ? [line.slice('$ toolwright '.length)] : []));
    expect(typed.length).toBeGreaterThanOrEqual(6);
    expect(typed.filter(one => !ran.includes(one))).toEqual([]);
    expect(new Set(typed).size).toBe(typed.length);
    // What it breaks, it shows.
    expect(lines).toEqual(expect.arrayContaining(['  - effect: read', '  + efect: read']));
    const wide = runDemo({ COLUMNS: '100' });
    expect(wide.lines.filter(line => line.length > 100)).toEqual([]);
    expect(wordsOf(lines)).toEqual(wordsOf(wide.lines));
  }, 180_000);

  it('the demo shows diagnostics in colour where it is asked to, and never with NO_COLOR', () => {
    const { text } = runDemo({ COLUMNS: '80', FORCE_COLOR: '1' });
    const [line = ''] = text.split('\n').filter(one => one.includes('unknown key'));
    expect(line).toContain('\u001b[31m');
    const plain = runDemo({ COLUMNS: '80', NO_COLOR: '1' }).text;
    expect(plain).toBe(stripVTControlCharacters(plain));
  }, 180_000);

  it('the demo ends with commands that work', () => {
    const { lines } = runDemo({ COLUMNS: '80' });
    const commands = lines.slice(lines.findIndex(line => line.startsWith('Your turn.')) + 1).map(line => line.trim());
    expect(commands[0]).toBe('npm pack');
    const clone = join(folder, basename(root));
    mkdirSync(clone);
    // Without its script, which would build anew under the feet of other tests.
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', clone], { cwd: root, stdio: 'ignore' });
    const script = ['set -e', ...commands.slice(1), 'npm install --no-audit --no-fund', 'npx toolwright test'].join(
      '\n',
    );
    const printed = execFileSync('bash', ['-c', script], {
      cwd: clone,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(printed).toMatch(/\d passed/);
  }, 300_000);
});
