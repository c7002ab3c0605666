// toolwright list [pattern]
import { statSync } from 'node:fs';
import { nodeFolder } from '../../runtime/load/folder.js';
import { discoverPacks } from '../../runtime/packs/discover-packs.js';
import { listServers } from '../../runtime/packs/list-servers.js';
import { readOutline } from '../../runtime/packs/read-outline.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { colors, workingFolder } from '../pack/pack-command.js';
import type { CommonFlags } from '../terminal/flags.js';
import { UsageError } from '../terminal/usage-error.js';
import { openOutlineCache } from './outline-cache.js';
import { printServers } from './print-list.js';

export interface ListFlags extends CommonFlags {
  readonly builtin?: boolean;
  readonly remote?: boolean;
  readonly refresh?: boolean;
  readonly all?: boolean;
  /** Only servers that serve something with this tag. */
  readonly tag?: string;
}

export async function list(pattern: string | undefined, flags: ListFlags): Promise<number> {
  const cwd = workingFolder(flags);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`there is no folder "${cwd}"`);
  if (flags.refresh && !flags.remote) throw new UsageError('--refresh asks the registry again: it needs --remote');
  const cache = openOutlineCache(cwd);
  const local = discoverPacks({
    cwd,
    all: flags.all === true,
    builtin: flags.builtin === true,
    // Tags are in the definitions of items, which lists do not look at otherwise.
    ...(flags.tag === undefined
      ? { outlineOf: cache.outlineOf, isKnown: cache.isKnown }
      : { outlineOf: (folder: string) => readOutline(nodeFolder(folder), { withTags: true }) }),
  });
  cache.save();
  const remote = flags.remote ? await askRegistry(cwd, flags) : { packs: [], warnings: [] };
  const { servers, serverless } = listServers([...local.packs, ...remote.packs], pattern, flags.tag);
  const paint = colors(flags);
  process.stdout.write(flags.format === 'json' ? `${visibleJson({ servers })}\n` : printServers(servers, paint));
  for (const warning of [...local.warnings, ...remote.warnings]) say(`warning: ${warning}`);
  if (flags.quiet || flags.format === 'json') return 0;
  if (servers.length === 0) say(emptyReason(pattern, flags));
  if (serverless.length > 0) say(`without servers of their own: ${serverless.join(', ')}`);
  return 0;
}

async function askRegistry(cwd: string, { refresh = false, quiet }: ListFlags) {
  const { remotePacks } = await import('../../runtime/packs/remote-packs.js');
  const { npmRegistry, sayAsking } = await import('../programs/npm-client.js');
  const { withCache } = await import('./remote-cache.js');
  const registry = withCache(npmRegistry(cwd, quiet ? {} : { asking: sayAsking }), {
    project: cwd,
    refresh,
    now: Date.now(),
  });
  const { packs, warnings } = await remotePacks(registry);
  registry.save();
  return { packs, warnings: [...registry.warnings, ...warnings] };
}

function say(text: string): void {
  process.stderr.write(`toolwright: ${visible(text)}\n`);
}

function emptyReason(pattern: string | undefined, { all, builtin, remote, tag }: ListFlags): string {
  const among = pattern === undefined ? '' : ` that matches "${pattern}"`;
  if (tag !== undefined) return `no server${among} serves anything with the tag "${tag}"`;
  if (pattern !== undefined) return `no server matches "${pattern}"; a pattern is about the whole name, as in acme/*`;
  const more = [all ? [] : '--all', builtin ? [] : '--builtin', remote ? [] : '--remote'].flat();
  const hint = more.length === 0 ? '' : `; ${more.join(', ')} would look further`;
  return `no servers in this project and in what it has installed${hint}`;
}
