// Built servers that cannot start: one message, exit code 1 or 2, no stack, and nothing is answered.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, toolwright, writePack } from '../../harness/build-pack.js';

const pack = mkdtempSync(join(tmpdir(), 'toolwright-refused-'));
afterAll(() => rmSync(pack, { recursive: true, force: true }));

const built = join(pack, 'dist/plants.cjs');

beforeAll(() => {
  writePack(pack, {
    'package.json': '{ "name": "plants", "version": "1.0.0", "type": "module" }\n',
    'toolwright.yaml': `name: plants
config:
  PLANTS_MAX: { type: integer, minimum: 2, maximum: 50, default: 20 }
  PLANTS_ROOM: { type: string, minLength: 2, maxLength: 4 }
  PLANTS_URL: { type: string, format: uri }
  PLANTS_CODE: { type: string, pattern: '^[a-z]+$' }
`,
    'mcp/servers/plants.yaml': 'title: Plants\nauth: { type: bearer, env: PLANTS_TOKEN }\n',
    'mcp/tools/most.yaml': 'description: Tells how many\noutput: { most: integer }\n',
    'src/tools/most.ts': 'export default (_: object, ctx: any) => ({ most: ctx.config.PLANTS_MAX });\n',
  });
  const made = toolwright(pack, 'build');
  if (made.status !== 0) throw new Error(made.stdout + made.stderr);
});

const call = [['tools/call', { name: 'most', arguments: {} }]] as const;

describe('fix-A2 configuration of a built server over stdio', () => {
  it.each([
    ['PLANTS_MAX', '99', 'PLANTS_MAX must be at most 50, not "99"'],
    ['PLANTS_MAX', '1', 'PLANTS_MAX must be at least 2, not "1"'],
    ['PLANTS_MAX', 'many', 'PLANTS_MAX must be an integer, not "many"'],
    ['PLANTS_ROOM', 'k', 'PLANTS_ROOM must be at least 2 characters long, not "k"'],
    ['PLANTS_ROOM', '🌱🌱🌱🌱🌱', 'PLANTS_ROOM must be at most 4 characters long'],
    ['PLANTS_URL', 'nope', 'PLANTS_URL must be a valid uri, not "nope"'],
    ['PLANTS_CODE', 'A1', 'PLANTS_CODE must be a string that matches ^[a-z]+$, not "A1"'],
  ])('a built server refuses %s=%s before it answers anything', async (name, value, message) => {
    const { replies, code, stderr } = await ask(built, call, { args: ['--stdio'], env: { [name]: value } });
    expect([replies, code]).toEqual([[], 1]);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at |process\.exit/m);
  });

  it.each([
    ['PLANTS_MAX', '50', 50],
    ['PLANTS_MAX', '2', 2],
    ['PLANTS_ROOM', '🌱🌱🌱🌱', 20],
    ['PLANTS_URL', 'https://a.test/', 20],
    ['PLANTS_CODE', 'abc', 20],
  ])('a built server serves with %s=%s, which is within its limits', async (name, value, most) => {
    const { replies, code } = await ask(built, call, { args: ['--stdio'], env: { [name]: value } });
    expect([replies[1]?.result?.['structuredContent'], code]).toEqual([{ most }, 0]);
  });
});

describe('fix-A3 the token of a built server', () => {
  it.each([
    [['--http', '0'], {}, 'the server asks callers for the token in PLANTS_TOKEN, which is not set'],
    [['--http', '0', '--host', '0.0.0.0'], { PLANTS_TOKEN: 'short' }, 'has fewer than 16 characters'],
  ])('a built server with %j and %j says in one line that its token does not do', async (args, env, message) => {
    const { code, stderr } = await ask(built, [], { args, env });
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('fix-A28 a built server whose token is only in .env names --env-file', async () => {
    writeFileSync(join(pack, '.env'), 'PLANTS_TOKEN=0123456789abcdef0123\n');
    const { code, stderr } = await ask(built, [], { args: ['--http', '0'], cwd: pack });
    rmSync(join(pack, '.env'));
    expect([code, stderr]).toEqual([
      1,
      'toolwright: the server asks callers for the token in PLANTS_TOKEN, which is not set. It is in .env, but that file is read only with --env-file .env\n',
    ]);
  });
});

describe('fix-A22 flags of a built server', () => {
  it.each([
    [['--port', '3000'], 'unknown option or argument "--port": did you mean --http 3000?'],
    [['--port=3000'], 'unknown option or argument "--port=3000": did you mean --http 3000?'],
    [['--port'], 'unknown option or argument "--port": did you mean --http <port>?'],
    [['--overlays', 'x'], 'unknown option or argument "--overlays": did you mean "--overlay"?'],
  ])('a built server says what was meant with %j', async (args, message) => {
    const { code, stderr } = await ask(built, [], { args });
    expect([code, stderr]).toEqual([2, `toolwright: ${message} (--help lists the options)\n`]);
  });
});
