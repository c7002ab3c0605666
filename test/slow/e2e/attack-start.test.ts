// `toolwright start` with handlers that take what belongs to the protocol: real processes, real pipes.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { writeFiles } from '../../harness/files.js';

const command = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright attack (1) -'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const handlers: Readonly<Record<string, string>> = {
  quick: `export default () => 'quick';`,
  pauses: `export default () => { process.stdin.pause(); return 'did'; };`,
  closes: `export default () => { process.stdin.destroy(); return 'did'; };`,
  decodes: `export default () => { process.stdin.setEncoding('utf16le'); return 'did'; };`,
  unrefs: `export default () => { process.stdin.unref?.(); process.stdin.removeAllListeners(); return 'did'; };`,
  imports: `import { stdin } from 'node:process';
    export default () => { stdin.pause(); return 'did'; };`,
  asks: `import { createInterface } from 'node:readline/promises';
    export default async () => {
      const lines = createInterface({ input: process.stdin, output: process.stdout });
      const closed = new Promise(resolve => lines.once('close', () => resolve('nobody')));
      const answer = await Promise.race([lines.question('Sure?').catch(() => 'failed'), closed]);
      lines.close();
      return answer;
    };`,
  reads: `export default async () => { let all = ''; for await (const part of process.stdin) all += part; return 'read ' + all; };`,
  prints: `export default () => { console.log('NOISE'); return 'did'; };`,
  calls: `export default async (_: object, ctx: any) => (await Promise.all(Array.from({ length: 40 }, () => ctx.call('quick')))).length;`,
  stray: `export default async () => { Promise.reject(new Error('forgot ' + process.env.TOKEN)); await new Promise(go => setTimeout(go, 100)); return 'fine'; };`,
  timer: `export default () => { setTimeout(() => { throw new Error('late ' + process.env.TOKEN); }, 10); return new Promise(() => {}); };`,
  client: `export default (_: object, ctx: any) => {
    const tries = [() => { ctx.client.name = 'evil'; }, () => { ctx.client.capabilities.sampling = {}; }];
    for (const attempt of tries) try { attempt(); } catch {}
    return JSON.stringify(ctx.client);
  };`,
};

function writePack(): string {
  const files: Record<string, string> = {
    'toolwright.yaml': 'config:\n  TOKEN: { type: string, secret: true }\n',
    'package.json': '{"name": "demo", "version": "1.0.0", "type": "module"}',
    'mcp/servers/main.yaml': 'description: Main\n',
  };
  for (const [name, code] of Object.entries(handlers)) {
    files[`mcp/tools/${name}.yaml`] = `description: ${name}\n`;
    files[`src/tools/${name}.ts`] = code;
  }
  writeFiles(folder, files);
  return folder;
}

interface Answer {
  readonly id: number;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

/** Calls tools one after the other; the texts of their answers. Fails where one has none within ten seconds. */
async function callAll(
  names: readonly string[],
): Promise<{ readonly texts: readonly string[]; readonly stderr: string }> {
  const child = spawn(process.execPath, [command, 'start'], {
    cwd: writePack(),
    env: { ...process.env, TOOLWRIGHT_CACHE: join(folder, 'cache') },
  });
  let [stdout, stderr] = ['', ''];
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', chunk => {
    stdout += chunk;
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', chunk => {
    stderr += chunk;
  });
  child.stdin.on('error', () => undefined);
  const answerTo = (id: number): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${id}: ${stderr}`)), 10_000);
      const look = (): void => {
        const lines = stdout.split('\n').slice(0, -1);
        const found = lines.map(line => JSON.parse(line) as Answer).find(message => message.id === id);
        if (found === undefined) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const ask = (id: number, method: string, params: object): Promise<Answer> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answerTo(id);
  };
  try {
    const clientInfo = { name: 'good', version: '1' };
    await ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    const texts: string[] = [];
    for (const [index, name] of names.entries()) {
      const { result } = await ask(index + 1, 'tools/call', { name, arguments: {} });
      texts.push(result?.content[0]?.text ?? '');
    }
    return { texts, stderr };
  } finally {
    child.kill('SIGKILL');
  }
}

it('W85 handlers that pause, close or read stdin do not disturb the server', async () => {
  const names = ['pauses', 'closes', 'decodes', 'unrefs', 'imports', 'asks', 'reads', 'quick'];
  const { texts } = await callAll(names);
  expect(texts).toEqual(['did', 'did', 'did', 'did', 'did', expect.any(String), 'read ', 'quick']);
}, 60_000);

it('W85 the hint about stdout names the position, also in a folder with blanks and brackets', async () => {
  const { stderr } = await callAll(['prints', 'quick']);
  expect(stderr).toContain(`code at ${join(folder, 'src/tools/prints.ts')}:1:`);
}, 60_000);

it('M35 forty calls of other tools at once cause no warning about a leak', async () => {
  const { texts, stderr } = await callAll(['calls', 'quick']);
  expect(texts).toEqual(['40', 'quick']);
  expect(stderr).not.toContain('Warning');
}, 60_000);

it('C5 a handler cannot change what later calls know about the client', async () => {
  const { texts } = await callAll(['client', 'client']);
  for (const text of texts) expect(JSON.parse(text)).toEqual({ name: 'good', version: '1', capabilities: {} });
}, 60_000);

function runCommand(...args: readonly string[]) {
  return spawnSync(process.execPath, [command, ...args], {
    cwd: writePack(),
    encoding: 'utf8',
    input: '',
    env: { ...process.env, TOOLWRIGHT_CACHE: join(folder, 'cache'), TOKEN: 'hunter22-secret' },
  });
}

it('M20 `call` reports what a handler forgot to catch without secrets, and a forgotten promise ends nothing', () => {
  const stray = runCommand('call', 'stray');
  expect([stray.status, stray.stdout]).toEqual([0, 'fine\n']);
  expect(stray.stderr).toContain('a promise that nobody awaited was rejected: Error: forgot [secret TOKEN]');
  const timer = runCommand('call', 'timer');
  expect([timer.status, timer.stdout]).toEqual([1, '']);
  expect(timer.stderr).toContain(
    'an uncaught exception ends the server; under way: "timer": Error: late [secret TOKEN]',
  );
  expect(stray.stderr + timer.stderr).not.toMatch(/hunter22|Node\.js v/);
}, 60_000);

it('J71 `start` and `call` refuse an overlay that does not exist', () => {
  for (const args of [['start'], ['call', 'quick']]) {
    const { status, stdout, stderr } = runCommand(...args, '--overlay', 'nowhere');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('[overlay/not-found]');
    expect(stderr).not.toContain('everything else is served');
  }
}, 60_000);

it('J71 `start` and `call` refuse a broken patch, because it may switch something off', () => {
  const overlay = join(folder, 'broken overlay');
  mkdirSync(join(overlay, 'tools'), { recursive: true });
  writeFileSync(join(overlay, 'tools/quick.yaml'), 'enabled: false\ndescripton: x\n');
  for (const args of [['start'], ['call', 'quick']]) {
    const { status, stdout, stderr } = runCommand(...args, '--overlay', overlay);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('descripton');
    expect(stderr).not.toContain('everything else is served');
  }
}, 60_000);
