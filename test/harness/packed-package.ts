// The package as npm would publish it, unpacked into a node_modules folder beside what it needs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** `folder` gets a node_modules with the packed package in it; returns where that is. */
export function unpackInto(folder: string): string {
  const made = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename }] = JSON.parse(made);
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'toolwright');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', installed]);
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== 'toolwright' && name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  return installed;
}
