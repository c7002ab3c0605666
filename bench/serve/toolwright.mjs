// Contenders: ourselves, started from manifests and built.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { labels, prompts, toolsOf, writeFiles } from './work.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli/main.js');

function writePack(folder, count) {
  const files = {
    'package.json': '{ "name": "bench", "version": "1.0.0", "type": "module" }\n',
    'toolwright.yaml': 'name: bench\n',
    'mcp/servers/bench.yaml': 'description: Tools that add\n',
  };
  for (const { name, description } of toolsOf(count)) {
    files[`mcp/tools/${name}.yaml`] = `description: ${description}
handler: src/tools/${name}.js
parameters:
  a: { type: number, description: First number }
  b: { type: number, description: Second number }
  label: { type: string, enum: [${labels.join(', ')}], description: Colour of the answer, required: false }
  tags: { type: array, items: string, description: Words to file it under, required: false }
output:
  sum: number
`;
    files[`src/tools/${name}.js`] = 'export default async ({ a, b }) => ({ sum: a + b });\n';
  }
  for (const { name, description } of prompts) {
    files[`mcp/prompts/${name}.yaml`] = `description: ${description}
arguments:
  topic: { required: true }
text: Tell me about {{topic}}.
`;
  }
  writeFiles(folder, files);
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules/toolwright'), 'dir');
  must(folder, 'generate');
}

function must(folder, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`toolwright ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}

const transports = { stdio: ['2025', '2026'], http: ['2025', '2026'] };

/** What `npm install toolwright` would bring: the packed package, under a name that changes with its content. */
function packedPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-packed-'));
  const args = ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder];
  const { status, stdout } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error('npm pack failed');
  const [{ filename, shasum }] = JSON.parse(stdout);
  const packed = join(tmpdir(), `toolwright-${shasum.slice(0, 12)}.tgz`);
  renameSync(join(folder, filename), packed);
  return packed;
}

export const started = {
  id: 'toolwright start',
  get packages() {
    return [packedPackage()];
  },
  transports,
  write: writePack,
  command: ({ transport, port }) => [cli, 'start', 'bench', ...(transport === 'http' ? ['--http', `${port}`] : [])],
};

export const built = {
  id: 'toolwright build',
  packages: [],
  transports,
  write(folder, count) {
    writePack(folder, count);
    const { artifacts } = JSON.parse(must(folder, 'build', 'bench', '--out', 'out', '--minify', '--format', 'json'));
    writeFiles(folder, { 'artifact.json': JSON.stringify(artifacts[0]) });
    return artifacts[0];
  },
  command: ({ transport, port, made }) => [made.file, ...(transport === 'http' ? ['--http', `${port}`] : [])],
};
