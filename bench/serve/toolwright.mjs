// Contenders: ourselves, started from manifests and built; on request also those of another checkout of this project.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { labels, prompts, toolsOf, writeFiles } from './work.mjs';

const here = fileURLToPath(new URL('../..', import.meta.url));

function writePack(root, folder, count) {
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
  must(root, folder, 'generate');
}

function cliOf(root) {
  return join(root, 'dist/cli/main.js');
}

function must(root, folder, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliOf(root), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`toolwright ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}

const transports = { stdio: ['2025', '2026'], http: ['2025', '2026'] };

/** What `npm install toolwright` would bring: the packed package, under a name that changes with its content. */
function packedPackage(root) {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-packed-'));
  const args = ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder];
  const { status, stdout } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error('npm pack failed');
  const [{ filename, shasum }] = JSON.parse(stdout);
  const packed = join(tmpdir(), `toolwright-${shasum.slice(0, 12)}.tgz`);
  renameSync(join(folder, filename), packed);
  return packed;
}

function startedBy(root, id) {
  return {
    id,
    get packages() {
      return [packedPackage(root)];
    },
    transports,
    write: (folder, count) => writePack(root, folder, count),
    command: ({ transport, port }) => [
      cliOf(root),
      ...['start', 'bench'],
      ...(transport === 'http' ? ['--http', `${port}`] : []),
    ],
  };
}

function builtBy(root, id) {
  return {
    id,
    packages: [],
    transports,
    write(folder, count) {
      writePack(root, folder, count);
      const json = must(root, folder, 'build', 'bench', '--out', 'out', '--minify', '--format', 'json');
      const { artifacts } = JSON.parse(json);
      writeFiles(folder, { 'artifact.json': JSON.stringify(artifacts[0]) });
      return artifacts[0];
    },
    command: ({ transport, port, made }) => [made.file, ...(transport === 'http' ? ['--http', `${port}`] : [])],
  };
}

export const started = startedBy(here, 'toolwright start');
export const built = builtBy(here, 'toolwright build');

/** The same two of another checkout, installed and built: what the present one is compared with. */
export function contendersOf(checkout) {
  return [
    builtBy(resolve(checkout), 'toolwright build before'),
    startedBy(resolve(checkout), 'toolwright start before'),
  ];
}
