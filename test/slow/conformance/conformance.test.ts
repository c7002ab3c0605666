// The official conformance suite, as `npm run conformance` runs it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/conformance.mjs', import.meta.url));

describe('examples/conformance', () => {
  it('C15 T1 the conformance example passes every required scenario of both revisions and those of tasks, also without eval', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).toBe(0);
    const lines = stdout.split('\n').filter(line => line !== '');
    expect(lines.map(line => line.split(' required')[0])).toEqual([
      '2025-11-25 as it is: 30 of 30',
      '2026-07-28 as it is: 37 of 37',
      'tasks as it is: 10 of 10 scenarios pass, with 44 checks',
      '2025-11-25 without eval: 30 of 30',
      '2026-07-28 without eval: 37 of 37',
      'tasks without eval: 10 of 10 scenarios pass, with 44 checks',
    ]);
  }, 300_000);
});
