// examples/weather is what people copy: it is what init writes, and works in a folder of its own.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { printTsconfig, scripts } from '../../../generator/author/init-package.js';
import { linkDependencies, makeAuthorWorld, npmRun } from '../../cli/author-world.js';

const world = makeAuthorWorld();
afterAll(() => world.remove());

const example = join(import.meta.dirname, '../../../examples/weather');
const json = (path: string): Record<string, unknown> => JSON.parse(readFileSync(join(example, path), 'utf8'));

it('P22 examples/weather has the scripts and the compiler options of `init`', () => {
  const { docs: _, ...own } = scripts('ts');
  expect(json('package.json')).toMatchObject({ type: 'module', scripts: own });
  expect(json('tsconfig.json')).toEqual(JSON.parse(printTsconfig({ handlers: 'src', dist: 'dist' })));
});

it('P15 P22 a copy of examples/weather checks, fits its types and passes its tests', { timeout: 120_000 }, () => {
  const copy = world.make({});
  cpSync(example, copy, { recursive: true, filter: path => !path.startsWith(join(example, 'generated')) });
  linkDependencies(copy);
  for (const script of ['generate', 'check', 'test'])
    expect({ script, ...npmRun(copy, script, world) }).toMatchObject({ script, status: 0 });
});
