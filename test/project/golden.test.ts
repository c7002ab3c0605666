// One folder per case: in/ is a pack, diagnostics.txt what `check` says about it, explain-*.txt what `explain` says.
// `npm run golden` rewrites the expected files; review them like code.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkPack } from '../../runtime/index.js';
import { explainLoaded } from '../../runtime/load/explain.js';
import { load } from '../../runtime/load/load.js';
import { formatDiagnostics } from '../../schema/print/diagnostics.js';

const folder = fileURLToPath(new URL('../golden', import.meta.url));
const isUpdating = process.env['UPDATE_GOLDEN'] === '1';

function compare(file: string, actual: string): void {
  if (isUpdating) writeFileSync(file, actual);
  expect(actual).toBe(readFileSync(file, 'utf8'));
}

describe('golden cases of `check` and `explain`', () => {
  const cases = readdirSync(folder).sort();
  it('there are enough golden cases', () => {
    expect(cases.length).toBeGreaterThanOrEqual(10);
  });
  for (const name of cases) {
    const pack = join(folder, name, 'in');
    const overlays = existsSync(join(folder, name, 'overlay')) ? [join(folder, name, 'overlay')] : [];
    it(`W67 \`check\` reports the diagnostics of ${name}`, async () => {
      const { diagnostics } = await checkPack(pack, { overlays });
      const textOf = (file: string): string | undefined => {
        const path = join(pack, file);
        return existsSync(path) ? readFileSync(path, 'utf8').replace(/^\uFEFF/, '') : undefined;
      };
      compare(join(folder, name, 'diagnostics.txt'), formatDiagnostics(diagnostics, { format: 'text', textOf }));
    });
    for (const file of readdirSync(join(folder, name)).filter(one => one.startsWith('explain-'))) {
      it(`P18 \`explain\` prints ${file} of ${name}`, () => {
        const item = file.slice('explain-'.length, -'.json'.length);
        const result = explainLoaded(load(pack, { overlays }), item);
        compare(
          join(folder, name, file),
          `${JSON.stringify('problem' in result ? result : result.explanation, null, 2)}\n`,
        );
      });
    }
  }
});
