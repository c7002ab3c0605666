// examples/report: a report whose server is killed in the middle goes on with the files that were not read yet.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyExample, run } from '../ports/originals.js';

const main = join(import.meta.dirname, '../../../../dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-report-'));
const env = { ...process.env, TOOLWRIGHT_STATE: join(folder, 'state'), PAUSE_MS: '1500' };
let pack: string;

beforeAll(() => {
  pack = copyExample('report', folder);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('examples/report', () => {
  it('T3 nothing is wrong with it, and its code is up to date', { timeout: 60_000 }, () => {
    run(pack, 'check', '--strict');
    run(pack, 'generate', '--check');
    run(pack, 'typecheck');
  });

  it('T3 a report whose process is killed goes on, and reads no file again', { timeout: 120_000 }, async () => {
    const words = [main, 'call', 'make-report', '--arg', 'title=Killed', '--arg', 'detail=full', '--task'];
    const child = spawn(process.execPath, words, { cwd: pack, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      // The first file is read, and its numbers are kept.
      if (said.includes('Read 2026-01.log')) child.kill('SIGKILL');
    });
    await once(child, 'exit');
    const [, id = ''] = /the task (\S+) has started/.exec(said) ?? [];
    expect(said).not.toContain('Read 2026-02.log');
    // Who reads them now, counts them.
    for (const name of ['2026-01.log', '2026-02.log'])
      appendFileSync(join(pack, 'logs', name), '2026-12-24T00:00:00Z ERROR written after the server was killed\n');
    const resumed = spawnSync(process.execPath, [main, 'call', '--resume', id], { cwd: pack, env, encoding: 'utf8' });
    expect(resumed.status, resumed.stderr).toBe(0);
    expect(JSON.parse(resumed.stdout)).toEqual({ report: 'reports/killed.md', files: 3, lines: 16, errors: 5 });
    const report = readFileSync(join(pack, 'reports/killed.md'), 'utf8');
    expect(report).toContain('| 2026-01.log | 6 |');
    expect(report).toContain('| 2026-02.log | 5 |');
  });
});
