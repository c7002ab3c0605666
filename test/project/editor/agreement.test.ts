// P19: what the editor underlines, `check` reports, at the same line. The same files go through both.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryFolder } from '../../harness/memory-folder.js';
import { check, type Files } from '../../harness/pack.js';
import { editorDiagnostics, readFixture, startEditor } from './editor.js';
import type { LanguageServer } from './language-server.js';

const files = readdirSync(fileURLToPath(new URL('../../fixtures/editor/bad', import.meta.url)));
let server: LanguageServer;

beforeAll(async () => {
  server = await startEditor();
});
afterAll(() => server.stop());

/** The fixture at its place in a pack: what its name starts with says which kind of file it is. */
function place(name: string): {
  readonly files: Files;
  readonly overlay?: Record<string, string>;
  readonly path: string;
} {
  const text = readFixture(`bad/${name}`);
  const [kind = ''] = name.split('-');
  if (kind === 'pack') return { files: { 'toolwright.yaml': text, 'mcp/tools/a.yaml': '' }, path: 'toolwright.yaml' };
  if (kind === 'overlay') {
    const files = { 'toolwright.yaml': '', 'mcp/tools/x.yaml': 'description: d\n' };
    return { files, overlay: { 'tools/x.yaml': text }, path: '../overlay/tools/x.yaml' };
  }
  const path = kind.endsWith('s') ? `mcp/${kind}.yaml` : `mcp/${kind}s/x.yaml`;
  return { files: { 'toolwright.yaml': '', [path]: text }, path };
}

describe('agreement of the editor and `check`', () => {
  it('P19 there are enough bad files', () => {
    expect(files.length).toBeGreaterThanOrEqual(12);
  });
  for (const name of files) {
    it(`P19 \`check\` reports what the editor underlines in ${name}`, async () => {
      const underlined = await editorDiagnostics(`bad/${name}`, server);
      expect(underlined.length).toBeGreaterThan(0);
      const { files: pack, overlay, path } = place(name);
      const overlays = overlay === undefined ? [] : [memoryFolder(overlay, '/overlay')];
      const reported = (await check(pack, { overlays })).filter(
        ({ file, severity }) => file === path && severity === 'error',
      );
      const lines = new Set(reported.map(({ line }) => line));
      expect(underlined.filter(({ line }) => !lines.has(line))).toEqual([]);
    });
  }
});
