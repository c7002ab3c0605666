// `toolwright test` and items without code: their examples run where the settings are there, and are skipped with the reason where not.
import { afterAll, describe, expect, it } from 'vitest';
import { openCommands } from '../harness/commands.js';
import { startService } from '../runtime/backends/http/service.js';
import { writeFolder } from '../runtime/packs/code-packs.js';

const commands = openCommands();
afterAll(() => commands.close());

const folder = writeFolder({
  'toolwright.yaml': `name: acme/demo
config: { API: string, TOKEN: { type: string, secret: true } }
backends:
  api: { type: http, url: "{config.API}", auth: { bearer: TOKEN }, allowAddresses: [loopback] }
`,
  'mcp/servers/main.yaml': 'description: Main\n',
  'mcp/tools/get.yaml': `description: Get
effect: read
parameters: { key: string }
http: GET /issue/{key}
output: { key: string }
errors: { GONE: { match: [404], message: "{{key}} is gone" } }
examples:
  - { name: found, input: { key: A }, output: { key: A } }
  - { name: gone, input: { key: B }, error: GONE }
  - { name: refused, input: { key: .. }, error: BAD_VALUE }
`,
});

const run = (format: string, env: Readonly<Record<string, string>>) =>
  commands.run(['test', '--format', format], {
    cwd: folder,
    env: { PATH: process.env['PATH'], TOOLWRIGHT_CACHE: 'off', ...env },
  });

describe('examples of items without code', () => {
  it.each([
    ['text', '1 passed, 3 skipped'],
    ['json', '"skipped": 3'],
    ['junit', 'skipped="3"'],
  ])(
    'B1 M48 `test` skips them where settings are missing and names these in the format %s',
    async (format, counted) => {
      const { status, stdout, stderr } = await run(format, {});
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain(counted);
      expect(stdout).toContain('configuration that is not set: API, TOKEN');
    },
  );

  it('B1 M48 `test` runs them where the settings are there', async () => {
    const service = await startService(({ url }, response) => {
      const isFound = url === '/issue/A';
      response.writeHead(isFound ? 200 : 404, { 'content-type': 'application/json' }).end('{"key":"A"}');
    });
    const { status, stdout } = await run('json', { API: service.origin, TOKEN: 'canary-4711' });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, counts: { passed: 4, failed: 0, skipped: 0 } });
    expect(status).toBe(0);
    expect(service.received.map(({ url }) => url)).toEqual(['/issue/A', '/issue/B']);
  });
});
