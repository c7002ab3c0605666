// W61, W64: what is started does run; a type check runs the compiler of the project and no other code of it; without leave nothing is installed.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { running } from './trust-attempts.js';
import { expectCalm } from './trust-looking.js';
import { type Attempt, changes, makeWorld, type World } from './trust-world.js';

describe('W61 starting a pack', () => {
  it('W61 the traps are set: a pack that is started does run', { timeout: 60_000 }, async () => {
    const handlers = running.find(({ title }) => title.startsWith('handlers with code'));
    if (handlers === undefined) throw new Error('there is no such attempt');
    const world = await makeWorld(handlers);
    try {
      await world.run(['call', 's', 't']);
      expect(world.marks()).toContain('src-tools-t');
    } finally {
      await world.remove();
    }
  });
});

describe('W61 checking types', () => {
  it.each(['handlers with code', 'plugins of tsconfig', 'commands in node_modules', 'files that tools of others'])(
    'W61 `typecheck` runs the compiler of the project and nothing else of it: %s',
    { timeout: 60_000 },
    async title => {
      const attempt = running.find(one => one.title.startsWith(title));
      if (attempt === undefined) throw new Error('there is no such attempt');
      const world = await makeWorld(attempt);
      try {
        const modules = join(world.project, 'node_modules');
        symlinkSync(
          fileURLToPath(new URL('../../../node_modules/typescript', import.meta.url)),
          join(modules, 'typescript'),
        );
        await world.run(['generate']);
        expectCalm(['typecheck'], await world.run(['typecheck']));
        expect(world.marks()).toEqual([]);
      } finally {
        await world.remove();
      }
    },
  );
});

/** A project whose server needs a pack that it lists and has not installed. */
const wanting: Attempt = {
  title: '',
  files: () => ({ 'mcp/servers/wants.yaml': 'description: S.\ntools: [ghost/pack/x]\n' }),
  packageJson: () => ({ optionalDependencies: { '@ghost/pack': '1.0.0' }, peerDependencies: { '@ghost/pack': '*' } }),
};

/** Every package manager leaves a mark, wherever it is looked for. */
function fakeManagers({ project }: World): Readonly<Record<string, string>> {
  const bin = join(project, '../bin');
  mkdirSync(join(bin, 'npm/bin'), { recursive: true });
  for (const name of ['npx', 'pnpm', 'yarn', 'bun', 'corepack']) {
    writeFileSync(join(bin, name), `#!/bin/sh\ntouch '${join(bin, '../marks', name)}'\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const npm = join(bin, 'npm/bin/npm-cli.js');
  writeFileSync(join(bin, 'npm/package.json'), '{"name": "npm"}');
  writeFileSync(npm, `require('node:fs').writeFileSync(${JSON.stringify(join(bin, '../marks/npm'))}, '');\n`);
  return { PATH: `${bin}:${process.env['PATH']}`, npm_execpath: npm };
}

describe('W64 --no-install', () => {
  const commands: readonly (readonly [string, readonly string[], Readonly<Record<string, string>>])[] = [
    ['start', ['start', 'wants', '--no-install'], {}],
    ['call', ['call', 'wants', 'x', '--no-install'], {}],
    ['start, by the environment', ['start', 'wants'], { TOOLWRIGHT_NO_INSTALL: '1' }],
    ['start of a server of a pack that is missing', ['start', 'ghost/pack/s', '--no-install'], {}],
  ];
  it.each(commands)('W64 a command that may not install runs no package manager: %s', async (_, args, env) => {
    const world = await makeWorld(wanting);
    try {
      const fakes = fakeManagers(world);
      const before = world.snapshot();
      const run = await world.run(args, { ...fakes, ...env });
      expect({ wrong: changes(before, world.snapshot()), marks: world.marks() }).toEqual({ wrong: [], marks: [] });
      expectCalm(args, run);
      expect(run.code).not.toBe(0);
      expect(run.output).toMatch(/ghost\/pack[\s\S]*hint: npm install/);
    } finally {
      await world.remove();
    }
  });

  it('W64 the trap is set: without `--no-install` the package manager runs', async () => {
    const world = await makeWorld(wanting);
    try {
      await world.run(['start', 'wants'], fakeManagers(world));
      expect(world.marks()).toEqual(['npm']);
    } finally {
      await world.remove();
    }
  });
});
