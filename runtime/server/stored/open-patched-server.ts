// In: the parts of a built server and folders of patches. Out: its packs and server as they are to be served now.
import { type Diagnostic, diagnose } from '../../../schema/diagnostics.js';
import { wantedHandlers } from '../../call/handlers/find-handler.js';
import type { Folder } from '../../load/folder.js';
import { settingsFolder } from '../../load/overlay.js';
import type { Server } from '../../load/program.js';
import type { IsBuiltIn } from '../../load/resolve.js';
import { type ComposedServer, composeServer } from '../../packs/compose.js';
import type { OpenPack } from '../../packs/open-pack.js';
import { unpackProgram } from './packed-program.js';
import type { ServerParts } from './parts.js';
import { externalFolder, filesFolder, openStoredPacks } from './stored-folder.js';
import type { StoredProgram } from './stored-program.js';
import { openPacks, type StoredPacks } from './stored-source.js';

export interface PatchedServer {
  readonly stored: StoredProgram;
  /** Undefined where external definitions cannot be used; then there is an error. */
  readonly packs: StoredPacks | undefined;
  /** Undefined where external definitions have no such server any more, or a broken one. */
  readonly server: Server | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

interface Patches {
  /** Absolute. */
  readonly overlays: readonly string[];
  /** What an install has set (TOOLWRIGHT_SETTINGS): the last overlay. */
  readonly settings: string | undefined;
}

/** The loader, and what reads YAML, are loaded only where there is something to read. */
export async function openPatchedServer(parts: ServerParts, { overlays, settings }: Patches): Promise<PatchedServer> {
  const stored = unpackProgram(parts.program());
  const { own, others } = openPacks(stored, parts);
  const last = settingsFolder(settings, own.folder?.path ?? '');
  const patches = last === undefined ? overlays : [...overlays, last];
  const diagnostics: Diagnostic[] = [];
  const opened =
    parts.external === undefined
      ? await patchOwn(own, stored, patches, diagnostics)
      : await loadExternal(parts, parts.external, patches, isBuiltInOf(stored), diagnostics);
  const patched = patches.length === 0 ? others : await patchOthers(others, stored, patches, diagnostics);
  const server = opened?.program.servers.find(one => one.item === stored.server.item);
  return { stored, packs: opened && { own: opened, others: patched }, server, diagnostics };
}

function isBuiltInOf({ builtin }: StoredProgram): IsBuiltIn {
  const names = new Set(builtin);
  return (kind, item) => names.has(`${kind}:${item}`);
}

type Overlays = readonly (string | Folder)[];

async function loadExternal(
  parts: ServerParts,
  external: NonNullable<ServerParts['external']>,
  overlays: Overlays,
  isBuiltIn: IsBuiltIn,
  found: Diagnostic[],
): Promise<OpenPack | undefined> {
  const { load } = await external.tools();
  const folder = externalFolder(external.folder, external.manifest, filesFolder(parts));
  const { program, catalog, diagnostics } = load(folder, {
    overlays,
    isBuiltIn,
    open: openStoredPacks(folder, external.schemaPacks),
  });
  const missing = wantedHandlers({ program, catalog })
    .filter(({ path }) => !Object.hasOwn(parts.modules, path))
    .map(({ what, path, site }) =>
      diagnose('generate/missing-handler', { what, path }, site(), {
        hint: 'build again: a built server does not pick up new code',
      }),
    );
  found.push(...diagnostics, ...missing);
  return program && { program, catalog, errors: [], folder };
}

async function patchOwn(
  own: OpenPack,
  stored: StoredProgram,
  overlays: Overlays,
  found: Diagnostic[],
): Promise<OpenPack> {
  if (overlays.length === 0) return own;
  const { patchProgram } = await import('./patch-program.js');
  const isBuiltIn = isBuiltInOf(stored);
  const { value, diagnostics } = patchProgram(own.program, stored, { overlays, names: 'own', isBuiltIn });
  found.push(...diagnostics);
  return { ...own, program: value };
}

async function patchOthers(
  others: readonly OpenPack[],
  stored: StoredProgram,
  overlays: Overlays,
  found: Diagnostic[],
): Promise<readonly OpenPack[]> {
  const { patchProgram } = await import('./patch-program.js');
  return others.map((pack, index) => {
    const one = stored.others[index];
    if (one === undefined) return pack;
    const names = one.reference === undefined ? 'builtin' : 'foreign';
    const { value, diagnostics } = patchProgram(pack.program, one, { overlays, names, isBuiltIn: isBuiltInOf(stored) });
    found.push(...diagnostics);
    return { ...pack, program: value };
  });
}

const byBuilding = 'packs are added by building again';

/** What a server of external definitions serves now, composed as everywhere, from the packs that were stored with it. */
export function composeExternal({ own, others }: StoredPacks, server: Server, stored: StoredProgram): ComposedServer {
  const find = (reference: string | undefined): OpenPack | undefined =>
    others[stored.others.findIndex(one => one.reference === reference)];
  return composeServer(own, server, {
    pack: name => find(name) ?? { missing: true },
    builtin: () => find(undefined),
    installCommand: () => byBuilding,
    missingHint: () => byBuilding,
  });
}
