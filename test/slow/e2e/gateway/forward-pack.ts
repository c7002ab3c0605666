// In: what a server lists. Out: a pack whose items forward to it, one item for each; what lists say stands in the manifests as it is.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { importServer } from '../../../../generator/import/server/import-server.js';
import { root } from '../../../harness/build-pack.js';
import { writeFiles } from '../../../harness/files.js';
import type { Target } from '../../../harness/interop-clients.js';
import type { Seen } from './public-servers.js';

type Listed = Readonly<Record<string, unknown>> & { readonly name: string };

export interface Lists {
  readonly tools: readonly Listed[];
  readonly prompts: readonly Listed[];
  readonly resources: readonly Listed[];
  readonly resourceTemplates: readonly Listed[];
}

/** By name: no client depends on the order. */
export async function listAll({ request, capabilities }: Pick<Seen, 'request' | 'capabilities'>): Promise<Lists> {
  const list = async (capability: string, method: string, member: keyof Lists): Promise<readonly Listed[]> => {
    if (capabilities[capability] === undefined) return [];
    const { [member]: listed, nextCursor } = await request(method);
    if (nextCursor !== undefined) throw new Error(`${method} has more pages`);
    return (listed as Listed[]).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  };
  return {
    tools: await list('tools', 'tools/list', 'tools'),
    prompts: await list('prompts', 'prompts/list', 'prompts'),
    resources: await list('resources', 'resources/list', 'resources'),
    resourceTemplates: await list('resources', 'resources/templates/list', 'resourceTemplates'),
  };
}

export interface Forwarded {
  readonly lists: Lists;
  readonly instructions: string | undefined;
}

export function writeForwardPack(folder: string, name: string, target: Target, offer: Forwarded): string {
  const { lists, instructions } = offer;
  const { command, args, cwd, env = {} } = target;
  const capture = { offer: { ...lists, instructions, serverInfo: { name }, capabilities: {} }, words: [] };
  const place = { command: [command, ...args], cwd };
  const { items, server, backends, ...imported } = importServer([capture], { place, name, proxy: true });
  const files = items.map(item => [`mcp/${item.kind}s/${item.name}.yaml`, print(item.definition)] as const);
  const description = `Forwards to ${name}`;
  writeFiles(folder, {
    'package.json': JSON.stringify({ name: `forwards-${name}`, version: '1.0.0', type: 'module' }),
    'toolwright.yaml': print({ backends: { [name]: { ...backends[name], env } } }),
    [`mcp/servers/${name}.yaml`]: print({ description, instructions: imported.instructions ?? '', ...server }),
    ...Object.fromEntries(files),
  });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules/toolwright'), 'dir');
  return folder;
}

const print = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
