// `toolwright dev` as its author sees it: lines, a status view on a terminal, JSON, usage, the end; and what it leaves behind.
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { afterEach, describe, expect, it } from 'vitest';
import { openView } from '../../../cli/dev/view.js';
import { nodeWithoutNpm } from '../../harness/registry-user.js';
import { command, editFiles, endSessions, makePack, startDev, toolOf } from './dev-kit.js';

afterEach(endSessions);

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs it until stdin ends, which is after `act`. */
async function runDev(
  pack: string,
  args: readonly string[],
  act: (input: {
    until(text: string | RegExp): Promise<void>;
    send(line: object): void;
  }) => Promise<void> = async () => {},
): Promise<Run> {
  const env = { ...process.env, TOOLWRIGHT_CACHE: join(dirname(pack), 'cache') };
  const child = spawn(process.execPath, [command, 'dev', ...args], { cwd: pack, env, stdio: 'pipe' });
  const seen = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', text => {
    seen.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    seen.stderr += text;
  });
  child.stdin.on('error', () => undefined);
  const exit = new Promise<number | null>(resolve => child.once('close', resolve));
  const until = async (text: string | RegExp): Promise<void> => {
    const isThere = (): boolean => (typeof text === 'string' ? seen.stderr.includes(text) : text.test(seen.stderr));
    while (!isThere()) {
      if (child.exitCode !== null) throw new Error(`it ended: ${seen.stderr}`);
      await new Promise(go => setTimeout(go, 20));
    }
  };
  try {
    await act({ until, send: line => child.stdin.write(`${JSON.stringify(line)}\n`) });
  } finally {
    child.stdin.end();
  }
  return { code: await exit, ...seen };
}

describe('lines of `toolwright dev`', () => {
  it('P23 `dev` prints what is served, what changed, what is wrong with its position and code, and what was called', async () => {
    const pack = makePack(toolOf('a', 'a'));
    const { code, stdout, stderr } = await runDev(pack, [], async ({ until, send }) => {
      await until(/serving main 1\.0\.0: 1 tool /);
      editFiles(pack, { 'mcp/tools/a.yaml': 'description: A\nparametres: {}\n' });
      await until('still serving the last good version');
      editFiles(pack, { 'mcp/tools/a.yaml': 'description: A\n' });
      await until('dev: fixed');
      const clientInfo = { name: 't', version: '1' };
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
      send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'a' } });
      await until(/dev: a ok \(\d+ ms\)/);
    });
    expect(code).toBe(0);
    expect(stderr).toContain('mcp/tools/a.yaml:2:1 error');
    expect(stderr).toMatch(/2 \| parametres: \{\}\n/);
    expect(stderr).toMatch(/dev: reloaded, clients notified: tools <- mcp\/tools\/a.yaml/);
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  it('P23 `dev` keeps the output of handlers off stdout, and `--quiet` prints only problems', async () => {
    const pack = makePack({
      ...toolOf('a', 'a'),
      'src/init.ts': "console.log('hello from code');\nexport default () => {};\n",
    });
    editFiles(pack, { 'mcp/servers/main.yaml': 'initialize: src/init.ts\n' });
    const { code, stdout, stderr } = await runDev(pack, ['--quiet'], ({ until }) => until('hello from code'));
    expect([code, stdout, stderr]).toEqual([0, '', 'hello from code\n']);
  });

  it('fix-N21 `dev` reloads for modules that the server imports, and not for scripts and tests', async () => {
    const pack = makePack({
      ...toolOf('a', 'a'),
      'src/lib/used.ts': "export const used = 'first';\n",
      'src/lib/other.ts': "export const other = 'first';\n",
      'scripts/load.mjs': 'export {};\n',
    });
    editFiles(pack, { 'src/tools/a.ts': "import { used } from '../lib/used.js';\nexport default () => used;\n" });
    const { stderr } = await runDev(pack, [], async ({ until }) => {
      await until(/serving main 1\.0\.0: 1 tool /);
      for (const path of ['scripts/load.mjs', 'src/tools/a.test.ts', 'src/lib/other.ts'])
        editFiles(pack, { [path]: "export const other = 'second';\n" });
      editFiles(pack, { 'src/lib/used.ts': "export const used = 'second';\n" });
      await until('<- src/lib/used.ts');
      // What imports it makes it one that counts.
      editFiles(pack, { 'src/tools/a.ts': "import { other } from '../lib/other.js';\nexport default () => other;\n" });
      await until('<- src/tools/a.ts');
      editFiles(pack, { 'src/lib/other.ts': "export const other = 'third';\n" });
      await until('<- src/lib/other.ts');
    });
    const causes = [...stderr.matchAll(/<- (.*) \(/g)].map(([, cause]) => cause);
    expect(causes).toEqual(['src/lib/used.ts', 'src/tools/a.ts', 'src/lib/other.ts']);
  });

  it('fix-N18 `dev` says once which of several servers it took, and serves that one', async () => {
    const pack = makePack({
      ...toolOf('a', 'a'),
      'toolwright.yaml': 'servers: [other, main]\n',
      'mcp/servers/other.yaml': 'description: Other\n',
    });
    const { stderr } = await runDev(pack, [], async ({ until }) => {
      await until(/serving other 1\.0\.0: 1 tool /);
      editFiles(pack, { 'mcp/tools/a.yaml': 'description: B\n' });
      await until('reloaded');
    });
    expect(stderr.match(/dev: using the server "other", .* for another: toolwright dev main\n/g)).toHaveLength(1);
  });

  it('P23 `dev --format json` prints one event per line', async () => {
    const pack = makePack(toolOf('a', 'a'));
    const { stderr } = await runDev(pack, ['--format', 'json'], ({ until }) => until('serving'));
    const events = stderr
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { event: string; time: string });
    expect(events.at(-1)).toMatchObject({
      event: 'serving',
      server: 'main',
      counts: { tools: 1, prompts: 0, resources: 0 },
    });
    expect(Date.parse(events[0]?.time ?? '')).toBeGreaterThan(0);
  });
});

describe('status view of `toolwright dev`', () => {
  it('P23 the status view shows server, problems and last calls, and clears what is fixed', () => {
    let screen = '';
    const options = { flags: { format: 'text' }, cwd: '/', paint: pc.createColors(false) } as const;
    const view = openView(
      {
        write: text => {
          screen += text;
        },
        columns: 60,
      },
      options,
    );
    /** What is left on a terminal after everything that was written. */
    const shown = (): string => {
      const lines: string[] = [''];
      for (const part of screen.split(/(\u001b\[\d*[AJ]|\u001b\[\?7[lh]|\n)/)) {
        const [, up] = /^\u001b\[(\d+)A$/.exec(part) ?? [];
        if (up !== undefined) lines.splice(lines.length - 1 - Number(up), Number(up) + 1, '');
        else if (part === '\n') lines.push('');
        else if (!part.startsWith('\u001b')) lines[lines.length - 1] += part;
      }
      return lines.join('\n');
    };
    const counts = { tools: 2, prompts: 0, resources: 1 };
    view.show({ event: 'serving', server: 'jira', version: '1.0.0', counts, causes: [], changed: [], ms: 12 });
    view.show({ event: 'call', kind: 'tool', name: 'get', result: 'error', code: 'NOT_FOUND', ms: 3 });
    const site = { file: 'a.yaml', line: 1, column: 2, endLine: 1, endColumn: 3 };
    const diagnostic = { code: 'validate/unknown-key', severity: 'error', message: 'unknown key', ...site } as const;
    view.show({ event: 'broken', serving: 'last', diagnostics: [diagnostic], fresh: [diagnostic], folders: [] });
    expect(shown()).toMatch(
      /jira 1\.0\.0: 2 tools, 1 resource started .*\nx a\.yaml:1:2 unknown key\n {2}\S+ get error NOT_FOUND \(3 ms\)\n$/,
    );
    view.show({ event: 'fixed' });
    expect(shown().match(/a\.yaml:1:2/g)).toHaveLength(1);
    expect(shown()).not.toMatch(/^x /m);
    for (let index = 0; index < 20; index += 1)
      view.show({ event: 'call', kind: 'tool', name: `t${index}`, result: 'ok', ms: 1 });
    expect(shown().match(/ t\d+ ok/g)).toEqual([' t15 ok', ' t16 ok', ' t17 ok', ' t18 ok', ' t19 ok']);
    view.close();
    expect(shown()).not.toContain('jira 1.0.0: 2 tools, 1 resource started');
  });
});

describe('fix-N22 lines of `toolwright dev` on a terminal', () => {
  it.each([30, 44, 60, 100])('the status view fits into %d columns and cuts no number', columns => {
    let screen = '';
    const options = { flags: { format: 'text' }, cwd: '/', paint: pc.createColors(true) } as const;
    const view = openView(
      {
        write: text => {
          screen += text;
        },
        columns,
      },
      options,
    );
    const counts = { tools: 123, prompts: 45, resources: 67 };
    const event = { event: 'serving', server: 'reading-list', version: '1.0.0', counts, changed: [] } as const;
    view.show({ ...event, causes: [], ms: 1526 });
    view.show({ event: 'listening', url: 'http://127.0.0.1:34567/mcp' });
    view.show({
      event: 'call',
      kind: 'tool',
      name: 'a-very-long-name-of-a-tool-in-this-pack',
      result: 'ok',
      ms: 98765,
    });
    const drawn = stripVTControlCharacters(
      screen.slice(screen.lastIndexOf('\u001b[0J')).replaceAll(/\u001b\[\?7[lh]/g, ''),
    );
    const lines = drawn.trimEnd().split('\n');
    for (const line of lines) expect(line.length).toBeLessThan(columns);
    const [, status = '', call = ''] = lines;
    expect(status).toMatch(/started \d\d:\d\d:\d\d \(1526 ms\)$/);
    const numbers = `${status} ${call}`.replaceAll(/\d\d:\d\d:\d\d/g, '').match(/\d+/g) ?? [];
    const whole = ['1', '0', '123', '45', '67', '127', '34567', '1526', '98765'];
    expect(numbers.filter(number => !whole.includes(number))).toEqual([]);
    if (columns === 44 || columns === 60) expect(status).toContain('...');
  });

  it('a warning is marked as one and printed once, and `dev` does not say that anything is left out', async () => {
    const pack = makePack({
      ...toolOf('a', 'a'),
      'mcp/tools/a.yaml': 'description: A\nannotations: { readonly: true }\n',
      '.env': 'TOKEN\n',
    });
    const { stderr } = await runDev(pack, [], async ({ until }) => {
      await until('this line sets no variable');
      editFiles(pack, { '.env': '# moved\nTOKEN\n', 'mcp/tools/a.yaml': 'description: B\n' });
      await until('reloaded');
    });
    expect(stderr.match(/this line sets no variable/g)).toHaveLength(1);
    expect(stderr).toContain('.env:1:1 warning');
    expect(stderr).not.toContain('everything else is served');
    let screen = '';
    const options = { flags: { format: 'text' }, cwd: '/', paint: pc.createColors(false) } as const;
    const view = openView(
      {
        write: text => {
          screen += text;
        },
        columns: 80,
      },
      options,
    );
    const site = { file: 'a.yaml', line: 1, column: 2, endLine: 1, endColumn: 3 };
    const diagnostic = { code: 'config/env-line', severity: 'warning', message: 'odd', ...site } as const;
    view.show({ event: 'broken', serving: 'rest', diagnostics: [diagnostic], fresh: [], folders: [] });
    expect(screen).toContain('! a.yaml:1:2 odd');
    expect(screen).not.toMatch(/x a\.yaml|is served/);
  });
});

describe('usage mistakes of `toolwright dev`', () => {
  it('P23 `dev` reports an unknown server, a folder without a pack and a taken port once, and ends', async () => {
    const pack = makePack({ ...toolOf('a', 'a'), 'mcp/servers/other.yaml': 'description: Other\n' });
    const which = await runDev(pack, []);
    expect([which.code, which.stdout]).toEqual([2, '']);
    expect(which.stderr).toContain('toolwright: which server? demo has main, other\n');
    const wrong = await runDev(pack, ['man']);
    expect([wrong.code, wrong.stderr.includes('there is no server "man": did you mean "main"?')]).toEqual([2, true]);
    const nothing = await runDev(dirname(pack), []);
    expect([nothing.code, nothing.stderr.includes('toolwright.yaml')]).toEqual([2, true]);
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise(go => taken.once('listening', go));
    const { port } = taken.address() as { readonly port: number };
    const busy = await runDev(pack, ['main', '--http', String(port)]);
    taken.close();
    expect([busy.code, busy.stderr.includes(`port ${port} is in use`)]).toEqual([1, true]);
    const open = await runDev(pack, ['main', '--http', '0', '--host', '0.0.0.0']);
    expect([open.code, open.stdout]).toEqual([1, '']);
  });

  it('P23 `dev --inspect` prints the command when the inspector cannot run, and dev-worker is not for people', () => {
    const pack = makePack(toolOf('a', 'a'));
    writeFileSync(join(pack, 'npx'), '');
    const env = { ...process.env, PATH: pack };
    const { status, stderr } = spawnSync(nodeWithoutNpm({ folder: pack }), [command, 'dev', '--inspect', '--mock'], {
      cwd: pack,
      env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('npx -y @modelcontextprotocol/inspector')]);
    // Over its pipes, whatever the server says of HTTP.
    expect(stderr).toContain(`dev --stdio --cwd '${pack}' --mock`);
    const worker = spawnSync(process.execPath, [command, 'dev-worker'], { encoding: 'utf8' });
    expect([worker.status, worker.stderr]).toEqual([2, 'toolwright: dev-worker is started by toolwright dev\n']);
    const help = spawnSync(process.execPath, [command, '--help'], { encoding: 'utf8' });
    expect(help.stdout).not.toContain('dev-worker');
  });
});

describe('the end of `toolwright dev`', () => {
  it('P23 `dev` leaves no process behind when the client is gone, at SIGTERM or when killed', async () => {
    const gone = async (pids: readonly number[]): Promise<void> => {
      const isAlive = (pid: number): boolean => {
        try {
          return process.kill(pid, 0);
        } catch {
          return false;
        }
      };
      while (pids.some(isAlive)) await new Promise(go => setTimeout(go, 20));
    };
    const disposing = {
      ...toolOf('a', 'a'),
      'toolwright.yaml': 'context: src/context.ts#create\n',
      'src/context.ts': "export const create = () => ({ dispose() { console.log('disposed'); } });\n",
    };
    const dev = await startDev(disposing);
    await dev.next('serving');
    await dev.call('a');
    const workers = dev.workers();
    expect(workers.length).toBeGreaterThan(0);
    await dev.stop();
    await gone(workers);
    expect(dev.events.some(one => one.event === 'output' && one.text === 'disposed')).toBe(true);
    const http = await startDev(disposing, { way: { line: '2.x', transport: 'http' } });
    await http.next('serving');
    const others = http.workers();
    await http.stop();
    await gone(others);
    const killed = await startDev(disposing);
    await killed.next('serving');
    const left = killed.workers();
    process.kill(killed.pid, 'SIGKILL');
    await gone(left);
  });
});
