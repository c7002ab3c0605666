// What an author has not finished yet: placeholder texts, handlers that are still stubs, entries that have no effect.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { placeholderText } from '../../schema/placeholders.js';
import { writeFiles } from '../harness/files.js';
import { makeAuthorWorld } from './author-world.js';

const world = makeAuthorWorld();
afterAll(() => world.remove());

const base = { 'toolwright.yaml': '', 'package.json': '{ "name": "p", "type": "module" }\n' };

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

function found(stdout: string, code: string): readonly string[] {
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Found[] };
  return diagnostics
    .filter(one => one.code === code)
    .map(({ file, line, column, severity }) => `${file}:${line}:${column} ${severity}`);
}

describe('`check --strict`', () => {
  const why = '1 warning in 1 file; --strict treats warnings as errors\n';

  it('`check --strict` says why warnings alone make it fail, also with --quiet', () => {
    const pack = world.make({ ...base, 'mcp/tools/a.yaml': 'effect: read\n' });
    const said = world.run(pack, 'check', '--strict');
    expect([said.status, said.stdout.endsWith(why)]).toEqual([1, true]);
    const quiet = { status: 1, stdout: 'there are warnings; --strict treats warnings as errors\n' };
    expect(world.run(pack, 'check', '--strict', '--quiet')).toMatchObject(quiet);
    expect(world.run(pack, 'check')).toMatchObject({ status: 0, stdout: expect.not.stringContaining('--strict') });
  });

  it('`check --strict` says nothing about warnings beside an error', () => {
    const pack = world.make({ ...base, 'mcp/tools/a.yaml': 'effekt: read\n', 'mcp/tools/b.yaml': 'effect: read\n' });
    const { status, stdout } = world.run(pack, 'check', '--strict');
    expect([status, stdout.includes('treats')]).toEqual([1, false]);
  });
});

describe('what is not finished', () => {
  it('fix-N12 `check` warns of every text that `add` wrote, at its place', () => {
    const pack = world.make(base);
    for (const kind of ['tool', 'prompt', 'resource', 'server']) world.run(pack, 'add', kind, 'zzz');
    const { status, stdout } = world.run(pack, 'check', '--format', 'json');
    expect(status).toBe(0);
    expect(found(stdout, 'text/placeholder')).toEqual([
      'mcp/prompts/zzz.yaml:3:14 warning',
      'mcp/prompts/zzz.yaml:5:24 warning',
      'mcp/prompts/zzz.yaml:6:7 warning',
      'mcp/resources/zzz.yaml:3:14 warning',
      'mcp/servers/zzz.yaml:3:14 warning',
      'mcp/tools/zzz.yaml:3:14 warning',
      'mcp/tools/zzz.yaml:6:38 warning',
    ]);
    expect(readFileSync(join(pack, 'mcp/prompts/zzz.yaml'), 'utf8')).toContain(placeholderText);
    expect(world.run(pack, 'check', '--strict').status).toBe(1);
    const text = readFileSync(join(pack, 'mcp/tools/zzz.yaml'), 'utf8');
    writeFiles(pack, {
      'mcp/tools/zzz.yaml': text.replace('What it does and returns', 'Naps').replace('What it means', 'Who'),
    });
    expect(found(world.run(pack, 'check', '--format', 'json').stdout, 'text/placeholder')).toHaveLength(5);
  });

  it('fix-N12 `generate` warns of handlers that nobody has written, not in the run that writes them', () => {
    const pack = world.make({
      ...base,
      'mcp/tools/a.yaml': 'description: A\n',
      'mcp/tools.yaml':
        'b: { description: B, handler: "src/both.js#b" }\nc: { description: C, handler: "src/both.js#c" }\n',
    });
    expect(found(world.run(pack, 'generate', '--format', 'json').stdout, 'generate/unwritten')).toEqual([]);
    const again = ['src/both.js:8:3 warning', 'src/both.js:16:3 warning', 'src/tools/a.js:8:3 warning'];
    for (const flags of [[], ['--check']]) {
      const { status, stdout } = world.run(pack, 'generate', ...flags, '--format', 'json');
      expect(status).toBe(0);
      expect(found(stdout, 'generate/unwritten').toSorted()).toEqual(again.toSorted());
    }
    const both = readFileSync(join(pack, 'src/both.js'), 'utf8');
    writeFiles(pack, {
      'src/both.js': both.replace('throw ctx.notImplemented();', "return 'b';"),
      'src/tools/a.js': '// throw ctx.notImplemented();\nexport default async () => 1;\n',
    });
    const { stdout } = world.run(pack, 'generate', '--format', 'json');
    expect(found(stdout, 'generate/unwritten')).toEqual(['src/both.js:16:3 warning']);
    expect(stdout).toContain('The handler for the tool \\"c\\" is not written yet: \\"src/both.js\\"');
  });

  it('fix-N12 `test` fails for a tool whose handler is still the stub, and passes once it is written', () => {
    const pack = world.make({
      ...base,
      'mcp/servers/main.yaml': 'description: Main\n',
      'mcp/tools/zzz.yaml': 'description: Sleeps\nparameters: { name: string }\n',
    });
    world.run(pack, 'generate');
    const failed = world.run(pack, 'test');
    expect(failed.status).toBe(1);
    expect(failed.stdout).toContain('its handler is not written yet: src/tools/zzz.js');
    expect(failed.stdout).toContain('hint: write the function in place of this statement');
    expect(failed.stdout).not.toContain('give the item a description');
    writeFiles(pack, { 'src/tools/zzz.js': 'export default async ({ name }) => `${name} sleeps`;\n' });
    expect(world.run(pack, 'test')).toMatchObject({ status: 0 });
  });

  it('fix-N12 `check` says what it has checked, and that a pack defines nothing', () => {
    const pack = world.make({ ...base, 'mcp/tools/a.yaml': 'description: A\nhandler: src/gone.js\n' });
    expect(world.run(pack, 'check').stdout).toMatch(
      /^p 0.0.0: 0 servers, 1 tool, 0 prompts, 0 resources\nmanifests: no problems \(handlers are checked by generate --check and typecheck\)\n$/,
    );
    const empty = world.make(base);
    expect(world.run(empty, 'check').stdout).toContain('nothing is defined yet: toolwright add tool <name> starts one');
  });
});

describe('entries that have no effect', () => {
  it('fix-N24 `check` notes an entry of a combined file that a file of its own shadows, also with `--strict`', () => {
    const pack = world.make({
      ...base,
      'mcp/tools.yaml': 'other: { description: Other }\ngreet:\n  description: Old\n',
      'mcp/tools/greet.yaml': 'description: New\n',
    });
    const { status, stdout } = world.run(pack, 'check', '--strict', '--format', 'json');
    expect(status).toBe(0);
    expect(found(stdout, 'resolve/shadowed-entry')).toEqual(['mcp/tools.yaml:2:1 info']);
    expect(stdout).toContain('in \\"mcp/tools.yaml\\" is ignored: \\"mcp/tools/greet.yaml\\" defines it');
  });
});
