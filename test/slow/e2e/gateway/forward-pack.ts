// In: what a server lists. Out: a pack whose items forward to it, one item for each; what lists say stands in the manifests as it is.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
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

/** Names that files and keys can have; the wire's own is in `name`. */
const itemOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, '-');

const named = (listed: readonly Listed[], toItem: (one: Listed) => object): string =>
  stringify(Object.fromEntries(listed.map(one => [itemOf(one.name), toItem(one)])), { lineWidth: 0 });

function toolOf({ execution: _, ...listed }: Listed): object {
  return { ...listed, mcp: {} };
}

function promptOf({ arguments: args, ...listed }: Listed): object {
  const fields = ((args ?? []) as Listed[]).map(({ name, ...about }) => [name, about]);
  return { ...listed, ...(args !== undefined && { arguments: Object.fromEntries(fields) }), mcp: {} };
}

function resourceOf(listed: Listed): object {
  return { ...listed, mcp: {} };
}

export interface Forwarded {
  readonly lists: Lists;
  readonly instructions: string | undefined;
}

export function writeForwardPack(folder: string, name: string, target: Target, offer: Forwarded): string {
  const { lists, instructions } = offer;
  const backend = { type: 'mcp', command: [target.command, ...target.args], cwd: target.cwd, env: target.env ?? {} };
  writeFiles(folder, {
    'package.json': JSON.stringify({ name: `forwards-${name}`, version: '1.0.0', type: 'module' }),
    'toolwright.yaml': stringify({ backends: { [name]: backend } }),
    [`mcp/servers/${name}.yaml`]: stringify({
      description: `Forwards to ${name}`,
      ...(instructions && { instructions }),
    }),
    'mcp/tools.yaml': named(lists.tools, toolOf),
    'mcp/prompts.yaml': named(lists.prompts, promptOf),
    'mcp/resources.yaml': named([...lists.resources, ...lists.resourceTemplates], resourceOf),
  });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules/toolwright'), 'dir');
  return folder;
}
