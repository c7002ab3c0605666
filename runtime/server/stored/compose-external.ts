// In: a server of external definitions, and the other packs that were stored with it. Out: what it serves now, composed as everywhere.
import type { Server } from '../../load/program.js';
import { type ComposedServer, composeServer } from '../../packs/compose.js';
import type { OpenPack } from '../../packs/open-pack.js';
import type { ArtifactPacks } from './artifact-hosts.js';
import type { StoredProgram } from './stored-program.js';

const byBuilding = 'packs are added by building again';

export function composeExternal({ own, others }: ArtifactPacks, server: Server, stored: StoredProgram): ComposedServer {
  const find = (reference: string | undefined): OpenPack | undefined =>
    others[stored.others.findIndex(one => one.reference === reference)];
  return composeServer(own, server, {
    pack: name => find(name) ?? { missing: true },
    builtin: () => find(undefined),
    installCommand: () => byBuilding,
    missingHint: () => byBuilding,
  });
}
