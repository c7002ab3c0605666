// In: a loaded pack and a way to find others. Out: one of its servers, or the whole of it, with everything that is wrong there.
import { type Diagnostic, sortDiagnostics } from '../../schema/diagnostics.js';
import { listedKinds } from '../load/link-server.js';
import type { LoadedPack } from '../load/load.js';
import type { Server } from '../load/program.js';
import { compose } from './compose.js';
import { type InspectedPack, type InspectedServer, inspectComposed, inspectPack } from './inspect.js';
import type { PackLookup } from './look-up.js';
import type { OpenPack } from './open-pack.js';

/** Positions are relative to the pack, those in other packs have full paths. */
export function inspectLoaded(loaded: LoadedPack, pack: OpenPack, server: Server, lookUp: PackLookup): InspectedServer {
  const composed = compose(pack, server, lookUp);
  const files = filesOf(server, loaded);
  const own = loaded.diagnostics.filter(({ file }) => files.has(file));
  return { ...inspectComposed(composed), diagnostics: join(own, composed.diagnostics) };
}

export function inspectWhole(loaded: LoadedPack, pack: OpenPack, lookUp: PackLookup): InspectedPack {
  const inspected = inspectPack(
    pack,
    loaded.servers.map(server => compose(pack, server, lookUp)),
  );
  return { ...inspected, diagnostics: join(loaded.diagnostics, inspected.diagnostics) };
}

function join(some: readonly Diagnostic[], others: readonly Diagnostic[]): readonly Diagnostic[] {
  return sortDiagnostics([...some, ...others]);
}

/** Of the server and of all items of its pack that it lists, broken ones too: those are missing from what it serves. */
function filesOf(server: Server, { catalog }: LoadedPack): ReadonlySet<string> {
  const files = listedKinds.flatMap(kind => {
    const names = new Set(server[`${kind}s`].map(listed => (listed.from === 'own' ? listed.item : undefined)));
    return catalog[kind].filter(({ name }) => names.has(name)).flatMap(({ file }) => file ?? []);
  });
  return new Set([server.file, ...files]);
}
