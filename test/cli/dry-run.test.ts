// `toolwright call --dry-run`: what an item without code would do, and that it does not.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openCommands } from '../harness/commands.js';
import { writeFiles } from '../harness/files.js';
import { echo, startService } from '../runtime/backends/http/service.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright dry run-'));
const commands = openCommands();
afterAll(() => {
  commands.close();
  rmSync(folder, { recursive: true, force: true });
});

const canary = 'canary-4711';
const pack = writeFiles(join(folder, 'pack'), {
  'toolwright.yaml': `
config:
  API: string
  TOKEN: { type: string, secret: true }
backends:
  api: { type: http, url: "{config.API}/v1", auth: { bearer: TOKEN }, allowAddresses: [loopback], headers: { X-Own: "{config.TOKEN}" } }
  main: { type: sqlite, url: "sqlite:x.db" }
  theirs: { type: mcp, command: [node, started.mjs, theirs], env: { TOKEN: "{config.TOKEN}" } }
`,
  'started.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('started', '');\n",
  'mcp/servers/main.yaml': 'description: Main\n',
  'mcp/tools.yaml': `
get:
  description: A request with a promised output, after consent
  confirm: true
  serial: x
  resultText: "Found {{key}}"
  parameters: { key: string }
  http: { path: "/issue/{key}", headers: { X-Key: "{config.TOKEN}" } }
  output: { key: string }
find:
  description: A statement
  effect: read
  parameters: { author: string, order: { type: string, enum: [title], default: title } }
  sql: { text: "SELECT title FROM books WHERE author = :author ORDER BY {order}" }
run:
  description: A program
  parameters: { text: string, note: { type: string, required: false } }
  exec: { command: node, args: [started.mjs, "--", "{text}", "{note}"], env: { TOKEN: "{config.TOKEN}" }, result: json }
  output: { a: string }
forward:
  description: A tool of another server
  parameters: { a: integer }
  mcp: { name: other }
code:
  description: A handler
  handler: src/code.js
`,
  'mcp/prompts.yaml': 'ask: { description: Theirs, mcp: {} }\nplain: { description: Text, text: Hello }\n',
  'mcp/resources.yaml':
    'page: { uriTemplate: "page://{id}", mimeType: application/json, http: "GET /page/{id}" }\nfile: { uri: "file://x", mcp: {} }\n',
  'src/code.js': 'export default () => 1;\n',
});

type Env = Readonly<Record<string, string>>;

async function dryRun(words: readonly string[], env: Env = { API: 'https://api.example.com', TOKEN: canary }) {
  const { PATH } = process.env;
  return await commands.run(['call', ...words, '--dry-run'], { cwd: pack, env: { PATH, ...env } });
}

describe('`toolwright call --dry-run`', () => {
  it('B1 B5 the request of a tool is shown, though it promises an output and asks before it runs', async () => {
    const service = await startService(echo);
    const { status, stdout, stderr } = await dryRun(['get', '--arg', 'key=A/1'], {
      API: service.origin,
      TOKEN: canary,
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain(`GET ${service.origin}/v1/issue/A%2F1\n`);
    expect(stdout).toContain('authorization: Bearer ***\n');
    expect(service.connections()).toBe(0);
  });

  it('B2 the statement is shown with its identifiers and binds', async () => {
    const { status, stdout } = await dryRun(['find', '--arg', "author=x' OR 1=1"]);
    expect(status).toBe(0);
    expect(stdout).toContain('SELECT title FROM books WHERE author = ? ORDER BY "title"\n');
    expect(stdout).toContain(`1: "x' OR 1=1"`);
    expect(existsSync(join(pack, 'x.db'))).toBe(false);
  });

  it('B3 B4 no program and no other server is started', async () => {
    const run = await dryRun(['run', '--arg', 'text=-x y']);
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout).toContain("node started.mjs -- '-x y'\nenv: TOKEN=***");
    const forward = await dryRun(['forward', '--arg', 'a=1']);
    expect(forward.stdout).toContain('stdin of node started.mjs theirs\n');
    expect(JSON.parse(forward.stdout.slice(forward.stdout.indexOf('{')))).toEqual({
      method: 'tools/call',
      params: { name: 'other', arguments: { a: 1 } },
    });
    expect(existsSync(join(pack, 'started'))).toBe(false);
  });

  it('B1 B4 prompts and resources without code are shown, too', async () => {
    expect((await dryRun(['ask'])).stdout).toContain('"method": "prompts/get"');
    expect((await dryRun(['page://a%20b'])).stdout).toContain('GET https://api.example.com/v1/page/a%20b\n');
    expect((await dryRun(['file://x'])).stdout).toContain('"uri": "file://x"');
    expect(existsSync(join(pack, 'started'))).toBe(false);
  });

  it('B1 B3 what has code or only text is refused with the reason', async () => {
    expect(await dryRun(['code'])).toMatchObject({ status: 2, stdout: '' });
    expect((await dryRun(['code'])).stderr).toContain('"code" has a handler, and a handler has to run');
    expect((await dryRun(['plain'])).stderr).toContain('"plain" is only text');
  });

  it('B1 wrong arguments and refused values show why', async () => {
    const wrong = await dryRun(['get', '--arg', 'kee=A']);
    expect(wrong).toMatchObject({ status: 1, stdout: '' });
    expect(wrong.stderr).toContain('key is missing');
    const refused = await dryRun(['get', '--arg', 'key=..']);
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toContain('a segment that is . or ..');
    const nul = await dryRun(['run', JSON.stringify({ text: 'a\0' })]);
    expect(nul).toMatchObject({ status: 1, stdout: '' });
    expect(nul.stderr).toContain('BAD_VALUE');
  });

  it('B1 B3 what is not set stays a placeholder and is named', async () => {
    const request = await dryRun(['get', '--arg', 'key=A'], {});
    expect(request.status).toBe(0);
    expect(request.stdout).toContain('GET {config.API}/v1/issue/A\n');
    expect(request.stdout).toMatch(/\nnot set: TOKEN, API\n$/);
    expect((await dryRun(['run', '--arg', 'text=x'], {})).stdout).toContain(
      "TOKEN='{config.TOKEN}'\n\nnot set: TOKEN\n",
    );
  });

  it('B8 secrets are masked wherever they would stand', async () => {
    const shown = await Promise.all(
      [
        ['get', '--arg', 'key=A'],
        ['find', '--arg', `author=${canary}`],
        ['run', '--arg', `text=${canary}`],
        ['forward', '--arg', 'a=1'],
        ['get', '--arg', `key=${canary}`, '--format', 'json'],
      ].map(words => dryRun(words)),
    );
    for (const { status, stdout, stderr } of shown) {
      expect(status).toBe(0);
      expect(stdout + stderr).not.toContain(canary);
    }
  });

  it('B8 secrets too short to be looked for are masked by their keys', async () => {
    const env = { API: 'https://api.example.com', TOKEN: '~7' };
    const [run, get] = await Promise.all([
      dryRun(['run', '--arg', 'text=x'], env),
      dryRun(['get', '--arg', 'key=A'], env),
    ]);
    expect(run.stdout).toContain('env: TOKEN=***\n');
    expect(get.stdout).toContain('x-key: ***\n');
    for (const { stdout, stderr } of [run, get]) expect(stdout + stderr).not.toContain('~7');
  });
});
