// B4: examples/gateway in front of its two real servers: what its overlays, conditions, consent and scopes do to forwarded calls.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpAddressOf } from '../../../harness/http-address.js';
import { type Answers, type AnyClient, type Target, ways } from '../../../harness/interop-clients.js';
import { audience, type Issuer, startIssuer } from '../../../runtime/serve/auth-issuer.js';
import { copyExample, startOf } from '../ports/originals.js';
import { publicServers } from './public-servers.js';

const mainOf = (name: string): string | undefined => publicServers.find(one => one.name === name)?.main;
const [files, memory] = [mainOf('filesystem'), mainOf('memory')];

/** The installed servers in place of `npx`, and an issuer of this machine. */
function settle(pack: string, issuer: string): void {
  const edit = (file: string, change: (text: string) => string): void => {
    const path = join(pack, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  };
  edit('toolwright.yaml', text =>
    text
      .replace(
        /\[npx, -y, "@modelcontextprotocol\/server-filesystem@[^"]*", /,
        JSON.stringify(['node', files]).replace(']', ', '),
      )
      .replace(/\[npx, -y, "@modelcontextprotocol\/server-memory@[^"]*"\]/, JSON.stringify(['node', memory])),
  );
  edit('mcp/servers/team.yaml', text =>
    text.replace('https://login.example.com', issuer).replace('https://team.example.com/mcp', audience),
  );
}

describe.skipIf(files === undefined || memory === undefined)('examples/gateway', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-gateway-example-')));
  const notes = join(folder, 'notes');
  const variables = { NOTES: notes, MEMORY_FILE: join(folder, 'memory.jsonl') };
  const open: { close(): Promise<void> }[] = [];
  let pack: string;
  let issuer: Issuer;
  let server: ChildProcess | undefined;

  beforeAll(async () => {
    issuer = await startIssuer();
    pack = copyExample('gateway', folder);
    settle(pack, issuer.url);
    mkdirSync(notes);
    writeFileSync(join(notes, 'plan.md'), '# Plan\nShip it.\n');
  });
  afterAll(async () => {
    for (const one of open) await one.close();
    server?.kill('SIGTERM');
    await issuer.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const wayOf = (transport: 'stdio' | 'http') => {
    const way = ways.find(one => one.transport === transport && one.name.includes('2025-11-25'));
    if (way === undefined) throw new Error(`no client over ${transport}`);
    return way;
  };

  async function connect(target: Target, answers?: Answers): Promise<AnyClient> {
    const client = await wayOf(target.url === undefined ? 'stdio' : 'http').connect(target, answers);
    open.push(client);
    return client;
  }

  const start = (env: Readonly<Record<string, string>>, ...words: readonly string[]): Target => {
    const target = startOf(pack, { ...variables, ...env });
    return { ...target, args: [...target.args, 'team', '--stdio', ...words] };
  };
  const namesOf = async (client: AnyClient): Promise<readonly string[]> =>
    (await client.listTools()).tools.map(({ name }) => name).toSorted();

  it('B4 its tools that read are there without further settings, and both servers answer', async () => {
    const client = await connect(start({}));
    expect(await namesOf(client)).toEqual(['list-folders', 'read-note', 'recall', 'search-notes']);
    const found = await client.callTool({ name: 'read-note', arguments: { path: join(notes, 'plan.md'), head: 1 } });
    expect(found).toMatchObject({ structuredContent: { content: '# Plan' } });
    const nothing = await client.callTool({ name: 'recall', arguments: { query: 'nobody' } });
    expect(nothing).toMatchObject({ structuredContent: { entities: [], relations: [] } });
  });

  it('B4 X2 a tool that changes something is there with MAY_CHANGE, is tighter than the original, and asks the user', async () => {
    const asked: unknown[] = [];
    const client = await connect(start({ MAY_CHANGE: 'true' }), {
      elicit: params => {
        asked.push(params);
        return { action: asked.length === 1 ? 'decline' : 'accept', content: { confirm: true } };
      },
    });
    const write = (path: string) => client.callTool({ name: 'write-note', arguments: { path, content: 'new' } });
    expect(await write(join(notes, 'plan.sh'))).toMatchObject({ isError: true });
    expect(asked).toEqual([]);
    expect(JSON.stringify(await write(join(notes, 'new.md')))).toContain('the user declined');
    expect(() => readFileSync(join(notes, 'new.md'))).toThrow('ENOENT');
    expect(await write(join(notes, 'new.md'))).not.toHaveProperty('isError', true);
    expect(readFileSync(join(notes, 'new.md'), 'utf8')).toBe('new');
  });

  it('B4 X2 an overlay takes a forwarded tool away and changes the words of another', async () => {
    const client = await connect(start({ MAY_CHANGE: 'true' }, '--overlay', join(pack, 'overlays/careful')));
    expect(await namesOf(client)).toEqual(['list-folders', 'read-note', 'recall', 'remember', 'search-notes']);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'remember')?.description).toContain('Ask before you remember');
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes engines'] }];
    expect(await client.callTool({ name: 'remember', arguments: { entities } })).not.toHaveProperty('isError', true);
    const known = await client.readResource({ uri: 'team://knowledge' });
    expect(JSON.stringify(known)).toContain('likes engines');
  });

  it('B4 C14 a caller over HTTP reaches forwarded tools of its scopes only', async () => {
    const target = startOf(pack, { ...variables, MAY_CHANGE: 'true' });
    server = spawn(target.command, [...target.args, 'team', '--http', '0'], {
      cwd: pack,
      env: { ...process.env, ...target.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const url = await httpAddressOf(server);
    const token = await issuer.token({ scope: 'notes:read' });
    const client = await connect({ ...target, url, headers: { authorization: `Bearer ${token}` } });
    const found = await client.callTool({ name: 'read-note', arguments: { path: join(notes, 'plan.md') } });
    expect(found).toMatchObject({ structuredContent: { content: '# Plan\nShip it.\n' } });
    const entities = [{ name: 'Eve', entityType: 'person', observations: [] }];
    const refused = client.callTool({ name: 'remember', arguments: { entities } });
    await expect(refused.then(result => Promise.reject(new Error(JSON.stringify(result))))).rejects.toThrow(
      /insufficient_scope|403|notes:write/i,
    );
    expect(readFileSync(variables.MEMORY_FILE, 'utf8')).not.toContain('Eve');
  });
});
