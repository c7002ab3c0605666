// The three ways to bind a file to its schema.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingsOf, fixtures, startEditor } from './editor.js';
import type { LanguageServer } from './language-server.js';

let server: LanguageServer;
beforeAll(async () => {
  server = await startEditor();
});
afterAll(() => server.stop());

const schema = '../../../../schema/tool.schema.json';
const refused = [{ line: 2, message: 'Property efect is not allowed.' }];

describe('binding of schemas in the editor', () => {
  const ways: readonly (readonly [string, string, string])[] = [
    ['a modeline', 'modeline.yaml', `# yaml-language-server: $schema=${schema}`],
    ['the comment that JetBrains reads, too', 'comment.yaml', `# $schema: ${schema}`],
    ['a root key', 'key.yaml', `$schema: ${schema}`],
    ['a glob of the workspace settings', 'tool-glob.yaml', '# nothing'],
  ];

  it.each(ways)('P19 a schema is bound by %s', async (_, name, line) => {
    const path = `${fixtures}/binding/${name}`;
    expect(await findingsOf(server, path, `${line}\nefect: read\n`)).toEqual(refused);
    const open = server.open(path.replace('.yaml', '-2.yaml'), `${line}\neffect: \n`);
    const labels = (await server.complete(open, { line: 1, character: 8 })).map(item => item.label);
    expect(labels).toEqual(['read', 'write', 'destructive']);
  });

  it('P19 a file without a binding has no schema', async () => {
    expect(await findingsOf(server, `${fixtures}/binding/unbound.yaml`, '# nothing\nefect: read\n')).toEqual([]);
  });

  it('P19 a schema bound by a glob applies to the second document of a combined file', async () => {
    const text = 'get-issue: { effect: read }\n---\nsearch-issues: { efect: read }\n';
    const findings = await findingsOf(server, `${fixtures}/binding/tools-stream.yaml`, text);
    expect(findings).toEqual([{ line: 3, message: 'Property efect is not allowed.' }]);
  });
});
