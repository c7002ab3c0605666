// Every command of every page for users is run as the page says, with the packed package, and prints what the page shows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, describe, expect, it } from 'vitest';
import { openPageWorlds } from '../../harness/docs/page-world.js';
import { listPages, root } from '../../harness/docs/pages.js';
import { type Page, readPage } from '../../harness/docs/read-page.js';
import { runPage } from '../../harness/docs/run-page.js';

const worlds = await openPageWorlds();
// Each page has packages of its own: on a busy disk it takes more than a minute to remove them all.
afterAll(worlds.remove, 300_000);

/** Pages that run at the same time. */
const places = 2;
const timeout = 600_000;
const fence = '```';
let running = 0;
const waiting: (() => void)[] = [];

async function tryPage(page: Page, world = worlds.make): Promise<void> {
  if (running >= places) await new Promise<void>(done => waiting.push(done));
  running += 1;
  try {
    await runPage(page, world(page));
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

describe('pages for users', () => {
  it.concurrent.each(listPages())('P22 %s does what it says', { timeout }, async path => {
    const page = readPage(readFileSync(join(root, path), 'utf8'));
    expect(page.problems).toEqual([]);
    await tryPage(page);
  });
});

it.concurrent('P22 what docs/start has a reader install is a tool in a real client', { timeout }, async () => {
  const command = 'npx toolwright install claude-code';
  const page = readFileSync(join(root, 'docs/start/connect-a-client.md'), 'utf8');
  expect(page).toContain(`\n${command}\n`);
  let home = '';
  await tryPage({ ...readPage(`${fence}sh\n${command}\n${fence}\n`), startsIn: 'pack' }, wanted => {
    const world = worlds.make(wanted);
    home = world.home;
    return world;
  });
  const { mcpServers } = JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'));
  const [entry] = Object.values(mcpServers) as { command: string; args: string[] }[];
  if (entry === undefined) throw new Error('no server was installed');
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: entry.command, args: entry.args, stderr: 'ignore' }));
  const result = await client.callTool({ name: 'greet', arguments: { name: 'Ada', language: 'fr' } });
  await client.close();
  expect(result.structuredContent).toEqual({ greeting: 'Bonjour, Ada!' });
});

describe('a page that is wrong', () => {
  it.concurrent.each([
    {
      what: 'whose command fails',
      text: `${fence}sh\nnpx toolwright chekc\n${fence}\n`,
      message: /line 2: npx toolwright chekc\nended with 2/,
    },
    {
      what: 'whose output is another one',
      text: `${fence}sh\nnpx toolwright check\n${fence}\n\n${fence}text\nmy-pack 0.1.0: 7 servers\n...\n${fence}\n`,
      message: /my-pack 0\.1\.0: 7 servers\nprinted: +my-pack 0\.1\.0: 1 server,/,
    },
    {
      what: 'whose file is wrong',
      text: `${fence}yaml\n# mcp/tools/greet.yaml\ndescripton: x\n${fence}\n${fence}sh\nnpx toolwright check\n${fence}\n`,
      message: /unknown key "descripton"/,
    },
  ])('P22 a page $what fails with its line', { timeout }, async ({ text, message }) => {
    await expect(tryPage({ ...readPage(text), startsIn: 'pack' })).rejects.toThrow(message);
  });
});
