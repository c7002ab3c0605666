// B8: a pack with secrets in every place, whose services, databases, programs and servers give away all that they are sent. Everything that leaves
// Toolwright is searched: what clients get, what operators read, what commands print and write.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRegistry } from '../../../runtime/index.js';
import { writePack } from '../../harness/build-pack.js';
import { openCommands } from '../../harness/commands.js';
import { readTree } from '../../harness/files.js';
import { audience, callerToken, findReceived, findSecrets, secrets, settings } from './secrets/canaries.js';
import { type HostilePostgres, startHostilePostgres } from './secrets/hostile-postgres.js';
import { type HostileService, startHostileService } from './secrets/hostile-service.js';
import { answersWanted, type Era, playHttp, playStdio } from './secrets/play.js';
import { operatorEnv, packFiles, type World, waysOf } from './secrets/secrets-pack.js';
import { command } from './server-ways.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-secrets-')));
const pack = join(folder, 'pack');
const commands = openCommands(120_000);
let world: World;
let service: HostileService;
let postgres: HostilePostgres;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  [service, postgres] = await Promise.all([startHostileService(), startHostilePostgres()]);
  world = { service: service.origin, postgresPort: postgres.port, received: join(folder, 'received.txt') };
  writePack(pack, packFiles(world));
  env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    TOOLWRIGHT_CACHE: join(folder, 'cache'),
    ...operatorEnv(world),
  };
  for (const out of [['dist'], ['single', '--single-file'], ['external', '--definitions', 'external', '--sourcemap']]) {
    const built = await commands.run(['build', '--out', ...out], { cwd: pack, env });
    if (built.status !== 0) throw new Error(built.stdout + built.stderr);
  }
}, 120_000);
afterAll(() => {
  service.stop();
  postgres.stop();
  commands.close();
  rmSync(folder, { recursive: true, force: true });
});

/** All that upstreams were sent, of every kind. */
function received(): readonly string[] {
  return findReceived(`${service.received()}${postgres.received()}${readFileSync(world.received, 'utf8')}`);
}

const sent = [...Object.keys(secrets), ...Object.keys(settings), 'PROXY', 'access token', 'caller token'].filter(
  key => key !== 'HANDLER_TOKEN',
);

const servers: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['start', [command, 'start']],
  ['dev', [command, 'dev', '--stdio']],
  ['built folder', [join(pack, 'dist/main.cjs')]],
  ['built file', [join(pack, 'single/main.mjs')]],
  ['external definitions', [join(pack, 'external/main.cjs')]],
];
const eras: readonly Era[] = ['2025', '2026'];

/** Commands that read the pack and call nothing. */
const looking: readonly (readonly string[])[] = [
  ['check'],
  ['check', '--format', 'json'],
  ['check', '--format', 'sarif'],
  ['generate'],
  ['list', '--all'],
  ['list', '--format', 'json'],
  ['inspect'],
  ['inspect', '--format', 'json'],
  ['inspect', '--format', 'mermaid'],
  ...Object.keys(waysOf).map(name => ['explain', `tool:${name}`]),
  ['explain', 'tool:ask-headers', '--format', 'json'],
  ['explain', 'server:main', '--format', 'json'],
  ['schema', 'tool'],
  ['doctor'],
  ['doctor', '--format', 'json'],
  ['lock'],
  ['docs'],
  ['docs', '--html'],
  ['docs', '--stdout'],
  ['docs', '--stdout', '--format', 'json'],
];

/** What is printed in a way of its own: errors, logs, what is said on stderr. */
const printedApart = /-(?:refused|log|progress|stderr|die|http-error)$/;

describe('B8 secrets', () => {
  it('B8 secrets reach what they are for, and stay out of results, errors, logs, progress and reports', async () => {
    const reports: string[] = [];
    const registry = await createRegistry(pack, { env, report: text => reports.push(text) });
    const leaks: string[] = [];
    const codes = new Set<unknown>();
    const auth = { token: callerToken, clientId: 'test', scopes: [], claims: { aud: audience } };
    const note = (where: string, text: string): void => {
      const found = findSecrets(text);
      if (found.length > 0) leaks.push(`${where}: ${found.join(', ')}`);
    };
    try {
      for (const [tool, ways] of Object.entries(waysOf))
        for (const way of ways) {
          // That one is for a process that waits for it.
          if (way === 'reject') continue;
          const told: unknown[] = [];
          const tell = (one: unknown): void => void told.push(one);
          const result = await registry.invoke(tool, { way }, { auth, onLog: tell, onProgress: tell });
          codes.add(result.ok ? 'ok' : result.error.code);
          note(`${tool} ${way}`, JSON.stringify([result, told]));
          note(`${tool} ${way}, for the operator`, reports.splice(0).join('\n'));
        }
    } finally {
      await registry.close();
    }
    expect(leaks).toEqual([]);
    expect(received()).toEqual(expect.arrayContaining(sent));
    // Nothing was refused before it got anywhere.
    for (const code of ['UNKNOWN_TOOL', 'CONFIG_MISSING', 'IDENTITY_MISSING']) expect([...codes]).not.toContain(code);
  }, 200_000);

  it.each(eras.flatMap(era => servers.map(([name, args]) => [name, era, args] as const)))(
    'B8 secrets leave a server neither for its client nor on stderr: %s over pipes, %s',
    async (_name, era, args) => {
      const got = await playStdio({ args, cwd: pack, env }, era);
      expect(got.split('\n').length).toBeGreaterThan(answersWanted);
      expect(got).toContain('[secret BEARER]');
      expect(findSecrets(got)).toEqual([]);
    },
    200_000,
  );

  it.each(eras.flatMap(era => servers.slice(0, 3).map(([name, args]) => [name, era, args] as const)))(
    'B8 secrets leave a server neither for its client nor on stderr: %s over HTTP, %s',
    async (_name, era, args) => {
      const got = await playHttp({ args: args.filter(word => word !== '--stdio'), cwd: pack, env }, era);
      expect(got).toContain('[secret BEARER]');
      expect(findSecrets(got)).toEqual([]);
    },
    200_000,
  );

  it('B8 commands that look at a pack print no secret', async () => {
    for (const words of looking) {
      const { status, stdout, stderr } = await commands.run(words, { cwd: pack, env });
      expect([words.join(' '), status, findSecrets(stdout + stderr)]).toEqual([words.join(' '), 0, []]);
    }
    // It has items that workers cannot run: its diagnostics quote the pack.
    const refused = await commands.run(['build', '--target', 'worker', '--out', 'worker'], { cwd: pack, env });
    expect([refused.status, findSecrets(refused.stdout + refused.stderr)]).toEqual([1, []]);
  }, 200_000);

  it('B8 call, call --dry-run and test print no secret, in any format', async () => {
    const leaks: string[] = [];
    const shown: string[] = [];
    const run = async (...words: string[]): Promise<void> => {
      const { status, stdout, stderr } = await commands.run(words, { cwd: pack, env });
      const found = findSecrets(stdout + stderr);
      shown.push(stdout + stderr);
      if (found.length > 0 || status === 70 || status === null)
        leaks.push(`${words.join(' ')}: ${status}, ${found.join(', ')}`);
    };
    // Results of other servers are tried by clients, above.
    const called = Object.entries(waysOf).filter(
      ([tool]) => !/^(?:child|remote|acting)-/.test(tool) || printedApart.test(tool),
    );
    for (const [index, [tool, ways]] of called.entries()) {
      const format = ['--format', index % 2 === 0 ? 'text' : 'json'];
      const [way, last] = [ways.at(0), ways.at(-1)].map(one => JSON.stringify({ way: one }));
      await run('call', tool, way ?? '', ...format);
      if (last !== way && !/^ask-(?!bearer)/.test(tool)) await run('call', tool, last ?? '', ...format);
      const isDry = tool !== 'handle' && !/-(?:refused|log|progress|stderr|die)$/.test(tool);
      if (isDry) await run('call', tool, way ?? '', '--dry-run', ...format);
    }
    await run('call', 'handle', '{"way":"crash"}');
    for (const uri of ['told://child', 'told://remote', 'told://page/error-go']) await run('call', uri);
    for (const prompt of ['child', 'remote']) await run('call', prompt);
    for (const format of ['text', 'json', 'junit', 'github']) await run('test', '--format', format);
    await run('test', '--format', 'junit', '--output', 'report.xml');
    expect(leaks).toEqual([]);
    expect(shown.join('\n')).toContain('authorization: Bearer ***');
  }, 600_000);

  it('B8 no file that was written has a secret in it', () => {
    const files = Object.entries(readTree(folder, 'latin1')).filter(([path]) => path !== 'received.txt');
    const paths = files.map(([path]) => path);
    for (const wanted of ['pack/dist/main.cjs', 'pack/single/main.mjs', 'pack/docs/index.html', 'pack/report.xml'])
      expect(paths).toContain(wanted);
    const leaks = files.flatMap(([path, text]) => (findSecrets(text).length > 0 ? [path] : []));
    expect(leaks).toEqual([]);
  }, 200_000);
});
