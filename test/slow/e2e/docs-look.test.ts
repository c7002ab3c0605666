// What `toolwright docs --html` and `npm run docs` make, in a real Chromium: the script says what it saw, line by line.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

it('Q4 the page of a pack and the site work in Chromium at three widths, light and dark, with search', () => {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const { status, stdout } = spawnSync(process.execPath, ['scripts/look-at-docs.mjs'], options);
  const lines = stdout.split('\n');
  expect(lines.filter(line => line.startsWith('FAILED'))).toEqual([]);
  expect(lines.filter(line => line.startsWith('ok ')).length).toBeGreaterThan(60);
  expect(status).toBe(0);
}, 600_000);
