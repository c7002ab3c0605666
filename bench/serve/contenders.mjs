// In: how many tools. Out: every contender, installed and written to a folder; one that cannot be had is named with the reason.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { build } from 'esbuild';
import { installPeer } from '../install-peer.mjs';
import { fastmcp, mcpFramework, tmcp, xmcp } from './frameworks.mjs';
import { limit } from './limit.mjs';
import { sdk1, sdk2 } from './raw-sdks.mjs';
import { built, started } from './toolwright.mjs';

export const contenders = [limit, built, started, tmcp, sdk1, sdk2, xmcp, mcpFramework, fastmcp];

/** `{ready: [{contender, folder, made}], absent: [{id, reason}]}` */
export function prepare(count, chosen) {
  const ready = [];
  const absent = [];
  for (const contender of chosen) {
    const home = installPeer(contender.id, contender.packages);
    if (home === undefined) {
      absent.push({ id: contender.id, reason: 'npm could not install it' });
      continue;
    }
    const folder = join(home, `tools-${count}`);
    rmSync(folder, { recursive: true, force: true });
    try {
      ready.push({ contender, home, folder, made: contender.write(folder, count, home) });
    } catch (error) {
      absent.push({ id: contender.id, reason: error.message.split('\n').slice(0, 3).join(' ') });
    }
  }
  return { ready, absent };
}

/** What `npm install` brings, and how large one minified file of the stdio server is. */
export async function sizesOf({ contender, home, folder, made }) {
  const packages = contender.packages.length === 0 ? 0 : packagesIn(join(home, 'node_modules'));
  const installed = contender.packages.length === 0 ? 0 : bytesIn(join(home, 'node_modules'));
  return { packages, installed, bundle: made?.bytes ?? (await bundleOf(contender, folder)) };
}

async function bundleOf(contender, folder) {
  const [entry] = contender.command({ transport: 'stdio', port: 0 });
  if (isAbsolute(entry)) return undefined;
  try {
    const { outputFiles } = await build({
      absWorkingDir: folder,
      entryPoints: [entry],
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      write: false,
      outdir: folder,
      logLevel: 'silent',
    });
    return outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
  } catch {
    return undefined;
  }
}

function packagesIn(modules) {
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  return Object.keys(lock.packages).length;
}

function bytesIn(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  return bytes;
}
