// The command under versions of Node that cannot run it: real ones, from the registry.
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { command } from '../../cli/author-world.js';
import { installOnce } from './real-managers.js';

const versions = ['14.21.3', '16.20.2', '18.20.8', '20.10.0'] as const;
const idOf = (version: string): string => `node-${version}`;
const platform = process.platform === 'win32' ? 'win' : process.platform;
let cache = '';

beforeAll(() => {
  const packages = versions.map(version => `${idOf(version)}@npm:node-${platform}-${process.arch}@${version}`);
  cache = installOnce('toolwright-old-nodes-1', packages, stage => {
    for (const version of versions) chmodSync(join(stage, 'node_modules', idOf(version), 'bin/node'), 0o755);
  });
}, 300_000);

describe('fix-N11 Node below 20.19', () => {
  it.each(versions)('fix-N11 Node %s gets one line and exit code 1, whatever is asked', version => {
    const node = join(cache, 'node_modules', idOf(version), 'bin/node');
    expect(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout).toBe(`v${version}\n`);
    for (const words of [['--version'], ['check'], ['init', '--yes'], ['start'], []]) {
      const { status, stdout, stderr } = spawnSync(node, [command, ...words], { encoding: 'utf8' });
      const line = `Toolwright needs Node >= 20.19; this is ${version}.\n`;
      expect({ words, status, stdout, stderr }).toEqual({ words, status: 1, stdout: '', stderr: line });
    }
  });

  it('fix-N11 this Node runs the command', () => {
    expect(spawnSync(process.execPath, [command, '--version'], { encoding: 'utf8' }).status).toBe(0);
  });
});
