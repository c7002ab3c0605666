// The parts of fetching that have rules of their own: which version a lockfile has, and where dependencies of a moved package go.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isPinned } from '../../cli/fetch/fetch-into.js';
import { nestDependencies } from '../../cli/fetch/nest-dependencies.js';
import { writeFolder } from '../runtime/packs/code-packs.js';

describe('`isPinned`', () => {
  const jira = { alias: '@acme/jira', name: '@acme/jira', version: '1.0.0' };
  const aliased = { alias: 'tickets', name: '@acme/jira', version: '1.0.0' };
  const npm = (path: string, version: string): string => JSON.stringify({ packages: { [path]: { version } } });
  const cases = [
    ['package-lock.json', npm('node_modules/@acme/jira', '1.0.0'), jira, true],
    ['package-lock.json', npm('packages/a/node_modules/@acme/jira', '1.0.0'), jira, true],
    ['package-lock.json', npm('node_modules/@acme/jira', '1.0.1'), jira, false],
    ['package-lock.json', npm('node_modules/x@acme/jira', '1.0.0'), jira, false],
    ['package-lock.json', JSON.stringify({ dependencies: { '@acme/jira': { version: '1.0.0' } } }), jira, true],
    ['package-lock.json', 'not JSON', jira, false],
    ['npm-shrinkwrap.json', npm('node_modules/tickets', '1.0.0'), aliased, true],
    ['pnpm-lock.yaml', "packages:\n\n  '@acme/jira@1.0.0':\n", jira, true],
    ['pnpm-lock.yaml', "packages:\n\n  '@acme/jira@1.0.0(toolwright@1.0.0)':\n", jira, true],
    ['pnpm-lock.yaml', "packages:\n\n  '@acme/jira@1.0.0-beta':\n", jira, false],
    ['pnpm-lock.yaml', "packages:\n\n  '@acme/jira@11.0.0':\n", jira, false],
    ['pnpm-lock.yaml', 'packages:\n  /wiki/1.0.0:\n', { alias: 'wiki', name: 'wiki', version: '1.0.0' }, true],
    ['pnpm-lock.yaml', "packages:\n  '@acme/wiki@1.0.0':\n", { alias: 'wiki', name: 'wiki', version: '1.0.0' }, false],
    ['yarn.lock', '"@acme/jira@^1.0.0":\n  version "1.0.0"\n  resolved "x"\n', jira, true],
    ['yarn.lock', '"@acme/jira@1", "@acme/jira@^1.0.0":\r\n  version "1.0.0"\r\n', jira, true],
    ['yarn.lock', '"@acme/jira@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "x"\n', jira, true],
    ['yarn.lock', '"@acme/jira@^1.0.0":\n  version "1.0.1"\n\nother@^1.0.0:\n  version "1.0.0"\n', jira, false],
    ['bun.lock', '"@acme/jira": ["@acme/jira@1.0.0", "", {}],\n', jira, true],
    ['bun.lock', '"@acme/jira": ["@acme/jira@1.0.1", "", {}],\n', jira, false],
  ] as const;
  it.each(cases)('fix-F1 `isPinned` reads the version in %s: %s', (file, text, fetched, expected) => {
    expect(isPinned(file, text, fetched)).toBe(expected);
  });
});

describe('`nestDependencies`', () => {
  type Needs = Readonly<Record<string, readonly string[]>>;
  /** `a@1 -> [b]`, as files. */
  const packages = (needs: Needs): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(needs).map(([path, dependencies]) => {
        const [, folder = '', version = ''] = /^(.+)@(\d)$/.exec(path) ?? [];
        const listed = Object.fromEntries(dependencies.map(name => [name, '*']));
        return [`${folder}/package.json`, JSON.stringify({ version, dependencies: listed })];
      }),
    );
  const versionAt = (path: string): string | undefined =>
    existsSync(join(path, 'package.json'))
      ? (JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { version: string }).version
      : undefined;
  /** As Node finds it from a folder of the moved pack. */
  const resolve = (pack: string, from: string, name: string): string | undefined => {
    const steps = from === '' ? [] : from.split('/node_modules/');
    for (let count = steps.length; count >= 0; count--) {
      const found = versionAt(
        join(pack, ...steps.slice(0, count).map(step => `node_modules/${step}`), 'node_modules', name),
      );
      if (found !== undefined) return found;
    }
    return undefined;
  };

  it('fix-F1 `nestDependencies` moves what was beside the pack below it, and each package finds the same version as before', () => {
    // The pack has d@2 for itself; its dependency b finds d@1 beside it, in a circle.
    const stage = writeFolder(
      packages({
        'pack@1': ['b', 'd'],
        'pack/node_modules/d@2': ['@s/e'],
        'b@1': ['d', 'c'],
        'c@1': ['b'],
        'd@1': ['b', '@s/e'],
        '@s/e@1': [],
        'other@1': [],
      }),
    );
    nestDependencies('pack', stage, writeFolder({}));
    const pack = join(stage, 'pack');
    expect([resolve(pack, '', 'b'), resolve(pack, '', 'd')]).toEqual(['1', '2']);
    expect([resolve(pack, 'b', 'd'), resolve(pack, 'b', 'c')]).toEqual(['1', '1']);
    expect([resolve(pack, 'b/node_modules/d', 'b'), resolve(pack, 'd', '@s/e')]).toEqual(['1', '1']);
    expect(existsSync(join(pack, 'node_modules/other'))).toBe(false);
    expect(existsSync(join(pack, 'node_modules/pack'))).toBe(false);
  });

  it('fix-F1 `nestDependencies` brings a dependency only if the project does not have it in this version', () => {
    const stage = writeFolder(packages({ 'pack@1': ['same', 'old'], 'same@1': [], 'old@2': [] }));
    const modules = Object.entries(packages({ 'same@1': [], 'old@1': [] }));
    const project = writeFolder(Object.fromEntries(modules.map(([path, text]) => [`node_modules/${path}`, text])));
    nestDependencies('pack', stage, project);
    expect(versionAt(join(stage, 'pack/node_modules/same'))).toBeUndefined();
    expect(versionAt(join(stage, 'pack/node_modules/old'))).toBe('2');
  });
});
