// X2, X3, X12: three public servers and a pack for each. With the same flags and variables, the pack lists what the original lists.
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, describe, expect, it } from 'vitest';
import { type Capture, captureServer } from '../../../../generator/import/server/capture.js';
import { root } from '../../../harness/build-pack.js';
import { writeFiles } from '../../../harness/files.js';
import type { Target } from '../../../harness/interop-clients.js';
import { builtOf, installOriginal, run, startOf } from '../ports/originals.js';
import { type RealServer, realServers, type Start, type Tool } from './real-servers.js';
import { renewPack } from './renew-pack.js';

const isWhole = process.env['TOOLWRIGHT_SURFACES'] === 'all';
const isRenewed = process.env['TOOLWRIGHT_SURFACES'] === 'renew';
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-surfaces-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** By name: Kubernetes has another order in its read-only mode, and no client depends on it. Unknown keys are kept. */
async function list({ command, args, cwd, env = {} }: Target): Promise<readonly Tool[]> {
  const client = new Client({ name: 'surfaces', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command, args: [...args], cwd, env: { ...shared, ...env }, stderr: 'ignore' }),
  );
  try {
    // A server without tools may say that it has none, or list none.
    if (client.getServerCapabilities()?.tools === undefined) return [];
    const { tools, nextCursor } = await client.request({ method: 'tools/list' }, ResultSchema.loose());
    expect(nextCursor).toBeUndefined();
    return (tools as Tool[]).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    await client.close();
  }
}

const shared = { PATH: process.env['PATH'] ?? '', HOME: folder, CI: 'true' };

function title({ words = [], env = {} }: Start): string {
  const all = [...Object.entries(env).map(([key, value]) => `${key}=${value}`), ...words];
  return all.length === 0 ? 'nothing' : all.join(' ');
}

/** The proof is about lists: every tool says which one was called. */
const answer = `export function answer(_args: unknown, ctx: { readonly tool: { readonly name: string } }): string {
  return ctx.tool.name;
}
`;

function makePack({ name }: RealServer): string {
  const pack = join(folder, name);
  cpSync(join(import.meta.dirname, 'packs', name), pack, { recursive: true });
  writeFiles(pack, { 'node_modules/.keep': '', 'src/answer.ts': answer });
  symlinkSync(root, join(pack, 'node_modules/toolwright'), 'dir');
  run(pack, 'generate');
  return pack;
}

describe.each(realServers)('$name', real => {
  const main = installOriginal(real.package, real.version, real.main);
  if (main === undefined) return it.skip('X2 its package cannot be installed', () => {});
  const original = ({ words = [], env = {} }: Start) =>
    list({ command: process.execPath, args: [main, ...words], cwd: folder, env: { ...real.env, ...env } });

  if (isRenewed)
    return it('X2 the manifests are what the original lists', { timeout: 600_000 }, async () => {
      const capture = async ({ words = [], env = {} }: Start, more: readonly string[]): Promise<Capture> => {
        const command = [process.execPath, main, ...words];
        const address = { command, cwd: folder, env: { ...real.env, ...env } };
        const captured = await captureServer(address, { folder, environment: { ...shared }, words: more });
        if (captured.capture === undefined) throw new Error(captured.diagnostics[0]?.message);
        return captured.capture;
      };
      await renewPack(real, join(import.meta.dirname, 'packs', real.name), capture);
    });

  const pack = makePack(real);
  const built = builtOf(pack, {});
  const started = startOf(pack, {});
  const lists = new Set<string>();

  it.each((isWhole ? [...real.few, ...real.many] : real.few).map(start => [title(start), start] as const))(
    'X2 the pack lists what the original lists with %s',
    async (_, start) => {
      const { words = [], env = {} } = start;
      const [expected, ...ours] = await Promise.all([
        original(start),
        list({ ...started, args: [...started.args, '--', ...words], env }),
        list({ ...built, args: [...built.args, ...words], env }),
      ]);
      for (const tools of ours) expect(tools).toEqual(expected);
      lists.add(JSON.stringify(expected));
    },
  );

  it('X2 the lists of the original differ', () => {
    expect(lists.size).toBeGreaterThan(real.few.length / 2);
  });
});
