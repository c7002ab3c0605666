// fix-F10: whatever code of an installed pack cannot be loaded, stderr has the reason: file, line and what is wrong there.
import { describe, expect, it } from 'vitest';
import { below, writeFolder } from '../../runtime/packs/code-packs.js';
import { makePack, startSession, toolwright } from '../../runtime/packs/packs-kit.js';

const broken = 'export const a = 1;\nexport const a = 2;\nexport default () => a;\nexport function make() {}\n';
const reason = /lib\/broken\.js:2:\d+: .*Multiple exports with the same name/;

function desk(tool: string, more: Readonly<Record<string, string>> = {}): string {
  return writeFolder({
    ...makePack('desk', { servers: { desk: 'tools: [acme/jira/t, acme/jira/good]\n' } }),
    ...below('node_modules/@acme/jira', {
      ...makePack('@acme/jira', { tools: { good: '' } }),
      'mcp/tools/t.yaml': `description: d\n${tool}`,
      'mcp/servers/main.yaml': 'initialize: lib/broken.js#make\n',
      'lib/tools/t.js': 'export default (args, ctx) => typeof ctx.app;\n',
      'lib/broken.js': broken,
      ...more,
    }),
  });
}

describe('reasons on stderr', () => {
  it('fix-F10 W63 stderr has the reason when initialize of a server cannot be loaded', async () => {
    const { status, stderr } = await toolwright(['start', 'acme/jira/main'], { cwd: desk('') });
    expect([status, stderr]).toEqual([1, expect.stringMatching(reason)]);
    expect(stderr).toContain('initialize for the server main failed: The code in the pack acme/jira cannot be loaded');
  });

  it.each([
    ['initialize of a tool at start', 'initialize: { handler: lib/broken.js#make, when: start }\n', {}],
    ['initialize of a tool with its first call', 'initialize: lib/broken.js#make\n', {}],
    ['a handler', 'handler: lib/broken.js#make\n', {}],
    ['the context', '', { 'toolwright.yaml': 'handlers: lib\ncontext: lib/broken.js#make\n' }],
  ])('fix-F10 W63 stderr has the reason when the code cannot be loaded: %s', async (_, tool, more) => {
    const session = await startSession(['desk'], { cwd: desk(tool, more) });
    expect(await session.call('t')).toBe('PACK_BROKEN: The code in the pack acme/jira cannot be loaded');
    if (tool !== '') expect(await session.call('good')).toContain('good');
    expect(session.stderr()).toMatch(reason);
    await session.client.close();
  });
});
