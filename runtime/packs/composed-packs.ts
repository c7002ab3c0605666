// In: a composed server. Out: its packs, what it takes from each, and which functions they lack.
import { resolve } from 'node:path';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { findMissingHandlers } from '../handlers/missing-handlers.js';
import { nodeFolder } from '../load/folder.js';
import type { Program } from '../load/program.js';
import type { ComposedServer } from './compose.js';
import type { OpenPack } from './open-pack.js';

/** The pack of the server comes first. */
export function packsOf({ pack, tools, prompts, resources }: ComposedServer): readonly OpenPack[] {
  return [...new Set([pack, ...[...tools, ...prompts, ...resources].map(item => item.pack)])];
}

/** Only what the server takes from a pack. */
export function takenOf(
  pack: OpenPack,
  { tools, prompts, resources }: ComposedServer,
): Pick<Program, 'tools' | 'prompts' | 'resources'> {
  const isMine = (item: { readonly pack: OpenPack }): boolean => item.pack === pack;
  return {
    tools: tools.filter(isMine).map(({ item }) => item),
    prompts: prompts.filter(isMine).map(({ item }) => item),
    resources: resources.filter(isMine).map(({ item }) => item),
  };
}

/** Handlers that another pack should have for the items that are used here; what else it lacks does not matter. */
export function missingOf(pack: OpenPack, composed: ComposedServer): readonly Diagnostic[] {
  const program: Program = { ...pack.program, servers: [], ...takenOf(pack, composed) };
  const { folder } = pack.program.pack;
  const found = findMissingHandlers({ program }, nodeFolder(folder));
  return found.map(one => ({ ...one, file: resolve(folder, one.file) }));
}
